"""Commands that grade candidate tests."""
