"""What systems did, read from their trajectories."""
