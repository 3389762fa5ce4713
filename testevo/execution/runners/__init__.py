"""Ways to run tests: one-shot JVMs, Surefire, the call probe."""
