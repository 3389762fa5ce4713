"""Pure functions from executions and changes to labels and filter reasons. This package touches no files."""
