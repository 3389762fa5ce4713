"""Whole files, archives, checksums."""
