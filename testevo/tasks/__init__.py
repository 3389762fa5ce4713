"""Packaging: labels become tasks with stable ids, a dataset folder and exports."""
