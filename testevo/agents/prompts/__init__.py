"""What a system is told of a task."""
