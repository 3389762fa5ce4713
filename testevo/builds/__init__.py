"""From a checkout to classes: POMs, JDKs, Maven, the compiler, two engines."""
