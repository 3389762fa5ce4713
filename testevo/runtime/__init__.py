"""Errors, files, processes and measurement; imports nothing else of this project."""
