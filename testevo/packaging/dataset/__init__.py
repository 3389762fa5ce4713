"""The dataset folder and its pages."""
