"""Discover tests, and what they depend on."""
