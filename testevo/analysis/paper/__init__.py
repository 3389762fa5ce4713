"""The paper's released files and its numbers again."""
