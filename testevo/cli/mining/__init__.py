"""Commands that mine a history and import results."""
