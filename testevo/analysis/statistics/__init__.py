"""Results, metrics, intervals and comparisons."""
