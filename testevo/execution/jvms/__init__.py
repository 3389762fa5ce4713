"""Start test JVMs."""
