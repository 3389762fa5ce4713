"""Where a system works on a task: the files it gets, what it can reach, what it has changed."""
