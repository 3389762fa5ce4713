"""The paper's released files, its numbers rebuilt, and agreement with its tasks."""
