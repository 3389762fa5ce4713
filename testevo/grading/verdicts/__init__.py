"""Judge a grade: discrimination of old and new code, weakened updates, impossible outcomes."""
