"""PIT as a second opinion."""
