"""Records of proofs: builds equal to those of Maven, no need of a network, stable tests, killed mutants."""
