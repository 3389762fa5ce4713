"""The `testevo` command: thin verbs over the library and the workflow."""
