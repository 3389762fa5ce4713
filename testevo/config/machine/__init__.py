"""Use of the machine: processes, shards, clusters."""
