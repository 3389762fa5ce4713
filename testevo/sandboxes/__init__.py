"""Sandboxes: processes, files and network that a test JVM can reach."""
