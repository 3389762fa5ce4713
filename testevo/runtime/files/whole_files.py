"""Files of folders that many processes share: complete when they exist, and never replaced while somebody uses them.

Processes that make the same entry at once each make their own under a temporary name beside it. The first that is
complete gets the name; the others throw theirs away and use the first. So the file that a process has opened, mapped or
looked at under that name stays the one that others see there.
"""

import contextlib
import errno
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from testevo.runtime.errors import MachineError, next_step
from testevo.runtime.files.files import write_atomically

_WITHOUT_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES)
"""Error numbers of file systems that cannot give a file a second name."""
_MODE = 0o644


def place_once(made: Path, target: Path) -> bool:
    """Give a complete file its name, unless the name is taken; `made` is gone afterwards.

    Args:
        made: on the file system of `target`, closed, and known to nobody else.

    Returns:
        Whether it got the name; else `target` is what another process has made.

    Raises:
        OSError: the folder cannot be written.
    """
    try:
        try:
            os.link(made, target)
        except FileExistsError:
            return False
        except OSError as error:
            if error.errno not in _WITHOUT_LINKS:
                raise
            return _renamed_once(made, target)
        return True
    finally:
        made.unlink(missing_ok=True)


def place_folder_once(made: Path, target: Path) -> bool:
    """Give a complete folder, which must not be empty, its name, unless the name is taken; then `made` stays.

    Returns:
        Whether it got the name.

    Raises:
        OSError: the folder above cannot be written, or the name is that of a file.
    """
    try:
        made.rename(target)  # refused where a folder with entries has the name
    except OSError:
        if not target.is_dir():
            raise
        return False
    return True


def write_once(target: Path, content: bytes, modified: int | None = None) -> bool:
    """Write a file, unless it is there already; its name must stand for its content.

    Args:
        modified: modification time of the file, in seconds; None for now.

    Returns:
        Whether it was written.

    Raises:
        MachineError: the folder cannot be written or the disk is full; nothing is left behind.
    """

    def write(made: Path) -> None:
        made.write_bytes(content)
        if modified is not None:
            os.utime(made, (modified, modified))

    return not target.is_file() and _made_once(target, write)


def copy_once(source: Path, target: Path) -> bool:
    """Copy the bytes of a file, unless the copy is there already; its name must stand for its content.

    Returns:
        Whether it was copied.

    Raises:
        MachineError: the source cannot be read, the folder cannot be written, or the disk is full.
    """
    return not target.is_file() and _made_once(target, lambda made: shutil.copyfile(source, made))


def write_if_changed(target: Path, content: bytes) -> bool:
    """Write a file whose content may change, such as a note; a file with the same bytes is left as it is.

    For files that are read in one go only. What is mapped, watched or opened by other programs needs a name that stands
    for its content.

    Returns:
        Whether it was written.

    Raises:
        MachineError: the folder cannot be written or the disk is full; nothing is left behind.
    """
    if write_once(target, content):
        return True
    with contextlib.suppress(FileNotFoundError):  # removed meanwhile, as somebody found it damaged
        if target.read_bytes() == content:
            return False
    write_atomically(target, content)
    return True


@contextmanager
def locked(file: Path, *, shared: bool = False) -> Iterator[None]:
    """Hold a lock until the block ends; `file` is made if it is not there, and stays.

    Args:
        file: of nothing else: nobody reads or writes it.
        shared: together with others that ask for it shared, but not with one that does not.

    Raises:
        OSError: the folder cannot be written.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        yield


def _made_once(target: Path, make: Callable[[Path], object]) -> bool:
    made: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        os.close(descriptor)
        made = Path(name)
        make(made)
        made.chmod(_MODE)
        _flush(made)
        return place_once(made, target)
    except OSError as error:
        if made is not None:
            made.unlink(missing_ok=True)
        raise MachineError(f"{target} cannot be written: {error.strerror or error}. {next_step(error)}.") from error


def _flush(file: Path) -> None:
    """Let its bytes reach the disk before its name does."""
    with file.open("rb") as stream:
        os.fsync(stream.fileno())


def _renamed_once(made: Path, target: Path) -> bool:
    """Where a file cannot have two names, a lock lets one process after the other look and rename."""
    with locked(target.with_name(f".{target.name}.lock")):
        if target.exists():
            return False
        made.rename(target)
        return True
