"""The assertions of a test method: which there are, how much each says, and what keeps it from counting."""
