"""testevo: build and grade a live benchmark of test evolution in Java/Maven projects."""

from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """`testevo.load`, imported when it is asked for, so that the commands start without it."""
    if name == "load":
        from testevo.packaging.publication.loading import load

        return load
    raise AttributeError(f"module 'testevo' has no attribute {name!r}")
