"""Two revisions side by side: their sources, tests and byte code, and what changed between them."""
