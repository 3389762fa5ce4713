"""Sources of histories: worlds, a list, releases, and a stub of the live search."""
