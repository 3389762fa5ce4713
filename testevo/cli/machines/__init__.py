"""Commands about this machine and clusters."""
