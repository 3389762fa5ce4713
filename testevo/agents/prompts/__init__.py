"""The prompts: what a system is told about a task."""
