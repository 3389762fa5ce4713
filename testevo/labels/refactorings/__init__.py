"""Whether a change is nothing but refactoring: renames, extractions and inlinings undone, texts compared."""
