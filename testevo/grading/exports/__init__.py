"""Grades in formats of other benchmarks."""
