"""Coverage of focal methods."""
