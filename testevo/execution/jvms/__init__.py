"""How a test JVM is started."""
