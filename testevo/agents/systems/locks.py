"""The locks of installed programs: which packages each is made of, with their hashes."""

from pathlib import Path

from testevo.runtime.files.project import PROJECT

LOCKS = PROJECT / "envs" / "agents"
STAMP = "installed.lock"
"""The lock that a program was installed from, in the program's folder."""


def lock_of(program: str) -> Path | None:
    """The lock of a program; None where it is not one of npm or PyPI."""
    files = (LOCKS / program / "package-lock.json", LOCKS / f"{program}.txt")
    return next((file for file in files if file.is_file()), None)
