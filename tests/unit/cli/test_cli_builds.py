"""`testevo builds`, and what `status` says of a snapshot without tasks."""

import json
from pathlib import Path

import pytest

from testevo.cli.inspecting.builds import builds
from testevo.cli.inspecting.status import status
from testevo.cli.mined_records import why_few
from testevo.cli.mining.summary import next_lines
from testevo.cli.places import find_dataset, find_place, find_snapshot, require_dataset
from testevo.config.load import load_config
from testevo.config.resolved import read_resolved, write_resolved
from testevo.config.snapshot.layout import Layout
from testevo.records.base import write_records
from testevo.records.methods import TestKey
from testevo.records.repository import Commit, CommitRejection, Repository, SourceKind
from testevo.records.verdicts import BuildOutcome, BuildVerdict, Outcome, SuiteOutcome, SuiteTest, SuiteVerdict
from testevo.runtime.errors import NotFoundError, UsageError, UserError

HASHES = tuple(letter * 40 for letter in "abc")
SAYS = "o/r at bbbbbbb: Maven failed: Unknown packaging: bundle"


def commit(position: int, rejection: CommitRejection | None = None) -> Commit:
    return Commit(
        repository="o/r",
        position=position,
        revision=HASHES[position],
        parents=(),
        author_time=0,
        committer_time=86400 * position,
        java_tree="",
        first_parent_line=True,
        rejection=rejection,
    )


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    """Three commits: a red suite, one that does not build, one that was not tried; no task."""
    given = {
        "snapshot": "o__r",
        "results": str(tmp_path),
        "preset": "released",
        "sources": {"repositories": [{"name": "o/r", "address": "r"}], "worlds": []},
    }
    layout = Layout(tmp_path / "o+r")
    write_resolved(load_config(given), layout.config)
    files = layout.of_repository("o+r")
    write_records(files.repository, [Repository(name="o/r", source=SourceKind.LIST, address="r")])
    write_records(files.commits, [commit(0), commit(1), commit(2, CommitRejection.ISOLATED)])
    failed = BuildVerdict(repository="o/r", revision=HASHES[1], outcome=BuildOutcome.BUILD_TOOL_FAILED, reason=SAYS)
    built = BuildVerdict(repository="o/r", revision=HASHES[0], outcome=BuildOutcome.BUILT, reason="")
    write_records(files.builds, [built, failed])
    key = TestKey(module="", path="DiffTest.java", type_name="p.DiffTest", name="reads")
    tests = (SuiteTest(test=key, outcome=Outcome.EXCEPTION),)
    red = SuiteVerdict(repository="o/r", revision=HASHES[0], outcome=SuiteOutcome.RED, reason="", tests=tests)
    none = SuiteVerdict(repository="o/r", revision=HASHES[1], outcome=SuiteOutcome.NOT_RUN, reason="")
    write_records(files.suites, [red, none])
    layout.dataset.mkdir(parents=True)
    (layout.dataset / "funnel.json").write_text("[]")
    return layout.root


