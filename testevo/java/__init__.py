"""Java source without a compiler: declarations, keys, tests, changes, splices, moves. Bytes in, values out."""
