"""Which tests there are, and what they depend on."""
