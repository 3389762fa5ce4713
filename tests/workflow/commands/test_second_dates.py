"""Two dates of one growing history: the later one costs what is new, the earlier one regenerates, the diff is right.

An embedded history always; with `TESTEVO_MIRROR` (`<folder>/{owner}+{name}/repo`) sixty commits of a real one.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml
from snapshots import CONSENT, LONGEST_RUN, PROJECT, Snapshot, command_line, warm_cache

from testevo.cli.inspecting.profile import profiles, times
from testevo.config.snapshot.layout import Layout
from testevo.sources.embedded.worlds import load_world, make_world
from testevo.sources.git_clone import run_git

MIRROR = os.environ.get("TESTEVO_MIRROR")
FIRST, SECOND = "2025-02-01", "2025-03-01"
BRANCH = "refs/heads/main"
pytestmark = [pytest.mark.maven, pytest.mark.long]


@dataclass(frozen=True)
class Growth:
    """A clone, and where its main line stood at two dates: so many commits before its end."""

    origin: Path
    first: int
    second: int
    build: Mapping[str, object] = field(default_factory=dict)
    """Overrides."""

    def revision(self, before_end: int) -> str:
        return git(self.origin, "rev-parse", f"HEAD~{before_end}")

    def commits(self, before_end: int) -> int:
        return int(git(self.origin, "rev-list", "--count", "--first-parent", f"HEAD~{before_end}"))


def git(folder: Path, *arguments: str) -> str:
    return run_git([*arguments], repository=folder)[1].decode().strip()


def series_of(growth: Growth, folder: Path, cache: Path, clone: Path) -> Snapshot:
    """A folder whose `base.yaml` a series begins with."""
    given = {
        "sources": {"repositories": [{"name": "o/grows", "address": str(clone), "overrides": {**growth.build}}]},
        "rules": {"walk": {"start": "default_branch"}},
        "build": {"cache": str(cache)},
        "execution": {"method_seconds": 20, "sandbox": CONSENT},
        "evaluation": {"gold_runs": 1, "mutation": {"enabled": False}},
    }
    folder.mkdir()
    (folder / "base.yaml").write_text(yaml.safe_dump(given))
    return Snapshot(folder)


def said(series: Snapshot, *words: str) -> str:
    finished = series.run(command_line("snapshot", *words), seconds=4 * LONGEST_RUN)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def worked(series: Snapshot, date: str, what: str) -> int:
    """How often a snapshot did something, such as starting a test JVM."""
    return sum(times(one.profile, what) for one in profiles(Layout(series.folder / "results" / date)))


def tasks_of(series: Snapshot, date: str) -> set[tuple[str, str]]:
    """Ids and tracks of a dataset, read without our records."""
    folder = series.folder / "results" / date / "package" / "dataset" / "tasks"
    lines = [line for file in sorted(folder.glob("*.jsonl")) for line in file.read_text().splitlines()]
    return {(one["task_id"], one["track"]) for one in map(json.loads, lines)}


def sealed(series: Snapshot, date: str) -> str:
    return (series.folder / "config" / "snapshots" / f"{date}.lock" / "dataset.sha256").read_text()


def check_two_dates(growth: Growth, tmp_path: Path, caches: tuple[Path, Path]) -> None:
    """Mine both dates as a series, then the later one alone, each with a cache of its own."""
    clone = tmp_path / "grows.git"
    git(tmp_path, "clone", "--quiet", "--bare", str(growth.origin), str(clone))
    git(clone, "symbolic-ref", "HEAD", BRANCH)
    git(clone, "update-ref", BRANCH, growth.revision(growth.first))
    series = series_of(growth, tmp_path / "series", caches[0], clone)
    said(series, "new", FIRST, "--from", "base.yaml")
    git(clone, "update-ref", BRANCH, growth.revision(growth.second))
    said(series, "new", SECOND)
    alone = series_of(growth, tmp_path / "alone", caches[1], clone)
    said(alone, "new", SECOND, "--from", "base.yaml")

    assert sealed(series, SECOND) == sealed(alone, SECOND)
    assert 0 < worked(series, SECOND, "test JVMs") < worked(alone, SECOND, "test JVMs")
    assert worked(series, SECOND, "Maven") < worked(alone, SECOND, "Maven")
    before, after = tasks_of(series, FIRST), tasks_of(series, SECOND)
    rows = [line.split() for line in said(series, "diff", FIRST, SECOND).splitlines()[1:]]
    walks = [f"{growth.commits(ends)} commits" for ends in (growth.first, growth.second)]
    assert {(row[2], row[3].strip("()")) for row in rows if row[:2] == ["task", "new"]} == after - before
    assert {(row[2], row[3].strip("()")) for row in rows if row[:2] == ["task", "lost"]} == before - after
    (repository,) = (" ".join(row) for row in rows if row[0] == "repository")
    assert repository.startswith("repository changed o/grows") and all(walk in repository for walk in walks)
    assert "as it was sealed" in said(series, "regenerate", FIRST)


def test_a_later_date_of_an_embedded_history(tmp_path: Path, shared_cache: Path) -> None:
    folder = PROJECT / "worlds" / "savings"
    origin = make_world(load_world(folder), tmp_path / "savings.git").folder
    caches = (warm_cache(shared_cache, tmp_path / "cache"), warm_cache(shared_cache, tmp_path / "other_cache"))
    check_two_dates(Growth(origin, first=1, second=0), tmp_path, caches)


@pytest.mark.mirror
@pytest.mark.skipif(MIRROR is None, reason="TESTEVO_MIRROR names no clones of real repositories")
def test_a_later_date_of_a_real_history(tmp_path: Path) -> None:
    """The repository and its last commit were drawn by lot.

    Both caches are empty, since Maven is not asked again for what another series has fetched.
    """
    origin = Path(str(MIRROR).format(owner="dialex", name="JColor"))
    level = {"level": "8", "reason": "old commits declare Java 1.6, which JDK 17 does not compile"}
    caches = (tmp_path / "cache", tmp_path / "other_cache")
    check_two_dates(Growth(origin, first=106, second=46, build=level), tmp_path, caches)
