"""Errors, clocks and measurement; imports nothing of this project."""
