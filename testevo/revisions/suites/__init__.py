"""Suites of many revisions, run or reused."""
