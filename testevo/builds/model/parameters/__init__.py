"""Allow-lists of what plugins may be told while the direct engine serves a build."""