def test_every_commit_is_listed_with_its_reason(snapshot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    builds(snapshot=snapshot)
    heading, first, second, third = capsys.readouterr().out.splitlines()
    assert heading.split()[:4] == ["repository", "commit", "date", "build"]
    assert " ".join(first.split()) == "o/r aaaaaaaaaaaa 1970-01-01 built red red 1 0 1 DiffTest#reads"
    assert " ".join(second.split()) == "o/r bbbbbbbbbbbb 1970-01-02 build_tool_failed not_run build_tool_failed 0 0 0"
    assert " ".join(third.split()) == "o/r cccccccccccc 1970-01-03 left_out isolated 0 0 0"


def test_a_commit_without_a_verdict_so_far_is_waiting(snapshot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As long as the builds are under way, only what the walk left out is `left_out`."""
    Layout(snapshot).of_repository("o+r").builds.unlink()
    builds(snapshot=snapshot, as_json=True)
    assert [one["build"] for one in json.loads(capsys.readouterr().out)] == ["waiting", "waiting", "left_out"]


def test_commits_are_chosen_by_reason_and_repository(snapshot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    builds(snapshot=snapshot, reason="red", repository="o/r", as_json=True)
    assert [one["revision"] for one in json.loads(capsys.readouterr().out)] == [HASHES[0]]
    with pytest.raises(NotFoundError, match="build_tool_failed, isolated, red"):
        builds(snapshot=snapshot, reason="rad")
    with pytest.raises(NotFoundError, match="There are: o/r"):
        builds(snapshot=snapshot, repository="r")


def test_one_commit_tells_all_that_is_known_of_it(snapshot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    builds(snapshot=snapshot, log="bbb")
    assert SAYS in capsys.readouterr().out
    builds(snapshot=snapshot, log=HASHES[0])
    assert "DiffTest#reads: exception" in capsys.readouterr().out
    with pytest.raises(NotFoundError, match="'d' begins 0 of 3 commits"):
        builds(snapshot=snapshot, log="d")


def test_status_and_summary_say_why_there_is_no_task(snapshot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The reasons in order of weight; no advice to look at tasks that are not there."""
    status(snapshot)
    said = capsys.readouterr().out
    layout = Layout(snapshot)
    why = why_few(read_resolved(layout.config), layout)
    assert why and all(line in said for line in why)
    text = "\n".join(why)
    assert text.index("1 of 1 suites red, first by DiffTest#reads") < text.index("1 of 2 commits not built")
    assert SAYS in text and "1 of 3 commits not tried: isolated" in text
    ending = "\n".join(next_lines(layout, layout.dataset, []))
    assert "task show" not in ending and "testevo builds" in ending


def test_status_says_how_many_commits_the_engine_served_and_why_not_the_rest(
    snapshot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Commits that nobody compiled count for neither."""
    layout = Layout(snapshot)
    verdicts = [
        BuildVerdict(repository="o/r", revision=f"{number:040}", outcome=outcome, reason="", fallback=fallback)
        for number, (outcome, fallback) in enumerate(
            [
                (BuildOutcome.BUILT, None),
                (BuildOutcome.TEST_COMPILE_ERROR, "goal antlr4"),
                (BuildOutcome.TIMED_OUT, None),
            ]
            + [(BuildOutcome.BUILT, f"reason {number // 2}") for number in range(12)]
        )
    ]
    write_records(layout.of_repository("o+r").builds, verdicts)
    status(snapshot)
    said = [
        line
        for line in capsys.readouterr().out.splitlines()
        if "Maven:" in line or "other reasons" in line or line.startswith("Engine")
    ]
    assert said == [
        "Engine direct: 1 of 14 commits (7%)",
        *(f"  by Maven: 2 of 14, reason {number}" for number in range(5)),
        "  other reasons: 3 of 14 (`testevo builds`)",
    ]


def test_a_grading_run_stands_for_the_dataset_that_it_was_made_with(tmp_path: Path) -> None:
    dataset = tmp_path / "dataset"
    run = Layout(tmp_path / "run")
    write_resolved(load_config({"snapshot": "run", "evaluation": {"dataset": str(dataset)}}), run.config)
    with pytest.raises(UserError, match=r"dataset, which .*run was graded with, is not there\. Give --dataset"):
        require_dataset(run.root, None)
    dataset.mkdir()
    (dataset / "snapshot.json").write_text("{}")
    assert require_dataset(run.root, None) == dataset


def test_a_place_is_a_snapshot_or_a_dataset_and_said_to_be_neither(snapshot: Path) -> None:
    """Either option takes either folder; what does not hold what is asked for says so."""
    dataset = Layout(snapshot).dataset
    with pytest.raises(UserError, match="no dataset yet"):
        find_dataset(snapshot, None)
    (dataset / "snapshot.json").write_text("{}")
    assert find_place(None, snapshot) == find_snapshot(snapshot) == Layout(snapshot)
    assert find_place(dataset, None) == find_dataset(None, snapshot) == find_dataset(None, dataset) == dataset
    with pytest.raises(UserError, match="is a dataset"):
        find_snapshot(dataset)
    with pytest.raises(UserError, match=r"neither a dataset .* nor a snapshot .*--snapshot"):
        find_place(snapshot.parent, None)
    with pytest.raises(UsageError, match="Give one place"):
        find_place(snapshot, dataset)
    with pytest.raises(UsageError, match="give --dataset FOLDER"):
        require_dataset(None, None)
    assert require_dataset(snapshot, None) == dataset


def test_the_reasons_for_surefire_are_told_once_each(snapshot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = Layout(snapshot).of_repository("o+r")
    reasons = {"a": "late in module b", "b": "late in module b", "c": "own in module c"}
    for fallback, said in (
        (None, ["by Surefire: late in module b", "by Surefire: own in module c"]),
        ("late in module b", ["by Surefire: late in module b", "by Surefire: own in module c"]),
        ("a generator", ["by Maven: a generator", "by Surefire: late in module b", "by Surefire: own in module c"]),
    ):
        build = {"outcome": BuildOutcome.BUILT, "reason": "", "fallback": fallback, "surefire": reasons}
        write_records(files.builds, [BuildVerdict(repository="o/r", revision=HASHES[0], **build)])
        builds(snapshot=snapshot, log=HASHES[0])
        lines = map(str.strip, capsys.readouterr().out.splitlines())
        assert [line for line in lines if line.startswith("by ")] == said
