"""Write a tree to disk so that every file has the bytes of its blob and no link leads outside."""

import contextlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from testevo.runtime.files.files import stays_inside

LINK = "120000"
EXECUTABLE = "100755"
LONGEST_TARGET = 4095
"""Bytes that a link can name on Linux; a tree may hold more."""
LONGEST_NAME = 255
"""Bytes of a file name on Linux."""
LONGEST_PATH = 3000
"""Bytes below a checkout: a whole path may have 4,096, and some of our folders lie above and between."""
DEEPEST = 200
"""Folders, one in the other: programs that walk a checkout may call themselves for each."""
_IN_THE_WAY = (FileExistsError, NotADirectoryError, IsADirectoryError)
"""Raised where a dishonest tree has two entries of one name; then only one of them is written."""


@dataclass(frozen=True)
class TreeEntry:
    """A line of `git ls-tree`."""

    path: str
    mode: str
    blob: str


def has_place(path: str) -> bool:
    """Whether a file of a tree can be written to a disk: nobody has to be able to, for git to hold it."""
    if len(path) <= LONGEST_NAME // 4:  # bytes of a character
        return True
    names = path.encode("utf-8", "surrogateescape").split(b"/")
    return len(names) - 1 <= DEEPEST and max(map(len, names)) <= LONGEST_NAME and sum(map(len, names)) <= LONGEST_PATH


def write_tree(folder: Path, contents: Iterable[tuple[TreeEntry, bytes]]) -> None:
    """Write files, then links; nothing is ever written through a link, because links come last."""
    links = []
    for entry, content in contents:
        if not stays_inside(entry.path):
            continue
        if entry.mode == LINK:
            links.append((folder / entry.path, content))
            continue
        with contextlib.suppress(*_IN_THE_WAY):
            _write_file(folder / entry.path, content, entry.mode)
    _write_links(folder, links)


def _write_file(path: Path, content: bytes, mode: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    if mode == EXECUTABLE:
        path.chmod(0o755)


def _write_links(folder: Path, links: Iterable[tuple[Path, bytes]]) -> None:
    written: dict[Path, bytes] = {}
    for path, target in links:
        if b"\0" in target or not target or not written.keys().isdisjoint(path.parents):
            continue
        with contextlib.suppress(*_IN_THE_WAY):
            path.parent.mkdir(parents=True, exist_ok=True)
            if len(target) > LONGEST_TARGET:
                path.write_bytes(target)
                continue
            path.symlink_to(os.fsdecode(target))
            written[path] = target
    # Where a link leads depends on the other links, so this is asked when all are there.
    root = folder.resolve()
    for path, target in written.items():
        if not Path(os.path.realpath(path)).is_relative_to(root):
            path.unlink()
            path.write_bytes(target)
