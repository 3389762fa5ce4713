"""The two engines: `direct`, which compiles by itself what it can, and `maven`, the reference."""
