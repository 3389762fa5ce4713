"""The work units of a stage, done by several processes, each with warm helpers of its own (docs/performance.md).

Processes, not threads: while a test runs, its process claims every orphan below it (`testevo.sandboxes.descendants`).
They are forked before anything is opened, so that units and functions need no pickling and nothing is imported twice;
only results and journal entries travel. The parent hands out units, writes journals and progress, and does no unit
itself. With one process there is no child: the same function is called in place.
"""

import gc
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType
from typing import Any, Generic, Protocol, TypeVar

from testevo.runtime.errors import ExitStatus
from testevo.runtime.files.files import require_space
from testevo.runtime.processes.child_failures import Failure, died, failure_of
from testevo.runtime.processes.processes import end_with_parent
from testevo.runtime.processes.progress import followed, note
from testevo.runtime.stopwatch import WAITING, end_profile, measure_anew, timed

Unit = TypeVar("Unit")
Result = TypeVar("Result")

SECONDS_TO_END = 20.0
"""How long a process that is asked to end may take to close what it opened."""

_FORK = multiprocessing.get_context("fork")


class JournalSink(Protocol):
    """The journal that units write their finished work to. Only the parent writes the file."""

    shared: bool
    """Whether the other processes are told of each entry."""

    def hand_over(self, send: Callable[[str, bytes], None]) -> None:
        """In this process, from now on, give entries to `send` instead of writing them."""

    def take(self, key: str, line: bytes) -> Any:
        """Write an entry that another process put; its place in the file."""

    def learn(self, key: str, place: Any) -> None:
        """Know where an entry is that this process or another one put."""


def results_of(
    units: Sequence[Unit],
    opened: Callable[[int], AbstractContextManager[Callable[[Unit], Result]]],
    *,
    processes: int,
    progress: Path,
    what: str,
    journals: Sequence[JournalSink] = (),
) -> list[Result]:
    """The result of every unit, in the order of the units.

    Args:
        units: neighbours are done by one process where possible, so let them be alike.
        opened: opens what a process works with, given its number from 0, and gives the function that does one unit.
            Called in the process, and closed there at the end.
        processes: at most so many are started.
        progress: file for `testevo status`.
        what: what is counted there, such as `commits checked`.
        journals: what `opened` may write to; an entry outlives a kill of the process that put it.

    Raises:
        UserError: what a unit raised, as it raised it. The other processes are ended; what their units had put is kept.
        MachineError: a process was killed, or the disk is full.
    """
    results: dict[int, Result] = {}
    work_off(units, opened, results.__setitem__, processes=processes, progress=progress, what=what, journals=journals)
    return [results[number] for number in range(len(units))]


def work_off(
    units: Sequence[Unit],
    opened: Callable[[int], AbstractContextManager[Callable[[Unit], Result]]],
    take: Callable[[int, Result], None],
    *,
    processes: int,
    progress: Path,
    what: str,
    journals: Sequence[JournalSink] = (),
) -> None:
    """Do every unit, and let each result go once it is taken: for results that fit into no memory together.

    Args:
        take: is given the number of a unit and its result, in this process and in the order in which units are done.

    For the others, and what it raises, see `results_of`.
    """
    count = min(processes, len(units))
    if count > 1:
        _WorkerPool(_Job(units, opened, progress.parent, journals), take, progress, what).work(count)
    elif not units:
        note(progress, what, 0, 0)
    else:
        with opened(0) as do:
            for number, unit in enumerate(followed(units, progress, what)):
                take(number, do(unit))


@dataclass(frozen=True)
class _Job(Generic[Unit, Result]):
    """The state that all processes share from before the fork."""

    units: Sequence[Unit]
    opened: Callable[[int], AbstractContextManager[Callable[[Unit], Result]]]
    results: Path
    """On the disk that must have space for each unit."""
    journals: Sequence[JournalSink]


@dataclass(frozen=True)
class _Entry:
    """A journal entry on its way to the parent."""

    journal: int
    key: str
    line: bytes


@dataclass(frozen=True)
class _Written:
    """A journal entry that the parent has written, and where."""

    journal: int
    key: str
    place: Any


@dataclass(frozen=True)
class _Order:
    """Do a unit, knowing what has been written in the meantime."""

    unit: int
    news: Sequence[_Written]


@dataclass(frozen=True)
class _Done:
    unit: int
    result: Any


