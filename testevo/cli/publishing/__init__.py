"""Commands that publish what was mined and graded."""
