"""Mutants: make, compile, run and account for them."""
