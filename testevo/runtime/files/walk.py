"""Walk folders that untrusted code could have made: of any depth, and never through a link."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

_NOT_LISTED = (errno.ENAMETOOLONG, errno.EACCES, errno.ENOENT)


def walk(folder: Path) -> Iterator[tuple[str, list[os.DirEntry[str]]]]:
    """A folder and all below it, each by its relative path (`""` for itself) with its entries.

    Folders that the caller removes from the entries are not walked. What lies below a path that is too long, or that
    this user may not read, is left out.
    """
    waiting = [""]
    while waiting:
        here = waiting.pop()
        entries = _listed(folder / here)
        yield here, entries
        below = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        waiting += [f"{here}/{name}" if here else name for name in below]


def _listed(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        if error.errno in _NOT_LISTED:
            return []
        raise
