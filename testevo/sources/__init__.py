"""Sources of histories: worlds, a list, releases, and a search of GitHub."""
