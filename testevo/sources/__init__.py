"""Where histories come from: worlds, a list, releases, and the place of the live search."""
