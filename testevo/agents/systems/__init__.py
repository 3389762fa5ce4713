"""The systems: how each agent program is started, and how its output is read."""
