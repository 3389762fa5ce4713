"""Snapshots of one series: what is committed of each, and what became of its tasks."""