class WorkQueue:
    """Who does which unit: each process a run of neighbours, and from the end of another's run when its own is done."""

    def __init__(self, units: int, processes: int) -> None:
        ends = [units * number // processes for number in range(processes + 1)]
        self._left = [range(start, end) for start, end in pairwise(ends)]

    def next(self, process: int) -> int | None:
        """The next unit for a process, None when all are given away."""
        if not self._left[process]:
            richest = max(range(len(self._left)), key=lambda other: len(self._left[other]))
            left = self._left[richest]
            middle = len(left) // 2
            self._left[richest], self._left[process] = left[:middle], left[middle:]
        if not self._left[process]:
            return None
        first, self._left[process] = self._left[process][0], self._left[process][1:]
        return first


@dataclass
class _Child:
    """A process as its parent sees it."""

    number: int
    process: multiprocessing.process.BaseProcess
    connection: Connection
    news: list[_Written] = field(default_factory=list)

    def send(self, order: _Order | None) -> None:
        try:
            self.connection.send(order)
        except OSError:
            return  # it has died; the end of its stream says so

    def receive(self) -> _Entry | _Done | Failure | None:
        """Its next message; None at its end."""
        try:
            said: _Entry | _Done | Failure = self.connection.recv()
        except (EOFError, OSError):
            return None
        return said

    def last_entries(self, deadline: float) -> Iterator[_Entry]:
        """Journal entries that it sent before it ended, until a time of the monotonic clock."""
        while self.connection.poll(max(0.0, deadline - time.monotonic())) and (said := self.receive()) is not None:
            if isinstance(said, _Entry):
                yield said

    def end(self, deadline: float) -> None:
        """See to it that it has ended by a time of the monotonic clock."""
        self.process.join(max(0.0, deadline - time.monotonic()))
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.connection.close()


class _WorkerPool(Generic[Unit, Result]):
    """The parent's side: gives units, takes entries and results, until every process has ended."""

    def __init__(self, job: _Job[Unit, Result], take: Callable[[int, Result], None], progress: Path, what: str) -> None:
        self._job = job
        self._take_result = take
        self._done = 0
        self._progress = progress
        self._what = what
        self._children: list[_Child] = []

    def work(self, count: int) -> None:
        queue = WorkQueue(len(self._job.units), count)
        self._note()
        try:
            with _no_collection():
                for number in range(count):
                    self._children.append(_started(self._job, number))
            for child in self._children:
                self._give(child, queue)
            while self._children:
                for child in self._speaking():
                    self._take(child, child.receive(), queue)
        finally:
            self._end_all()

    def _end_all(self) -> None:
        """Ask all that are left to end, at once, and keep what they had finished."""
        for child in self._children:
            child.process.terminate()
        deadline = time.monotonic() + SECONDS_TO_END
        try:
            for child in self._children:
                for entry in child.last_entries(deadline):
                    self._keep(child, entry)
        finally:
            for child in self._children:
                child.end(deadline)

    def _speaking(self) -> list[_Child]:
        with timed(WAITING):
            ready = wait([child.connection for child in self._children])
        return [child for child in self._children if child.connection in ready]

    def _take(self, child: _Child, said: _Entry | _Done | Failure | None, queue: WorkQueue) -> None:
        if isinstance(said, _Entry):
            self._keep(child, said)
        elif isinstance(said, _Done):
            self._take_result(said.unit, said.result)
            self._done += 1
            self._note()
            self._give(child, queue)
        elif isinstance(said, Failure):
            said.reraise()
        else:
            child.process.join()
            status = child.process.exitcode
            if status == ExitStatus.INTERRUPTED:
                raise KeyboardInterrupt
            if status != ExitStatus.OK:
                raise died(status, self._what)
            self._children.remove(child)
            child.connection.close()

    def _keep(self, child: _Child, entry: _Entry) -> None:
        journal = self._job.journals[entry.journal]
        written = _Written(entry.journal, entry.key, journal.take(entry.key, entry.line))
        for one in self._children if journal.shared else [child]:
            one.news.append(written)

    def _give(self, child: _Child, queue: WorkQueue) -> None:
        """The next unit, or leave to go: what it keeps warm takes memory."""
        unit = queue.next(child.number)
        news, child.news = child.news, []
        child.send(None if unit is None else _Order(unit, news))

    def _note(self) -> None:
        note(self._progress, self._what, self._done, len(self._job.units))


def _started(job: _Job[Unit, Result], number: int) -> _Child:
    ours, theirs = _FORK.Pipe()
    process = _FORK.Process(target=_be_child, args=(job, number, theirs, os.getpid()), daemon=True)
    process.start()
    theirs.close()  # so that its end is the end of the stream
    return _Child(number, process, ours)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep the collector from writing to all objects that a fork shares with its parent."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _be_child(job: _Job[Unit, Result], number: int, connection: Connection, parent: int) -> None:
    _end_with(parent)
    measure_anew()
    for place, journal in enumerate(job.journals):
        journal.hand_over(partial(_send_entry, connection, place))
    status = ExitStatus.OK
    try:
        with job.opened(number) as do:
            _do_units(job, do, connection)
    except KeyboardInterrupt:
        status = ExitStatus.INTERRUPTED
    except Exception as error:  # noqa: BLE001 - it rises again in the parent
        connection.send(failure_of(error))
    end_profile()
    raise SystemExit(int(status))


def _send_entry(connection: Connection, journal: int, key: str, line: bytes) -> None:
    connection.send(_Entry(journal, key, line))


def _do_units(job: _Job[Unit, Result], do: Callable[[Unit], Result], connection: Connection) -> None:
    while (order := _next_order(connection)) is not None:
        for written in order.news:
            job.journals[written.journal].learn(written.key, written.place)
        require_space(job.results)
        connection.send(_Done(order.unit, do(job.units[order.unit])))


def _next_order(connection: Connection) -> _Order | None:
    with timed(WAITING):
        order: _Order | None = connection.recv()
    return order


def _end_with(parent: int) -> None:
    """End with the parent, whatever ends it; leave Ctrl-C to it, which asks by SIGTERM.

    No signal is ignored but by a handler: what is ignored stays so in the programs that a process starts.
    """
    end_with_parent(parent)
    signal.signal(signal.SIGINT, _go_on)
    signal.signal(signal.SIGTERM, _interrupt_once)


def _interrupt_once(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, _go_on)
    raise KeyboardInterrupt


def _go_on(number: int, frame: FrameType | None) -> None:
    pass
