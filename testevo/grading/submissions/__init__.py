"""From a line of a predictions file to one edit of the target file."""
