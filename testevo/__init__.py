"""testevo: build and grade a live benchmark of test evolution in Java/Maven projects."""

__version__ = "0.1.0"
