"""What `testevo compare-engines` compares, and what the reference takes over from the direct engine."""

import os
from pathlib import Path

import pytest

from testevo.cli.inspecting.compare_engines import contents, require_kept_commits, take_over, unproven
from testevo.config.snapshot.layout import Layout
from testevo.records.base import write_records
from testevo.records.repository import Commit, CommitRejection
from testevo.records.verdicts import BuildOutcome, BuildVerdict, SuiteOutcome, SuiteVerdict
from testevo.runtime.errors import UserError

LONG_AGO = 1_000_000_000


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / "o+r").mkdir(parents=True, exist_ok=True)
        (folder / "o+r" / name).write_text(text)
        os.utime(folder / "o+r" / name, (LONG_AGO, LONG_AGO))


def test_the_clone_of_an_earlier_comparison_is_replaced_and_newer_than_what_was_made_of_it(tmp_path: Path) -> None:
    """Else the reference would keep the commits of the first comparison, or its verdicts about them."""
    source, target, made = tmp_path / "direct", tmp_path / "maven", tmp_path / "builds"
    write(source, commits="six")
    take_over(source, target)
    made.write_text("of six")
    write(source, commits="nine", bundle="b")
    take_over(source, target)
    assert contents(target) == contents(source) and (target / "o+r/commits").read_text() == "nine"
    assert (target / "o+r/commits").stat().st_mtime_ns >= made.stat().st_mtime_ns


def test_an_equal_clone_is_left_alone(tmp_path: Path) -> None:
    write(tmp_path / "direct", commits="six")
    write(tmp_path / "maven", commits="six")
    take_over(tmp_path / "direct", tmp_path / "maven")
    assert (tmp_path / "maven/o+r/commits").stat().st_mtime == LONG_AGO


def test_what_the_direct_engine_has_not_made_goes(tmp_path: Path) -> None:
    write(tmp_path / "maven", pairs="of an earlier comparison")
    take_over(tmp_path / "direct", tmp_path / "maven")
    assert contents(tmp_path / "maven") == {}


def commit(position: int, rejection: CommitRejection | None) -> Commit:
    return Commit(
        repository="o/r",
        position=position,
        revision=f"{position:040d}",
        parents=(),
        author_time=position,
        committer_time=position,
        java_tree="",
        first_parent_line=True,
        rejection=rejection,
    )


def test_a_comparison_of_nothing_says_so(tmp_path: Path) -> None:
    """It printed "equal: 0 of 0 builds", and ended well."""
    files = Layout(tmp_path).of_repository("o+r")
    files.commits.parent.mkdir(parents=True)
    isolated, equal = CommitRejection.ISOLATED, CommitRejection.EQUAL_JAVA
    write_records(files.commits, [commit(0, isolated), commit(1, equal), commit(2, isolated)])
    with pytest.raises(UserError, match=r"none of the 3 commits .*\(2 isolated: .*; 1 equal_java: .*--commits"):
        require_kept_commits(files)
    write_records(files.commits, [commit(0, isolated), commit(1, None)])
    require_kept_commits(files)


def test_what_equals_for_want_of_tests_is_told(tmp_path: Path) -> None:
    """Engines that fail alike are equal, and show nothing."""
    files = Layout(tmp_path).of_repository("o+r")
    files.builds.parent.mkdir(parents=True)
    write_records(
        files.builds,
        [
            BuildVerdict(repository="o/r", revision="0", outcome=BuildOutcome.BUILT, reason=""),
            BuildVerdict(repository="o/r", revision="1", outcome=BuildOutcome.TIMED_OUT, reason="too slow"),
            BuildVerdict(repository="o/r", revision="2", outcome=BuildOutcome.TIMED_OUT, reason="much too slow"),
        ],
    )
    write_records(
        files.suites,
        [
            SuiteVerdict(repository="o/r", revision="0", outcome=SuiteOutcome.CRASHED, reason="Maven failed"),
            SuiteVerdict(repository="o/r", revision="3", outcome=SuiteOutcome.GREEN, reason=""),
        ],
    )
    assert unproven(files) == [
        "build timed_out: 2 commits, the first: too slow",
        "suite crashed: 1 commits, the first: Maven failed",
    ]
