"""A dataset folder opened for grading."""
