"""A Python for programs of this project inside a sandbox."""

import sys
from collections.abc import Sequence
from pathlib import Path


def plain_python() -> tuple[Sequence[str], Sequence[Path]]:
    """A Python that runs without this project's environment, and what must be shown of it."""
    home = Path(sys.base_prefix).resolve()
    program = home / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    return [str(program), "-I", "-S"], [] if home == Path("/usr") else [home]
