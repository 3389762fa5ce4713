"""Records of proofs: that a build equals that of Maven, that a test is stable, that mutants are killed."""
