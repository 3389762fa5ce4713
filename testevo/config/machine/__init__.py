"""How much of which machine a run takes."""
