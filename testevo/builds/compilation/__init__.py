"""Compiling sources to class trees."""
