"""Read the outcome of a run from its channel, XML and logs."""
