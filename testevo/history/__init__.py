"""Histories: bundles, trees, walks and pairs (git, pydriller). Knows no Java beyond the ending of its files."""
