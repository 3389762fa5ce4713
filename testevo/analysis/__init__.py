"""Metrics, intervals, tables and figures from graded tasks; runs no tests."""
