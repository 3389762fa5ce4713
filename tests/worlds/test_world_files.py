"""The embedded histories say what they mean: names, references, dates and expectations.

Nothing is mined here; that mining finds what the worlds expect is tested where the pipeline is.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache

import pytest
from world_page import PAGE, WORLDS, all_worlds, page

from testevo.config.rules import PairRules
from testevo.java.syntax import JavaFile, parse_java
from testevo.java.tests import find_tests
from testevo.records.labels import DropReason, LabelKind
from testevo.records.tasks import Track
from testevo.records.verdicts import BuildOutcome, SuiteOutcome
from testevo.sources.embedded.made_history import MadeCommit
from testevo.sources.embedded.world_trees import WorldCommit, world_commits
from testevo.sources.embedded.worlds import ExpectedLabel

ALL = {world.name: world for world in all_worlds()}
LABELLED = sorted(name for name, world in ALL.items() if world.expected)
PRESETS = ("strict", "released")
TRACK_OF = {LabelKind.UPDATE: Track.UPDATE, LabelKind.DISCRIMINATING: Track.GENERATION}
JAVA_TESTS = re.compile(r"(^|/)src/test/java/.*\.java$")


@cache
def commits_of(name: str) -> Mapping[str, MadeCommit]:
    """The commits of a world with whole trees, by id."""
    return {commit.name: commit for commit in world_commits(ALL[name].folder, ALL[name].commits)}


def files_of_tests(commit: MadeCommit) -> dict[str, str]:
    """The file that declares each test of a commit, by `Class#method`."""
    files = {path: parsed(file.content, path) for path, file in commit.tree.items() if JAVA_TESTS.search(path)}
    return {declared.key.short: declared.declared_in_path for declared in find_tests(files)}


@cache
def parsed(source: bytes, path: str) -> JavaFile:
    return parse_java(source, path)


def old_end(label: ExpectedLabel, commits: Mapping[str, MadeCommit]) -> str:
    return label.old or commits[label.new].parents[0]


@pytest.mark.parametrize("name", sorted(ALL))
def test_a_world_is_described_for_both_presets_or_rejected(name: str) -> None:
    world = ALL[name]
    assert world.rejected is not None or sorted(world.expected) == sorted(PRESETS)
    assert len(commits_of(name)) == len(world.commits)


@pytest.mark.parametrize("name", sorted(ALL))
def test_every_commit_is_listed_once_and_changes_something(name: str) -> None:
    """TEB-X12: the story of a world lies in its differences, so none may be empty."""
    world, commits = ALL[name], commits_of(name)
    for commit in world.commits:
        parents = commits[commit.id].parents
        assert not parents or commits[commit.id].tree != commits[parents[0]].tree, commit.id


@pytest.mark.parametrize("name", LABELLED)
@pytest.mark.parametrize("preset", PRESETS)
def test_expected_labels_name_tests_that_exist_at_the_new_end(name: str, preset: str) -> None:
    commits = commits_of(name)
    for label in ALL[name].expected[preset].labels:
        assert label.test in files_of_tests(commits[label.new]), f"{label.test} at {label.new}"


@pytest.mark.parametrize("name", LABELLED)
@pytest.mark.parametrize("preset", PRESETS)
def test_no_expectation_is_told_twice(name: str, preset: str) -> None:
    labels = ALL[name].expected[preset].labels
    assert len({(label.old, label.new, label.test) for label in labels}) == len(labels)


@pytest.mark.parametrize("name", LABELLED)
def test_strict_ends_are_a_first_parent_and_its_child(name: str) -> None:
    commits = commits_of(name)
    for label in ALL[name].expected["strict"].labels:
        assert old_end(label, commits) == commits[label.new].parents[0]


@pytest.mark.parametrize("name", LABELLED)
@pytest.mark.parametrize("preset", PRESETS)
def test_labelled_ends_lie_within_the_gap(name: str, preset: str) -> None:
    """TEB-X12, by committer date."""
    commits = commits_of(name)
    limit = PairRules().gap_hours
    assert limit is not None
    for label in ALL[name].expected[preset].labels:
        gap = commits[label.new].committer_time - commits[old_end(label, commits)].committer_time
        assert DropReason.OUTSIDE_GAP in label.reason or 0 <= gap <= limit * 3600, f"{label.test} at {label.new}"


def test_opening_hours_has_gaps_at_past_and_before_the_limit() -> None:
    """TEB-X12: the world about the limit really stands at its edges."""
    commits: dict[str, WorldCommit] = {commit.id: commit for commit in ALL["opening-hours"].commits}
    gaps = [(commits[f"c{n}"].date - commits[f"c{n - 1}"].date).total_seconds() for n in range(2, len(commits) + 1)]
    assert {12 * 3600, 12 * 3600 + 1} <= set(gaps)
    assert min(gaps) < 0
    assert commits["c8"].date.isoformat() == "2026-01-01T00:00:00+00:00"


@pytest.mark.parametrize("name", LABELLED)
@pytest.mark.parametrize("preset", PRESETS)
def test_task_counts_follow_from_the_labels(name: str, preset: str) -> None:
    """TEB-K04: one task for each pair of ends, test file and track."""
    commits, expected = commits_of(name), ALL[name].expected[preset]
    tasks: dict[Track, set[tuple[str, str, str]]] = defaultdict(set)
    for label in expected.labels:
        if label.label in TRACK_OF:
            path = files_of_tests(commits[label.new])[label.test]
            tasks[TRACK_OF[label.label]].add((old_end(label, commits), label.new, path))
    assert expected.tasks == {track: len(tasks[track]) for track in Track}


def test_together_the_worlds_show_every_label_and_reason_they_are_for() -> None:
    """TEB-X05 to X12, K01 to K03."""
    told = [label for name in LABELLED for preset in PRESETS for label in ALL[name].expected[preset].labels]
    assert {label.label for label in told} == set(LabelKind)
    assert {reason for label in told for reason in label.reason} >= {
        DropReason.TEST_KIND,
        DropReason.NO_DEPENDENCY,
        DropReason.LOST_DEPENDENCY,
        DropReason.HELPER_CHANGED,
        DropReason.TEST_REFACTORED,
        DropReason.CODE_REFACTORED,
        DropReason.MOVED,
        DropReason.UNSTABLE,
        DropReason.NEW_TEST_FAILS,
        DropReason.COLLATERAL_COMPILE_ERROR,
    }


def test_together_the_worlds_fail_to_build_and_run_in_every_way_worth_a_commit() -> None:
    """TEB-M08, M09, M13, M14."""
    expected = [ALL[name].expected[preset] for name in LABELLED for preset in PRESETS]
    builds = {outcome for item in expected for outcome in item.builds.values()}
    suites = {outcome for item in expected for outcome in item.suites.values()}
    elsewhere = {
        BuildOutcome.BUILD_TOOL_FAILED,
        BuildOutcome.ENCODING_UNREAD,
        BuildOutcome.TIMED_OUT,
        BuildOutcome.CHECK_FAILED,
    }
    by_machine = {BuildOutcome.OLDER_JDK_NEEDED, BuildOutcome.NEWER_JDK_NEEDED, BuildOutcome.NOT_TRIED}
    assert builds == set(BuildOutcome) - {BuildOutcome.BUILT} - elsewhere - by_machine
    assert suites == {SuiteOutcome.RED, SuiteOutcome.NO_TESTS, SuiteOutcome.CRASHED}


def test_java_files_stay_small() -> None:
    for path in WORLDS.rglob("*.java"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 80, path


def test_the_page_about_the_worlds_is_up_to_date() -> None:
    """`python tests/worlds/world_page.py` rewrites it."""
    assert PAGE.read_text(encoding="utf-8") == page(list(ALL.values()))
