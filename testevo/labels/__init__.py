"""Pure functions from executions and changes to labels and filter reasons. This room touches no files."""
