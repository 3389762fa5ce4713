"""Grades in the forms that others read."""
