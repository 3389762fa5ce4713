"""Processes that a run leaves behind: found and ended by their id, wherever they have gone.

A test can start processes that leave its process group and its session and outlive their parents. For the time of a
run this process asks the kernel for every orphan below it (`PR_SET_CHILD_SUBREAPER`, Linux): whatever the run started
becomes its child at the latest when the test JVM is dead, and is not a child that it had before.
"""

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

_PRCTL = getattr(ctypes.CDLL(None), "prctl", None)
_SET_SUBREAPER = 36
SECONDS = 10.0
"""How long processes that go on starting others are pursued."""


@contextlib.contextmanager
def ended_at_exit() -> Iterator[None]:
    """End all processes that were started inside and are still there at the end.

    No thread of this process may start a child of its own meanwhile: it would be taken for one of the run's.
    """
    before = _children()
    if _PRCTL is not None:
        _PRCTL(_SET_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        _end_all_but(before)
        if _PRCTL is not None:
            _PRCTL(_SET_SUBREAPER, 0, 0, 0, 0)


def _end_all_but(before: frozenset[int]) -> None:
    """Kill round by round: the children of one that dies are ours in the next round."""
    deadline = time.monotonic() + SECONDS
    left = _children() - before
    while left:
        for process_id in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process_id, signal.SIGKILL)
        for process_id in left:
            _collect(process_id, deadline)
        left = _children() - before
        if left and time.monotonic() > deadline:
            print(
                f"WARNING: a test left processes that cannot be ended: {sorted(left)}. End them by hand, and set "
                "`execution.sandbox: bubblewrap`.",
                file=sys.stderr,
            )
            return


def _collect(process_id: int, deadline: float) -> None:
    """Wait for a killed child, not for ever: one in uninterruptible sleep ends when its device answers."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(process_id, os.WNOHANG)[0] == 0 and time.monotonic() < deadline:
            time.sleep(0.002)


def _children() -> frozenset[int]:
    """Ids of this process's children, zombies included."""
    try:
        tasks = [(task / "children").read_text() for task in Path("/proc/self/task").iterdir()]
    except OSError:  # a kernel without CONFIG_PROC_CHILDREN
        return frozenset(child.pid for child in psutil.Process().children())
    return frozenset(int(word) for text in tasks for word in text.split())
