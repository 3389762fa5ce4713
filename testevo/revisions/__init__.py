"""Two revisions side by side: checkouts, method changes, call maps, facts of candidates."""
