"""Mutants: made, compiled, run, accounted."""
