"""Delete folders that untrusted code could write to, and files that a list names."""

import os
import secrets
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def remove_folder(folder: Path) -> None:
    """Delete a folder however deep it is and whatever was made unreadable in it; what cannot be deleted stays.

    A folder within moves up to the top before it is looked into. So no path becomes too long, and nothing recurses.
    """
    token = secrets.token_hex(8)
    places = [folder]
    for place in places:  # grows while it is gone through
        for entry in _entries(place):
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    Path(entry.path).chmod(0o700)  # moving a folder writes its entry `..`
                    places.append(Path(entry.path).rename(folder / f"{token}-{len(places)}"))
                else:
                    Path(entry.path).unlink()
    for place in reversed(places):
        with suppress(OSError):
            place.rmdir()


def remove_listed(folder: Path, names: Iterable[str]) -> None:
    """Delete files of a folder by relative name; what is not there, or lies outside, stays as it is.

    Raises:
        OSError: one cannot be deleted.
    """
    top = folder.resolve()
    for file in (folder / name for name in names):
        if file.is_file() and file.resolve().is_relative_to(top):
            file.unlink()


def _entries(place: Path) -> list[os.DirEntry[str]]:
    try:
        place.chmod(0o700)
        with os.scandir(place) as entries:
            return list(entries)
    except OSError:
        return []


@contextmanager
def temporary_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """A new folder, without links in its path, that untrusted code may write to; it goes at the end."""
    folder = Path(tempfile.mkdtemp(dir=parent, prefix=prefix)).resolve()
    try:
        yield folder
    finally:
        remove_folder(folder)
