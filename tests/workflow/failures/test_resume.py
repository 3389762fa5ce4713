"""Runs that are killed or interrupted, and go on where they stopped."""

import fcntl
import signal
from pathlib import Path

import pytest
from snapshots import Snapshot, has_lines, nothing_runs, signal_group, wait_until, warm_cache

from testevo.config.snapshot.layout import STAGES

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("mined")]

WORLD, SLUG = "worlds/savings", "worlds+savings"
OUTPUT_OF = {"build_check": "builds", "instrument": "calls", "triple_execute": "executions", "measure_gold": "measured"}
STAGE_OF = {"measure_gold": "package"}


def kill_during(snapshot: Snapshot, stage: str, items: int) -> None:
    """Run the workflow and kill its whole process group once a stage has finished so many items."""
    child = snapshot.start(snapshot.workflow(cores=1))
    wait_until(has_lines(snapshot.files(SLUG).journal(stage), items), child)
    signal_group(child, signal.SIGKILL)


def test_a_run_killed_four_times_ends_like_one_never_killed(
    mined: Snapshot, shared_cache: Path, tmp_path: Path
) -> None:
    """SIGKILL during builds, probing, execution, measuring; the command resumes to equal bytes, and redoes nothing."""
    killed = Snapshot.made(tmp_path, warm_cache(shared_cache, tmp_path / "cache"), {"worlds": ["savings"]})
    for stage, items in (("build_check", 1), ("instrument", 1), ("triple_execute", 3), ("measure_gold", 1)):
        kill_during(killed, stage, items)
        assert not getattr(killed.files(SLUG), OUTPUT_OF[stage]).exists()
        assert nothing_runs(killed), killed.processes()
        check_status(killed, STAGE_OF.get(stage, stage))

    finished = killed.run(killed.workflow(cores=1))
    assert finished.returncode == 0, finished.stdout[-3000:] + finished.stderr[-3000:]
    assert killed.outputs_of(SLUG) == mined.outputs_of(SLUG) != {}
    assert killed.tasks_of(SLUG) == mined.tasks_of(SLUG) != []
    for stage in OUTPUT_OF:
        assert killed.journal_keys(stage, SLUG) == mined.journal_keys(stage, SLUG) != [], stage


def check_status(snapshot: Snapshot, stage: str) -> None:
    """`testevo status` of a killed run: done before the stage, some items done in it, nothing after it."""
    states = snapshot.states()
    place = STAGES.index(stage)
    assert {states[WORLD, before] for before in STAGES[:place]} == {"done"}
    assert " of " in states[WORLD, stage]
    assert {states[WORLD, after] for after in (*STAGES[place + 1 :], "evaluate")} == {"waiting"}


def test_an_interrupted_command_leaves_no_process_and_says_how_to_go_on(shared_cache: Path, tmp_path: Path) -> None:
    """Ctrl-C on `testevo mine`: status 130, the way to resume, no process, no torn line; then it resumes."""
    snapshot = Snapshot.made(tmp_path, warm_cache(shared_cache, tmp_path / "cache"), {"worlds": ["savings"]})
    journal = snapshot.files(SLUG).journal("build_check")
    child = snapshot.start(snapshot.mine())
    wait_until(has_lines(journal, 1), child)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=300)
    assert child.returncode == 130
    assert "run the same command again to resume" in said and "Traceback" not in said
    assert nothing_runs(snapshot), snapshot.processes()
    kept = journal.read_bytes()
    assert kept.endswith(b"\n")

    finished = snapshot.run(snapshot.mine("--retry"))
    assert finished.returncode == 0, finished.stderr
    assert journal.read_bytes().startswith(kept)


def test_two_runs_of_one_snapshot_are_refused(mined: Snapshot) -> None:
    """The second run of a snapshot that is being mined ends with a message, and harms nothing."""
    with (mined.layout.root / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        finished = mined.run(mined.workflow("--forcerun", "package", cores=1))
    assert finished.returncode == 4
    assert "is in use by another process" in finished.stderr and "Traceback" not in finished.stderr
