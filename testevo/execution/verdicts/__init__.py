"""From what a run leaves to its outcome."""
