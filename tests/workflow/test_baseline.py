"""A repository whose newest commits do not build is not tried commit by commit, however its work is cut (TEB-M08)."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from histories import POM, git_folder
from snapshots import Snapshot, warm_cache

from testevo.records.base import read_records
from testevo.records.repository import Commit
from testevo.records.verdicts import BuildOutcome, BuildVerdict, SuiteOutcome, SuiteVerdict

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("bad histories")]

GOOD = {"pom.xml": POM}
TOO_NEW = {"pom.xml": POM.replace(">8<", ">99<")}
"""No JDK compiles this level, which is known without running Maven."""
COUNT = 3


def mined(folder: Path, shared_cache: Path, trees: list[dict[str, str]], *more: str, **sections: Any) -> Snapshot:
    history = git_folder(folder / "history", trees) if not (folder / "history").exists() else folder / "history"
    sources = {"repositories": [{"name": "some/thing", "address": str(history)}]}
    cache = folder / "cache"
    sections["build"] = {"baseline_commits": COUNT, **sections.get("build", {})}
    snapshot = Snapshot.made(
        folder,
        cache if cache.exists() else warm_cache(shared_cache, cache),
        sources,
        rules={"walk": {"collapse": "none"}},
        **sections,
    )
    finished = snapshot.run(snapshot.workflow("results/small/build_check/some+thing/builds.jsonl", *more, cores=2))
    assert finished.returncode == 0, finished.stdout[-3000:] + finished.stderr[-3000:]
    return snapshot


def outcomes(snapshot: Snapshot) -> list[BuildOutcome]:
    """Of the kept commits, newest first."""
    files = snapshot.files("some+thing")
    builds = {one.revision: one for one in read_records(files.builds, BuildVerdict)}
    kept = [commit for commit in read_records(files.commits, Commit) if commit.rejection is None]
    return [builds[commit.revision].outcome for commit in kept]


def test_behind_a_shut_gate_no_commit_is_tried_however_the_work_is_cut(tmp_path: Path, shared_cache: Path) -> None:
    """Equal bytes from one job and from shards; each record says why and how to have all tried."""
    trees = [GOOD] * 4 + [TOO_NEW] * COUNT
    whole = mined(tmp_path / "whole", shared_cache, trees)
    refused = [BuildOutcome.LEVEL_UNSUPPORTED] * COUNT
    assert outcomes(whole) == [*refused, *[BuildOutcome.NOT_TRIED] * 4]
    files = whole.files("some+thing")
    reasons = [one.reason for one in read_records(files.builds, BuildVerdict) if one.outcome is BuildOutcome.NOT_TRIED]
    assert all("none of the 3 newest kept commits builds" in one for one in reasons)
    assert all("level_unsupported" in one and "build.baseline_commits: 0" in one for one in reasons)
    assert {one.outcome for one in read_records(files.suites, SuiteVerdict)} == {SuiteOutcome.NOT_RUN}

    cut = mined(tmp_path / "cut", shared_cache, trees, machine={"shard_minutes": 0.01, "processes": 2})
    assert len(list(cut.layout.root.glob("shards/build_check/some+thing@*.json"))) > 1
    for name in ("builds", "suites"):
        assert (cut.layout.root / "build_check/some+thing" / f"{name}.jsonl").read_bytes() == (
            whole.layout.root / "build_check/some+thing" / f"{name}.jsonl"
        ).read_bytes()


def test_one_commit_that_builds_opens_the_gate_and_so_does_the_configuration(
    tmp_path: Path, shared_cache: Path
) -> None:
    """Asked for all of them, the finished ones are not built again."""
    trees = [GOOD, GOOD, *[TOO_NEW] * COUNT]
    shut = mined(tmp_path, shared_cache, trees)
    assert Counter(outcomes(shut))[BuildOutcome.NOT_TRIED] == 2
    tried = shut.journal_keys("build_check")
    assert len(tried) == COUNT
    asked = mined(tmp_path, shared_cache, trees, build={"baseline_commits": 0})
    assert outcomes(asked) == [*[BuildOutcome.LEVEL_UNSUPPORTED] * COUNT, BuildOutcome.BUILT, BuildOutcome.BUILT]
    assert set(tried) < set(asked.journal_keys("build_check"))
    assert len(set(asked.journal_keys("build_check"))) == len(asked.journal_keys("build_check"))
    wider = mined(tmp_path, shared_cache, trees, build={"baseline_commits": COUNT + 1})
    assert outcomes(wider) == outcomes(asked)
