"""What of a checkout decides a build besides its sources."""
