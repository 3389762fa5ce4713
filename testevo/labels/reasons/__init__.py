"""Why candidates left, in order of weight, and what to try."""
