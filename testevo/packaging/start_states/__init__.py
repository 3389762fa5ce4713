"""Start states of tasks, and control submissions."""
