"""Read files that untrusted code could replace: never through a link, from a pipe or device, or without end."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path, PurePosixPath


def is_file(path: Path) -> bool:
    """Whether a path of untrusted text leads to a file; one that is longer than any disk takes does not."""
    return _unless_too_long(path.is_file)


def is_folder(path: Path) -> bool:
    """Whether a path of untrusted text leads to a folder; one that is longer than any disk takes does not."""
    return _unless_too_long(path.is_dir)


def exists(path: Path) -> bool:
    """Whether a path of untrusted text leads to anything; one that is longer than any disk takes does not."""
    return _unless_too_long(path.exists)


def _unless_too_long(ask: Callable[[], bool]) -> bool:
    try:
        return ask()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return False
        raise


def read_plain(folder: Path, path: str, most: int) -> bytes | None:
    """The first `most` bytes of a plain file that is reached from `folder` through plain folders alone.

    Args:
        folder: one that untrusted code could not replace; what is in it, it could.
        path: relative, with `/` between its parts.

    Returns:
        None where there is no such file, as where it or a folder on the way is a link.
    """
    parts = PurePosixPath(path).parts
    if not parts or ".." in parts or path.startswith("/"):
        return None
    opened: list[int] = []
    try:
        opened.append(os.open(folder, os.O_RDONLY | os.O_DIRECTORY))
        for part in parts[:-1]:
            opened.append(os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=opened[-1]))
        # Without waiting for the writer of a named pipe.
        opened.append(os.open(parts[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=opened[-1]))
        if not stat.S_ISREG(os.fstat(opened[-1]).st_mode):
            return None
        with os.fdopen(opened.pop(), "rb") as file:
            return file.read(most)
    except OSError:
        return None
    finally:
        for descriptor in opened:
            os.close(descriptor)
