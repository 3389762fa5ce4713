"""Which part of a released walk is mined to be compared with released tasks."""

import os
import subprocess
from pathlib import Path

import pytest

from testevo.analysis.paper.fidelity import ComparedTask
from testevo.analysis.paper.fidelity_inputs import ReleasedRepository
from testevo.analysis.paper.fidelity_windows import WalkWindow, configuration, draw_window, in_drawn_order
from testevo.config.load import load_config
from testevo.config.rules import WalkRules
from testevo.history.git import GitRepository
from testevo.records.tasks import Track

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
