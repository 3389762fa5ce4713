"""Where the time of a stage goes is summed by kind of work, over all of its processes."""

import subprocess
import sys
from pathlib import Path

import pytest

from testevo.runtime.stopwatch import REST, read_profile

PROGRAM = """
import sys, time
from pathlib import Path
from testevo.runtime.stopwatch import start_profile, timed

start_profile(Path(sys.argv[1]))

@timed("inner")
def inner():
    time.sleep(0.2)

with timed("outer"):
    inner()
    inner()
if sys.argv[2] == "fails":
    raise SystemExit(3)
"""


def run(profile: Path, end: str = "ends") -> int:
    return subprocess.run([sys.executable, "-c", PROGRAM, str(profile), end], check=False).returncode


def test_each_moment_is_counted_once_under_the_innermost_work(tmp_path: Path) -> None:
    run(tmp_path / "profile.jsonl")
    profile = read_profile(tmp_path / "profile.jsonl")
    assert profile is not None
    assert {name: work.times for name, work in profile.work.items()} == {REST: 0, "inner": 2, "outer": 1}
    assert profile.work["inner"].seconds >= 0.4
    assert sum(work.seconds for work in profile.work.values()) == pytest.approx(profile.wall, abs=0.01)


def test_processes_add_their_sums_also_when_they_fail(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "profile.jsonl"
    assert run(file) == 0
    assert run(file, "fails") == 3
    profile = read_profile(file)
    assert profile is not None
    assert (profile.processes, profile.work["inner"].times) == (2, 4)


def test_a_stage_that_has_not_run_has_no_profile(tmp_path: Path) -> None:
    assert read_profile(tmp_path / "none.jsonl") is None
