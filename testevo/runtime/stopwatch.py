"""Measure the time of a stage by kind of work, for `testevo status --profile`.

Every process of a stage measures itself: wall time by kind of work, each moment counted once, under the innermost span
that is open. Its sums go to the end of the stage's profile when it ends. Nothing is ever decided by a time.
"""

import atexit
import os
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from testevo.runtime.files.files import canonical_json
from testevo.runtime.files.json_and_yaml import parsed_json

REST = "own code"
"""Time outside all spans: the Python of the process itself."""
WAITING = "waiting for processes"
"""Time of a process that waits for its workers, each of which measures itself."""


@dataclass
class Work:
    """One kind of work: how often it was begun, and its wall time in seconds without that of spans inside it."""

    times: int = 0
    seconds: float = 0.0


@dataclass
class _Watch:
    begun: float = field(default_factory=time.monotonic)
    work: dict[str, Work] = field(default_factory=dict)
    open: list[str] = field(default_factory=lambda: [REST])
    since: float = field(init=False)
    file: Path | None = None
    processor_before: float = 0.0
    forked: bool = False

    def __post_init__(self) -> None:
        self.since = self.begun  # not a moment later: the sums are the whole

    def turn(self) -> None:
        """Give the time since the last turn to the innermost open span."""
        now = time.monotonic()
        self.work.setdefault(self.open[-1], Work()).seconds += now - self.since
        self.since = now


_watch = _Watch()


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Count the block as work of the kind `what`. For one thread per process."""
    _watch.turn()
    _watch.open.append(what)
    _watch.work.setdefault(what, Work()).times += 1
    try:
        yield
    finally:
        _watch.turn()
        _watch.open.pop()


@dataclass(frozen=True)
class Profile:
    """Sums over the processes of a stage; seconds of wall time unless they are called processor time."""

    processes: int
    wall: float
    """Of the stage; what its processes do at the same time counts once."""
    processor: float
    work: dict[str, Work]

    @property
    def worked(self) -> float:
        """Wall time of all processes together, but for waiting for each other."""
        return sum(work.seconds for name, work in self.work.items() if name != WAITING)


def read_profile(file: Path) -> Profile | None:
    """All lines of a profile together, those of runs that were interrupted included; None when there is none."""
    if not file.is_file():
        return None
    lines = [parsed_json(line) for line in file.read_text(encoding="utf-8").splitlines()]
    work: dict[str, Work] = {}
    for line in lines:
        for name, part in line["work"].items():
            whole = work.setdefault(name, Work())
            whole.times += part["times"]
            whole.seconds += part["seconds"]
    alone = [line for line in lines if not line["forked"]]
    return Profile(len(lines), sum(line["wall"] for line in alone), sum(line["processor"] for line in alone), work)


def start_profile(file: Path) -> None:
    """Measure this process from now on, and note it in `file` when it ends.

    A process that ends without exit handlers calls `end_profile` itself.
    """
    if _watch.file is None:
        atexit.register(end_profile)
    _begin(file)


def measure_anew() -> None:
    """In a process that was forked from one that measures itself: forget what that one has measured.

    Wall and processor time of the stage are told by the parent, which waits for its children.
    """
    _begin(_watch.file, forked=True)


def end_profile() -> None:
    """Add a line with all sums to the profile; what follows counts anew."""
    file = _watch.file
    if file is None:
        return
    _watch.turn()
    line = {
        "wall": round(_watch.since - _watch.begun, 3),
        "processor": round(_processor_seconds() - _watch.processor_before, 3),
        "forked": _watch.forked,
        "work": {name: _rounded(work) for name, work in sorted(_watch.work.items())},
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.write(descriptor, (canonical_json(line) + "\n").encode())  # in one piece: several processes write
    finally:
        os.close(descriptor)
    _watch.file = None


def _begin(file: Path | None, *, forked: bool = False) -> None:
    global _watch  # noqa: PLW0603 - one per process, as a process has one clock
    _watch = _Watch(file=file, processor_before=_processor_seconds(), forked=forked)


def _rounded(work: Work) -> dict[str, float]:
    return asdict(work) | {"seconds": round(work.seconds, 3)}


def _processor_seconds() -> float:
    """Of this process and of all children it has waited for."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
