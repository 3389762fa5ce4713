"""Records of grading."""
