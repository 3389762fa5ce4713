"""One workflow at a time per snapshot; and no cache is pruned while a run uses it."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from testevo.config.snapshot.layout import Layout
from testevo.runtime.errors import MachineError, next_step

IN_USE = ".in_use"
"""The file in a cache that runs lock, each shared with the others."""


class SnapshotInUseError(MachineError):
    """A workflow runs on the snapshot."""


def lock_snapshot(layout: Layout) -> int:
    """Hold a snapshot for this process until it ends, however it ends.

    Snakemake's own lock outlives a killed run and must then be removed by hand, so that the profile turns it off.

    Returns:
        The open descriptor that holds the lock.

    Raises:
        SnapshotInUseError: another process has it.
        MachineError: the folder cannot be written, or its file system has no locks.
    """
    path = layout.root / "lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise MachineError(f"{path} cannot be written: {error.strerror}. {next_step(error)}.") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(descriptor)
        raise SnapshotInUseError(
            f"{layout.root} is in use by another process. Wait for that one, or end it."
        ) from error
    except OSError as error:
        os.close(descriptor)
        raise MachineError(
            f"{path} cannot be locked: {error.strerror}. Keep results on a file system with locks."
        ) from error
    return descriptor


@contextmanager
def held_snapshot(layout: Layout) -> Iterator[None]:
    """Hold a snapshot while something in it is changed that a running workflow reads.

    Raises:
        MachineError: as `lock_snapshot`.
    """
    descriptor = lock_snapshot(layout)
    try:
        yield
    finally:
        os.close(descriptor)


_USED: dict[Path, int] = {}
"""Descriptors of the locks of caches that this process uses."""


def use_cache(cache: Path) -> None:
    """Hold a cache until this process ends, together with other runs; waits while one is pruned.

    Raises:
        MachineError: the folder cannot be written.
    """
    path = cache.resolve() / IN_USE
    if path in _USED:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        fcntl.flock(descriptor, fcntl.LOCK_SH)
    except OSError as error:
        raise MachineError(f"{path} cannot be locked: {error.strerror}. Set build.cache elsewhere.") from error
    _USED[path] = descriptor


@contextmanager
def unused_cache(cache: Path) -> Iterator[bool]:
    """Keep runs from beginning to use a cache; tells whether none uses it now."""
    with (cache / IN_USE).open("a") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
