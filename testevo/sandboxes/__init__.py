"""What a test JVM can reach: processes, files, network."""
