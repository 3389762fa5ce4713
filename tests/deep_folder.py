"""Folders within folders, as a test or an agent makes them: deeper than any path may be long."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from testevo.runtime.files.removal import remove_folder

DEPTH = 3000


def make_deep_folder(folder: Path) -> None:
    """Make `deep/deep/...` in a folder, with a file at its end, as a program does that changes into each."""
    at = os.open(folder, os.O_RDONLY)
    for _ in range(DEPTH):
        os.mkdir("deep", dir_fd=at)
        inner = os.open("deep", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = inner
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=at))
    os.close(at)


@contextmanager
def deep_folder(folder: Path) -> Iterator[None]:
    """The same for a while; pytest could not remove it."""
    make_deep_folder(folder)
    try:
        yield
    finally:
        remove_folder(folder / "deep")
