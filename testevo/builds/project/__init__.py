"""What a project says of itself: POMs, JDKs, plugins."""
