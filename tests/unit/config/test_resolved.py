"""What makes a stage run again: its own part of the configuration, and nothing else (TEB-M21)."""

from pathlib import Path
from typing import Any

import pytest

from testevo.config.load import load_config
from testevo.config.model import Selection
from testevo.config.resolved import read_resolved, stage_key, work_key, write_resolved
from testevo.config.snapshot.layout import Layout
from testevo.config.snapshot.predecessor import note_tools, predecessor_of, replaced_tools

ONE = {"name": "a/one", "address": "x"}
TWO = {"name": "b/two", "address": "y"}


def key(stage: str, repository: str, **given: Any) -> str:
    return stage_key(load_config(given), stage, repository)


def test_a_sandbox_is_no_reason_to_mine_again() -> None:
    """What is found is the same in all; grades say in which they came about."""
    for stage, same in (("build_check", True), ("triple_execute", True), ("evaluate", False)):
        assert (key(stage, "") == key(stage, "", execution={"sandbox": "none"})) is same


@pytest.mark.parametrize("setting", [{"repeats": 5}, {"repeated_negatives": 7}])
def test_more_runs_of_candidates_build_no_commit_again(setting: dict[str, int]) -> None:
    for stage, same in (("build_check", True), ("instrument", True), ("measure_gold", True), ("triple_execute", False)):
        assert (key(stage, "") == key(stage, "", execution=setting)) is same, stage


def test_a_further_repository_leaves_the_others_alone() -> None:
    alone = key("build_check", "a/one", sources={"repositories": [ONE]})
    assert key("build_check", "a+one", sources={"repositories": [ONE, TWO]}) == alone


def test_an_override_of_a_repository_concerns_that_repository() -> None:
    overridden = {**ONE, "overrides": {"level": "8"}}
    before, after = ({"repositories": [one, TWO]} for one in (ONE, overridden))
    assert key("build_check", "a/one", sources=before) != key("build_check", "a/one", sources=after)
    assert key("build_check", "b/two", sources=before) == key("build_check", "b/two", sources=after)


@pytest.mark.parametrize(
    ("stage", "concerned"),
    [("clone", False), ("build_check", False), ("commit_pair", True), ("triple_execute", True), ("package", True)],
)
def test_a_filter_concerns_only_the_stages_that_read_it(stage: str, concerned: bool) -> None:
    plain = key(stage, "a/one", sources={"repositories": [ONE]})
    filtered = key(stage, "a/one", sources={"repositories": [ONE]}, rules={"filters": {"moves": False}})
    assert (plain != filtered) is concerned


SELECTED: dict[str, Any] = {
    "tasks": "a*",
    "track": "update",
    "since": "2026-01-01",
    "until": "2026-01-01",
    "active": True,
}


@pytest.mark.parametrize("stage", ["solve", "evaluate", "second_opinion"])
def test_other_tasks_are_graded_again(stage: str) -> None:
    assert SELECTED.keys() == Selection.model_fields.keys()
    for name, value in SELECTED.items():
        assert key(stage, "", evaluation={name: value}) != key(stage, ""), name


@pytest.mark.parametrize("stage", ["measure_gold", "evaluate"])
@pytest.mark.parametrize("setting", [{"build_seconds": 5}, {"coverage": False}, {"mutation": {"enabled": False}}])
def test_what_decides_a_grade_makes_grading_run_again(stage: str, setting: dict[str, Any]) -> None:
    """Otherwise the advice to raise a limit, or to switch coverage off, would change nothing."""
    assert key(stage, "", evaluation=setting) != key(stage, "")


def test_an_edited_world_is_another_world(tmp_path: Any) -> None:
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "world.yaml").write_text("description: first\n")
    sources = {"worlds": ["w"], "worlds_folder": str(tmp_path)}
    before = key("clone", "worlds/w", sources=sources)
    (tmp_path / "w" / "world.yaml").write_text("description: second\n")
    assert key("clone", "worlds/w", sources=sources) != before


def test_a_resolved_configuration_reads_back_and_keeps_its_file_when_equal(tmp_path: Any) -> None:
    config = load_config({"preset": "released", "sources": {"repositories": [ONE]}})
    path = write_resolved(config, tmp_path / "config.json")
    written = path.stat().st_mtime_ns
    assert read_resolved(write_resolved(config, path)) == config
    assert path.stat().st_mtime_ns == written


def work(**given: Any) -> str:
    return work_key(load_config(given), "instrument", "a/one")


def test_work_on_a_revision_counts_also_where_the_walk_is_another_one() -> None:
    """A later snapshot has a later cutoff, start and list of releases; its finished work is that of the earlier one."""
    before = {"sources": {"repositories": [ONE]}}
    walk = {"cutoff": "2026-02-01", "limit": 400, "start": "default_branch"}
    assert work(**before) == work(sources={"repositories": [{**ONE, "start": "v2", "address": "z"}, TWO]})
    assert work(**before) == work(**before, rules={"walk": walk}, build={"baseline_commits": 9})
    assert work(**before) != work(sources={"repositories": [{**ONE, "overrides": {"level": "8"}}]})
    assert work(**before) != work(**before, rules={"changes": {"through_helpers": False}})
    assert work(**before) != work(**before, execution={"method_seconds": 7})


@pytest.mark.parametrize(
    ("own", "earlier", "counts"),
    [
        (["a"], ["a"], True),
        (["b"], ["a"], False),
        (["a"], ["b", "a"], False),
        (["b", "a"], ["b", "a"], False),
        (["a"], [], False),
    ],
)
def test_work_of_other_tools_is_not_taken_over(tmp_path: Any, own: list[str], earlier: list[str], counts: bool) -> None:
    """Also where the tools changed in the middle of a snapshot: nobody can tell which entry is whose."""
    for name, tools in (("later", own), ("earlier", earlier)):
        for one in tools:
            note_tools(Layout(tmp_path / name), {"code": one})
            note_tools(Layout(tmp_path / name), {"code": one})
    config = load_config({"snapshot": "later", "predecessor": "earlier", "results": str(tmp_path)})
    assert predecessor_of(config) == (Layout(tmp_path / "earlier") if counts else None)
    assert predecessor_of(config.model_copy(update={"predecessor": None})) is None


def test_programs_that_were_replaced_since_an_earlier_run_are_named(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    now = {"maven": "3.9.11", "git": "2.39.5", "jdk 25": "25.0.3", "code": "2", "images": {}}
    assert replaced_tools(layout, now) == []
    note_tools(layout, {"maven": "3.8.7", "git": "2.39.5", "code": "1", "images": {}})
    assert replaced_tools(layout, now) == ["maven 3.8.7 (now 3.9.11)"]
    note_tools(layout, now)
    note_tools(layout, {"maven": "3.6.3", "git": None, "code": "1", "images": {}})
    assert replaced_tools(layout, now) == ["maven 3.6.3 (now 3.9.11)", "maven 3.8.7 (now 3.9.11)"]
