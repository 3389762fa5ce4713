"""Compiled classes, read without loading them."""
