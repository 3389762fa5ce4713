"""Units done by several processes give what one gives; no kill loses more than what was under way."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import psutil
import pytest

from testevo.execution.journal import Journal
from testevo.records.base import Part
from testevo.runtime.errors import ExitStatus, MachineError, UsageError, UserError
from testevo.runtime.processes.child_failures import UnitError
from testevo.runtime.processes.pool import WorkQueue, results_of
from testevo.runtime.processes.progress import read_progress
from testevo.runtime.stopwatch import read_profile

Unit = TypeVar("Unit")
Result = TypeVar("Result")


class Done(Part):
    unit: int
    text: str = ""


def done(
    tmp_path: Path, units: Sequence[Unit], do: Callable[[Unit], Result], processes: int, *journals: Journal
) -> list[Result]:
    """The results of units that need nothing opened."""

    @contextmanager
    def opened(number: int) -> Iterator[Callable[[Unit], Result]]:
        yield do

    progress = tmp_path / "progress" / "stage.json"
    return results_of(units, opened, processes=processes, progress=progress, what="units done", journals=journals)


def lines_of(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.is_file() else 0


def wait_for(condition: Callable[[], bool]) -> None:
    last = time.monotonic() + 600
    while not condition():
        assert time.monotonic() < last, "it never came true"
        time.sleep(0.005)


@pytest.fixture(autouse=True)
def before() -> set[int]:
    """Processes that other tests keep warm below this one."""
    return {process.pid for process in psutil.Process().children(recursive=True)}


def children(before: set[int]) -> list[psutil.Process]:
    """The processes that the test itself has left behind."""
    return [process for process in psutil.Process().children(recursive=True) if process.pid not in before]


@pytest.mark.parametrize("processes", [1, 2, 3, 9])
def test_results_come_in_the_order_of_the_units(tmp_path: Path, before: set[int], processes: int) -> None:
    """Whatever the order in which units are finished: early ones take longest."""

    def slow_at_first(unit: int) -> int:
        time.sleep((7 - unit) * 0.004)
        return unit * unit

    assert done(tmp_path, range(7), slow_at_first, processes) == [0, 1, 4, 9, 16, 25, 36]
    assert read_progress(tmp_path / "progress" / "stage.json") == ("units done", 7, 7)
    assert not children(before)


@pytest.mark.parametrize("processes", [1, 2])
def test_without_units_nothing_is_opened(tmp_path: Path, processes: int) -> None:
    @contextmanager
    def opened(number: int) -> Iterator[Callable[[int], int]]:
        raise AssertionError("opened")
        yield

    given: list[int] = []
    assert results_of(given, opened, processes=processes, progress=tmp_path / "progress.json", what="units") == []
    assert read_progress(tmp_path / "progress.json") == ("units", 0, 0)


def test_one_process_is_this_one_and_several_are_others(tmp_path: Path) -> None:
    assert set(done(tmp_path, range(3), lambda unit: os.getpid(), 1)) == {os.getpid()}
    others = done(tmp_path, range(6), lambda unit: (time.sleep(0.01), os.getpid())[1], 2)
    assert len(set(others)) == 2 and os.getpid() not in others


def test_neighbours_are_done_by_one_process() -> None:
    """Each process walks a run of neighbours, and takes from the end of another's run when its own is done."""
    queue = WorkQueue(10, 2)
    assert [queue.next(0) for _ in range(5)] == [0, 1, 2, 3, 4]
    assert [queue.next(0), queue.next(1), queue.next(0), queue.next(1)] == [7, 5, 8, 6]
    assert [queue.next(1), queue.next(0), queue.next(1)] == [9, None, None]


@pytest.mark.parametrize(("units", "processes"), [(1, 1), (5, 2), (2, 5), (100, 7)])
def test_every_unit_is_given_away_once(units: int, processes: int) -> None:
    queue = WorkQueue(units, processes)
    given = [queue.next(number % processes) for number in range(units * processes)]
    assert sorted(unit for unit in given if unit is not None) == list(range(units))


