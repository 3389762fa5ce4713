"""Runs that share the ports of this machine: one that finds a port taken is made again while no other is under way.

The ports of servers in tests are written in them. Of two runs at once, of one revision or of two, the second then fails
without a fault of its test. A run with a network of its own needs none of this.
"""

import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from testevo.runtime.errors import MachineError
from testevo.runtime.files.whole_files import locked

T = TypeVar("T")
_TAKEN = re.compile(
    rb"java\.net\.BindException|address already in use|\bport \d{1,5} (?:is|was) already in use", re.IGNORECASE
)


def says_taken(*said: bytes) -> bool:
    """Whether a program says that a port was taken."""
    return any(_TAKEN.search(text) for text in said)


def sharing_ports(run: Callable[[], T], found_taken: Callable[[T], bool]) -> T:
    """Make a run beside others; if it found a port taken, make it again alone, and believe that.

    Alone among the runs of this user whose temporary folder is the same. Runs must not be made inside of runs.

    Raises:
        MachineError: somebody else's folder is in the place of the locks.
    """
    with _held(shared=True):
        done = run()
    if not found_taken(done):
        return done
    with _held(shared=False):
        return run()


@contextmanager
def _held(*, shared: bool) -> Iterator[None]:
    """Keep the lock of all runs. One that waits to be alone holds the entrance, so that others do not overtake it."""
    folder = _own_folder()
    with ExitStack() as lock:
        with locked(folder / "entrance"):
            lock.enter_context(locked(folder / "runs", shared=shared))
        yield


def _own_folder() -> Path:
    folder = Path(tempfile.gettempdir(), f"testevo-ports-{os.getuid()}")
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise MachineError(f"{folder} is not a folder of this user. Remove it, or set TMPDIR to another folder.")
    return folder
