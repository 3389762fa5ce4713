"""What a run may ask of its model: a written list for each protocol; whatever is not on it is refused."""