def test_what_is_opened_is_closed_in_the_process_that_opened_it(tmp_path: Path) -> None:
    @contextmanager
    def opened(number: int) -> Iterator[Callable[[int], int]]:
        folder = tmp_path / f"{number}-{os.getpid()}"
        folder.mkdir()
        yield lambda unit: number
        folder.rename(folder.with_name(f"closed-{number}-{os.getpid()}"))

    found = results_of(range(4), opened, processes=2, progress=tmp_path / "progress.json", what="units")
    assert set(found) == {0, 1}
    assert sorted(path.name.rpartition("-")[0] for path in tmp_path.glob("*-*")) == ["closed-0", "closed-1"]


@pytest.mark.parametrize("processes", [1, 2])
def test_an_error_of_the_user_comes_through_as_it_is(tmp_path: Path, before: set[int], processes: int) -> None:
    """One clear message and its exit status."""

    def fails(unit: int) -> int:
        if unit == 3:
            raise UsageError("The thing is broken. Fix it.")
        return unit

    with pytest.raises(UserError, match=r"^The thing is broken\. Fix it\.$") as caught:
        done(tmp_path, range(5), fails, processes)
    assert caught.value.status is ExitStatus.USAGE
    assert not children(before)


def test_a_bug_comes_with_the_traceback_of_its_process(tmp_path: Path) -> None:
    def has_a_bug(unit: int) -> int:
        raise KeyError(unit)

    with pytest.raises(UnitError, match=r"(?s)in has_a_bug.*KeyError: "):
        done(tmp_path, range(5), has_a_bug, 2)


def test_a_full_disk_is_the_system_s_error(tmp_path: Path) -> None:
    def full(unit: int) -> int:
        raise OSError(28, "No space left on device", "a/file")

    with pytest.raises(OSError, match="No space left") as caught:
        done(tmp_path, range(5), full, 2)
    assert (caught.value.errno, caught.value.filename) == (28, "a/file")


def test_a_killed_process_is_the_machine_s_fault_and_what_it_put_is_kept(tmp_path: Path, before: set[int]) -> None:
    """As the kernel kills one when memory runs out: a message, no process left, entries of finished units kept."""

    def killed_at_last(unit: int) -> int:
        journal.put(str(unit), {"unit": unit})
        if unit == 2:  # perhaps of the second process, which may be ahead of the first
            wait_for(lambda: all(b'"key":"%d"' % one in (tmp_path / "journal").read_bytes() for one in range(2)))
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.05)
        return unit

    with (
        Journal(tmp_path / "journal") as journal,
        pytest.raises(MachineError, match=r"by SIGKILL .*units done.*machine\.processes"),
    ):
        done(tmp_path, range(6), killed_at_last, 2, journal)
    assert not children(before)
    with Journal(tmp_path / "journal") as journal:
        assert [journal.record(str(unit), Done) for unit in range(3)] == [Done(unit=unit) for unit in range(3)]


