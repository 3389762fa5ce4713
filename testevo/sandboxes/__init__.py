"""Sandboxes: what a process can reach, and who agreed to run untrusted code."""
