"""Running tests: JVMs with limits, verdicts from a channel, call maps, journals, combinations."""