def test_what_others_put_before_one_failed_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also an entry that waits unread when the parent hears of the failure of the first process."""

    def fails_or_puts(unit: int) -> int:
        journal.put(str(unit), {"unit": unit})
        if unit == 0:
            wait_for((tmp_path / "put").exists)
            (tmp_path / "failing").touch()
            raise UsageError("The thing is broken. Fix it.")
        (tmp_path / "put").touch()
        time.sleep(600)
        return unit

    with Journal(tmp_path / "journal") as journal:
        write = journal.take

        def slow(key: str, line: bytes) -> object:
            if key == "0":
                wait_for((tmp_path / "failing").exists)
                time.sleep(0.2)  # for the failure to arrive, too
            return write(key, line)

        monkeypatch.setattr(journal, "take", slow)
        with pytest.raises(UserError, match="broken"):
            done(tmp_path, range(2), fails_or_puts, 2, journal)
    with Journal(tmp_path / "journal") as journal:
        assert [journal.record(str(unit), Done) for unit in range(2)] == [Done(unit=unit) for unit in range(2)]


def test_all_processes_are_asked_to_end_at_once(tmp_path: Path) -> None:
    """They close what they opened beside each other: each has begun to close before one has closed."""

    @contextmanager
    def opened(number: int) -> Iterator[Callable[[int], int]]:
        yield partial(work, number)

    def work(number: int, unit: int) -> int:
        (tmp_path / f"begun-{number}").touch()
        if number == 2:
            wait_for(lambda: len(list(tmp_path.glob("begun-*"))) == 3)
            raise UsageError("The thing is broken. Fix it.")
        try:
            time.sleep(600)
        finally:
            (tmp_path / f"closing-{number}").touch()
            wait_for(lambda: len(list(tmp_path.glob("closing-*"))) == 2)
            (tmp_path / f"closed-{number}").touch()
        return unit

    with pytest.raises(UserError, match="broken"):
        results_of(range(3), opened, processes=3, progress=tmp_path / "progress.json", what="units")
    assert {path.name for path in tmp_path.glob("closed-*")} == {"closed-0", "closed-1"}


def test_a_process_that_is_asked_to_end_interrupts_all(tmp_path: Path, before: set[int]) -> None:
    def asked(unit: int) -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        return unit

    with pytest.raises(KeyboardInterrupt):
        done(tmp_path, range(6), asked, 2)
    assert not children(before)


@pytest.mark.parametrize("processes", [1, 2])
def test_entries_of_all_processes_are_in_the_one_journal(tmp_path: Path, processes: int) -> None:
    """The parent alone writes, so that lines are whole and no process locks out another."""

    def noted(unit: int) -> object:
        return journal.remembered(str(unit), Done, lambda: Done(unit=unit, text="x" * 200_000)).unit

    with Journal(tmp_path / "journal") as journal:
        assert done(tmp_path, range(8), noted, processes, journal) == list(range(8))
        assert journal.record("7", Done) is not None
    with Journal(tmp_path / "journal") as journal:
        assert len(journal) == 8


@pytest.mark.parametrize("shared", [True, False])
def test_processes_learn_the_entries_of_a_shared_journal(tmp_path: Path, shared: bool) -> None:
    """An entry that one process put before another begins its unit is known there."""

    def first_or_known(unit: int) -> bool:
        if unit == 0:
            journal.put("key", {"unit": unit})
        elif unit == 1:  # of the first process, which must not take what the second one is to do
            (tmp_path / "begun").touch()
            wait_for((tmp_path / "last").exists)
        elif unit == 3:  # the first of the second process; the next one is given out when the entry was taken
            wait_for(lambda: lines_of(tmp_path / "journal") == 1)
        elif unit == 5:  # the second process must not take unit 1, however slow the first one is
            wait_for((tmp_path / "begun").exists)
            (tmp_path / "last").touch()
        return journal.record("key", Done) is not None

    with Journal(tmp_path / "journal", shared=shared) as journal:
        known = done(tmp_path, range(6), first_or_known, 2, journal)
    assert (known[0], known[1], *known[3:]) == (True, True, False, shared, shared)  # either may have done unit 2


def test_each_process_adds_its_own_line_to_the_profile(tmp_path: Path) -> None:
    script = f"""
        import time
        from contextlib import contextmanager
        from pathlib import Path
        from testevo.runtime.processes.pool import results_of
        from testevo.runtime.stopwatch import start_profile, timed

        @contextmanager
        def opened(number):
            yield work

        def work(unit):
            with timed("work"):
                time.sleep(0.01)

        folder = Path({str(tmp_path)!r})
        start_profile(folder / "profile.jsonl")
        with timed("before"):
            pass
        results_of(range(4), opened, processes=2, progress=folder / "progress.json", what="units")
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True, timeout=60)
    profile = read_profile(tmp_path / "profile.jsonl")
    assert profile is not None and profile.processes == 3
    assert (profile.work["work"].times, profile.work["before"].times) == (4, 1)
    assert profile.work["work"].seconds <= profile.worked <= 3 * profile.wall


