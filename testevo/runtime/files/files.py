"""Files that are complete when they exist: written under a temporary name, then renamed."""

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from testevo.runtime.errors import MachineError, next_step
from testevo.runtime.machine_faults import DISK

_SURROGATE = re.compile("[\ud800-\udfff]")
FileState = tuple[int, int, int]
"""Inode, size and time of a file: what has changed is looked at again."""
LEAST_FREE_BYTES = 32 * 2**20
"""Below this much free space no stage begins an item."""


def write_atomically(path: Path, content: bytes) -> None:
    """Write `content` to `path` so that a reader sees all of it or nothing.

    Raises:
        MachineError: the folder cannot be written or the disk is full; nothing is left behind.
    """
    write_pieces_atomically(path, [content])


def write_pieces_atomically(path: Path, pieces: Iterable[bytes]) -> None:
    """Write the pieces one after the other, so that they need not be in memory together; see `write_atomically`.

    Raises:
        MachineError: the folder cannot be written or the disk is full; nothing is left behind, nor when a piece fails.
    """
    temporary: Path | None = None
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise MachineError(f"{path} cannot be written: it is a device or a pipe. Give the name of a file.")
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        temporary = Path(name)
        with os.fdopen(descriptor, "wb") as stream:
            stream.writelines(pieces)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        raise MachineError(f"{path} cannot be written: {error.strerror or error}. {next_step(error)}.") from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def url_safe_name(name: str) -> str:
    """A folder name made of `name` (`owner+name` becomes `owner__name`) that a URL holds as it is.

    Libraries that find themselves by the address of their jar, and tests that find their resources, decode addresses by
    hand: below a folder with a plus sign, a space or a percent sign they look in a folder that does not exist.
    """
    return re.sub(r"[^\w.@-]", "__", name, flags=re.ASCII)


def require_url_safe(folder: Path, instead: str) -> Path:
    """A folder in which Java works, if a URL holds its whole path as it is (see `url_safe_name`).

    Args:
        instead: how another one is given, for the message.

    Raises:
        MachineError: it does not; tests would fail here that pass elsewhere.
    """
    odd = sorted(set(re.findall(r"[^\w.@/~,=-]", str(folder), flags=re.ASCII)))
    if odd:
        characters = " ".join(map(repr, odd))
        raise MachineError(
            f"{folder} has {characters} in its path. Tests look for their files by addresses, where these are written "
            f"otherwise, and fail there. Use a folder with letters, digits, dots, dashes and underscores: {instead}."
        )
    return folder


def stays_inside(path: str) -> bool:
    """Whether a relative path leads to a place below the folder that it is of, and not into its `.git`.

    No honest git tree holds any other path, and git reads one that does: a name may hold slashes, also in front.
    """
    return {"", ".", "..", ".git"}.isdisjoint(path.split("/"))


def empty_folder(folder: Path) -> None:
    """Make a folder, or remove all that is in it; the folder itself stays the same one."""
    folder.mkdir(parents=True, exist_ok=True)
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def require_space(folder: Path) -> None:
    """Refuse to go on when little space is left: what fails for lack of space must not be recorded as the item's fault.

    Raises:
        MachineError: less than `LEAST_FREE_BYTES` are free on the disk of `folder`, which need not exist yet.
    """
    place = next(parent for parent in (folder.absolute(), *folder.absolute().parents) if parent.is_dir())
    free = shutil.disk_usage(place).free
    if free < LEAST_FREE_BYTES:
        raise DISK.error(
            f"The disk of {folder} has only {free // 2**20} MiB left, {LEAST_FREE_BYTES // 2**20} are needed"
        )


def canonical_json(value: Any) -> str:
    """One line of JSON that is the same for equal values: sorted keys, no spaces, no escaped Unicode."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    # Paths that are not UTF-8 hold lone surrogates, which only an escape can say.
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def content_key(*parts: str | bytes) -> str:
    """SHA-256 (hex) of length-prefixed parts, so that no two lists of parts share a key by concatenation."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(f"{len(data)}:".encode())
        digest.update(data)
    return digest.hexdigest()


def file_digest(path: Path) -> str:
    """SHA-256 (hex) of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def file_state(path: Path) -> FileState:
    try:
        state = path.stat()
    except OSError:
        return (0, 0, 0)
    return (state.st_ino, state.st_size, state.st_mtime_ns)


def folder_digest(folder: Path) -> str:
    """SHA-256 (hex) over the relative paths and bytes of the files of `folder`."""
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    return content_key(*(part for p in files for part in (p.relative_to(folder).as_posix(), file_digest(p))))
