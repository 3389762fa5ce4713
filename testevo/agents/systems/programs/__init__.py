"""The agent programs that others have made: how each is started, and how its output is read."""
