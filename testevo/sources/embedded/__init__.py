"""The histories embedded in this project."""
