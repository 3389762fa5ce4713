"""Records of a dated snapshot: what the search found, what is locked, published and compared."""
