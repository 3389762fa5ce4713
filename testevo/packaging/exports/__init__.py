"""Tasks in the schema of the released data."""
