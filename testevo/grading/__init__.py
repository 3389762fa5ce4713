"""From predictions to graded tasks: one canonical edit, the runs, coverage, mutants."""
