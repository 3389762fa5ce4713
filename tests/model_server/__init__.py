"""A server that plays the model of an agent: four protocols, streamed or not, with scripted replies and faults."""
