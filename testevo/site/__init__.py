"""The static site of a snapshot or of one grading run: what was mined, what systems reached, and the evidence."""
