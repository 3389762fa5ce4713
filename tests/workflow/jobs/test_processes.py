"""One repository worked on by two processes: the bytes of one, after kills of all or of one too."""

import contextlib
import random
import signal
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from snapshots import Snapshot, command_line, has_lines, nothing_runs, one_message, signal_group, wait_until, warm_cache

from testevo.runtime.errors import ExitStatus

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("processes")]

WORLD, SLUG = "ticket-counter", "worlds+ticket-counter"
STAGES = ("build_check", "changes", "instrument", "triple_execute", "refactoring_filter", "measure_gold")
"""Journals of the stages that several processes work on."""
AT_MOST = 2
"""So many entries of a journal, or fewer, are there when a kill comes."""


def snapshot(folder: Path, shared_cache: Path, processes: int) -> Snapshot:
    """Developers' tests meet no mutants: these are work of one process each."""
    sources = {"worlds": [WORLD]}
    evaluation = {"gold_runs": 2, "mutation": {"enabled": False}}
    cache = warm_cache(shared_cache, folder / "cache")
    return Snapshot.made(folder, cache, sources, machine={"processes": processes}, evaluation=evaluation)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory, shared_cache: Path) -> Snapshot:
    """The world mined by one process."""
    made = snapshot(tmp_path_factory.mktemp("alone") / "snapshot", shared_cache, 1)
    finish(made, cores=1)
    return made


def finish(made: Snapshot, cores: int = 2) -> None:
    finished = made.run(made.workflow(cores=cores))
    assert finished.returncode == 0, finished.stdout[-3000:] + finished.stderr[-3000:]


def kept_logs(made: Snapshot) -> set[str]:
    """Names of the files with the output of runs."""
    with zipfile.ZipFile(made.files(SLUG).packed_runs) as logs:
        return set(logs.namelist())


def stage_processes(made: Snapshot) -> list[psutil.Process]:
    """The processes of the stage at work that were forked from its first one; not what these fork to start git."""
    parent_of = {}
    for process in made.processes():
        with contextlib.suppress(psutil.NoSuchProcess):  # ended since it was listed, a zombie included
            if any("/scripts/" in word for word in process.cmdline()):
                parent_of[process.pid] = process.ppid()
    first = {pid for pid, parent in parent_of.items() if parent not in parent_of}
    return [psutil.Process(pid) for pid, parent in parent_of.items() if parent in first]


def test_two_processes_give_the_bytes_of_one(alone: Snapshot, shared_cache: Path, tmp_path: Path) -> None:
    """All outputs, the logs of all runs and what the journals know; no process is left."""
    both = snapshot(tmp_path, shared_cache, 2)
    finish(both)
    assert both.outputs() == alone.outputs()
    assert kept_logs(both) == kept_logs(alone)
    for stage in STAGES:
        assert set(both.journal_keys(stage)) == set(alone.journal_keys(stage)), stage
        assert len(both.journal_keys(stage)) <= 1.1 * len(alone.journal_keys(stage)), stage
    assert nothing_runs(both), both.processes()


def test_a_snapshot_mined_by_one_process_is_finished_for_two(alone: Snapshot) -> None:
    """How many processes there are is not a reason to do anything again."""
    planned = alone.run(alone.workflow("--dry-run", "--config", "machine={processes: 2}", cores=2))
    assert planned.returncode == 0, planned.stderr
    assert "Nothing to be done" in planned.stdout + planned.stderr


def test_killed_at_random_moments_it_ends_like_one_process_never_killed(
    alone: Snapshot, shared_cache: Path, tmp_path: Path
) -> None:
    """SIGKILL of everything, then of one process of the stage at work, in three stages that chance chooses."""
    chance = random.Random(1)
    killed = snapshot(tmp_path, shared_cache, 2)
    places = sorted(chance.sample(range(len(STAGES)), 3))
    for place, kill in zip(places, chance.sample([kill_all, kill_one, kill_all], 3), strict=True):
        journal = killed.files(SLUG).journal(STAGES[place])
        kill(killed, has_lines(journal, chance.randint(1, AT_MOST)))
    finish(killed)
    assert killed.outputs() == alone.outputs()


def kill_all(made: Snapshot, reached: Callable[[], bool]) -> None:
    child = made.start(made.workflow(cores=2))
    wait_until(reached, child)
    signal_group(child, signal.SIGKILL)
    assert nothing_runs(made), made.processes()


def killed_one(made: Snapshot) -> bool:
    """Whether the stage had a process that could be killed: the one that was seen may have ended."""
    with contextlib.suppress(IndexError, psutil.NoSuchProcess):
        stage_processes(made)[-1].kill()
        return True
    return False


def kill_one(made: Snapshot, reached: Callable[[], bool]) -> None:
    """The stage fails with a message, and the other processes end."""
    command = command_line("mine", "--configuration", "snapshot.yaml", "--cores", "2")
    child = made.start(command)
    wait_until(lambda: reached() and killed_one(made), child)
    said, complained = child.communicate(timeout=300)
    message = one_message(subprocess.CompletedProcess(command, child.returncode, said, complained), ExitStatus.MACHINE)
    assert "by SIGKILL" in message and "machine.processes" in message
    assert nothing_runs(made), made.processes()