STAGE = r"""
import os, subprocess, sys, time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from testevo.execution.journal import Journal
from testevo.records.base import Part
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.pool import results_of
from testevo.runtime.processes.processes import end_with_parent

class Square(Part):
    unit: int
    square: int

folder, limit = Path(sys.argv[1]), int(sys.argv[2])

@contextmanager
def opened(number):
    end = partial(end_with_parent, os.getpid())
    helper = subprocess.Popen(["sleep", "600"], start_new_session=True, preexec_fn=end)
    yield work
    helper.kill()
    helper.wait()

def work(unit):
    def squared():
        while (folder / "journal").read_bytes().count(b"\n") >= limit:
            time.sleep(0.005)
        return Square(unit=unit, square=unit * unit)

    return journal.remembered(str(unit), Square, squared).square

def main():
    global journal
    with Journal(folder / "journal") as journal:
        found = results_of(range(40), opened, processes=2, progress=folder / "progress.json", what="units",
                           journals=[journal])
    (folder / "out").write_text(repr(found))

run_main(main)
"""


def stage(folder: Path, limit: int) -> "subprocess.Popen[bytes]":
    """A stage of 40 units that stands still when its journal has so many entries."""
    (folder / "stage.py").write_text(STAGE)
    command = [sys.executable, str(folder / "stage.py"), str(folder), str(limit)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, preexec_fn=_hear_interrupts)  # noqa: PLW1509 - no threads


def _hear_interrupts() -> None:
    """A shell starts background commands with SIGINT ignored, and Python keeps it so."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_stage_that_is_ended_leaves_no_process_and_resumes(tmp_path: Path, number: signal.Signals) -> None:
    """Three times, at different places, with helpers of helpers; the result is that of a run never ended."""
    for lines in (1, 9, 23):
        child = stage(tmp_path, lines)
        while lines_of(tmp_path / "journal") < lines:
            assert child.poll() is None, child.communicate()
            time.sleep(0.005)
        below = psutil.Process(child.pid).children(recursive=True)
        child.send_signal(number)
        said = child.communicate(timeout=30)[1]
        gone, alive = psutil.wait_procs(below, timeout=20)
        assert len(gone) >= 2 and not alive
        assert b"Traceback" not in said
        assert child.returncode == (-signal.SIGKILL if number is signal.SIGKILL else 130)
        assert not (tmp_path / "out").exists()
    assert stage(tmp_path, 1000).wait(timeout=60) == 0
    assert (tmp_path / "out").read_text() == repr([unit * unit for unit in range(40)])
    assert lines_of(tmp_path / "journal") == 40


def test_a_stage_one_of_whose_processes_is_killed_says_so_and_resumes(tmp_path: Path) -> None:
    """As when memory runs out: status 4, one message, nothing left; the next run ends with the same result."""
    child = stage(tmp_path, 5)
    while lines_of(tmp_path / "journal") < 5:
        assert child.poll() is None, child.communicate()
        time.sleep(0.005)
    below = psutil.Process(child.pid).children(recursive=True)
    next(one for one in below if one.ppid() == child.pid).kill()
    said = child.communicate(timeout=30)[1].decode()
    assert child.returncode == ExitStatus.MACHINE
    assert said.count("error: ") == 1 and "Traceback" not in said and "finished work is kept" in said
    assert not psutil.wait_procs(below, timeout=20)[1]
    assert stage(tmp_path, 1000).wait(timeout=60) == 0
    assert lines_of(tmp_path / "journal") == 40
