"""Commands that look at what a run made."""
