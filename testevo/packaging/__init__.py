"""Tasks and the dataset folder."""
