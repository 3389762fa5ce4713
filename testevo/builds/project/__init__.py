"""Read what a project declares: POMs, JDKs, plugins."""
