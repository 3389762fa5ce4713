"""Write a tree to disk so that every file has the bytes of its blob and no link leads outside."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

LINK = "120000"
EXECUTABLE = "100755"
LONGEST_TARGET = 4095
"""Bytes that a link can name on Linux; a tree may hold more."""


@dataclass(frozen=True)
class TreeEntry:
    """A line of `git ls-tree`."""

    path: str
    mode: str
    blob: str


def write_tree(folder: Path, contents: Iterable[tuple[TreeEntry, bytes]]) -> None:
    """Write files, then links; nothing is ever written through a link, because links come last."""
    links = []
    for entry, content in contents:
        if {"..", ".git"} & set(PurePosixPath(entry.path).parts):
            continue  # no honest tree holds these; both could reach out of the folder
        if entry.mode == LINK:
            links.append((folder / entry.path, content))
            continue
        target = folder / entry.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        if entry.mode == EXECUTABLE:
            target.chmod(0o755)
    _write_links(folder, links)


def _write_links(folder: Path, links: Iterable[tuple[Path, bytes]]) -> None:
    written = []
    for path, target in links:
        if b"\0" in target or not target:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if len(target) > LONGEST_TARGET:
            path.write_bytes(target)
            continue
        path.symlink_to(os.fsdecode(target))
        written.append((path, target))
    # Where a link leads depends on the other links, so this is asked when all are there.
    root = folder.resolve()
    for path, target in written:
        if not Path(os.path.realpath(path)).is_relative_to(root):
            path.unlink()
            path.write_bytes(target)
