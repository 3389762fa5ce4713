"""Child processes, the worker pool, progress."""
