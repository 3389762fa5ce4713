"""Which part of a released walk is mined to be compared with released tasks."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from testevo.analysis.paper.fidelity import ComparedTask
from testevo.analysis.paper.fidelity_inputs import ReleasedRepository
from testevo.analysis.paper.fidelity_windows import WalkWindow, configuration, draw_window, in_drawn_order, whole_walk
from testevo.config.load import load_config
from testevo.config.rules import WalkRules
from testevo.history.git import GitRepository
from testevo.records.tasks import Track
from testevo.runtime.files.project import PROJECT

DAY = 86_400
FIRST = 1_577_880_000
"""1 January 2020, noon."""


@pytest.fixture
def history(tmp_path: Path) -> tuple[GitRepository, list[str]]:
    """A line of six commits, one a day, oldest first; the tag v1 is on the last."""
    revisions = []
    for number in range(6):
        date = f"{FIRST + number * DAY} +0000"
        environment = {**os.environ, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "x"], ["tag", "-f", "v1"]):
            command = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words]
            subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
        shown = subprocess.run(["git", "rev-parse", "HEAD"], cwd=tmp_path, check=True, capture_output=True, text=True)
        revisions.append(shown.stdout.strip())
    return GitRepository(tmp_path / ".git"), revisions


def released(new_revision: str, start: str = "v1") -> ReleasedRepository:
    task = ComparedTask(Track.UPDATE, "0" * 40, new_revision, "ATest.java", frozenset({"ATest#x"}))
    return ReleasedRepository("owner/name", start, 11, (task,))


def test_a_window_begins_where_the_walk_did_and_ends_behind_the_new_revision(
    history: tuple[GitRepository, list[str]],
) -> None:
    git, revisions = history
    window = draw_window(released(revisions[3]), git, WalkRules(), seed=1, length=2)
    assert window == WalkWindow("v1", "2020-01-05", 2)


def test_a_walk_whose_start_is_gone_begins_at_the_new_revision(history: tuple[GitRepository, list[str]]) -> None:
    git, revisions = history
    window = draw_window(released(revisions[3], "gone"), git, WalkRules(), seed=1, length=2)
    assert window == WalkWindow(revisions[3], "2020-01-05", 2)
    assert draw_window(released("f" * 40), git, WalkRules(), seed=1, length=2) is None


def test_a_configuration_of_a_window_is_accepted() -> None:
    config = load_config(configuration(released("f" * 40), WalkWindow("v1", "2020-01-05", 16)))
    (listed,) = config.sources.repositories
    assert (listed.name, listed.start, listed.overrides.jdk) == ("owner/name", "v1", 11)
    assert (str(config.rules.walk.cutoff), config.rules.walk.limit) == ("2020-01-05", 16)


def test_the_order_depends_on_the_seed_alone() -> None:
    some = [ReleasedRepository(f"o/{number}", "v1", 8, ()) for number in range(20)]
    assert in_drawn_order(some, 1) == in_drawn_order(some, 1) != in_drawn_order(some, 2)


def test_a_whole_walk_has_the_released_start_or_that_of_the_clone(history: tuple[GitRepository, list[str]]) -> None:
    git, revisions = history
    whole = whole_walk(released(revisions[3]), git)
    assert whole == WalkWindow("v1")
    assert whole_walk(released(revisions[3], "gone"), git) == WalkWindow("HEAD")
    assert configuration(released(revisions[3]), whole)["rules"] == {"walk": {}}


@pytest.mark.parametrize(
    ("options", "start", "expected", "written"),
    [
        ((), "v1", [], 1),
        ((), "gone", ["starts at the drawn task: the clone lacks gone"], 1),
        (("--whole",), "v1", [], 1),
        (("--whole",), "gone", ["starts at the newest commit of the clone: the clone lacks gone"], 1),
    ],
)
def test_the_program_names_each_repository_that_lacks_its_start(
    history: tuple[GitRepository, list[str]],
    tmp_path: Path,
    options: tuple[str, ...],
    start: str,
    expected: list[str],
    written: int,
) -> None:
    _, revisions = history
    row = {"rev1": revisions[2], "rev2": revisions[3], "test_file": "T.java", "test_methods": ["T#x"], "task_id": "1"}
    tracks = {"test_update": [row], "test_generation": []}
    files, clones = tmp_path / "released", tmp_path / "clones"
    files.mkdir()
    clones.mkdir()
    (clones / "o+here").symlink_to(tmp_path)
    for name in ("here", "elsewhere"):
        document = {"github_url": f"https://h/o/{name}", "version": start, "java_version": 8, "tracks": tracks}
        (files / f"{name}.json").write_text(json.dumps(document))
    common = tmp_path / "common.yaml"
    common.write_text("preset: released\n")
    command = [sys.executable, str(PROJECT / "tools/fidelity_windows.py"), *options, "--configuration", str(common)]
    command += ["--released", str(files), "--mirror", f"{clones}/{{owner}}+{{name}}", "--output", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert f"o/elsewhere: left out: no clone at {clones}/o+elsewhere" in done.stderr
    assert all(f"o/here: {text}" in done.stderr for text in expected)
    assert ("o/here" in done.stderr) == bool(expected)
    assert f"{written} configurations written" in done.stderr
    assert len(list((tmp_path / "out").glob("*.yaml"))) == written
    for file in (tmp_path / "out").glob("*.yaml"):
        assert ("cutoff" in file.read_text()) == ("--whole" not in options)
        load_config(yaml.safe_load(file.read_text()))
