"""Why candidates were dropped, most frequent first, and what to try."""
