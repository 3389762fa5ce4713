"""Allow-lists: plugin parameters with which the direct engine still serves a build."""
