"""How far mined tasks agree with released ones, and why some are missing; all data here is made up."""

import json
import subprocess
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from grading_factories import test_key

from testevo.analysis.paper.fidelity import ComparedTask, MinedRepository, agreement
from testevo.analysis.paper.fidelity_inputs import read_snapshot
from testevo.analysis.paper.fidelity_page import page_part, replaced_part
from testevo.config.load import load_config
from testevo.config.resolved import write_resolved
from testevo.config.rules import PairRules
from testevo.config.snapshot.layout import Layout
from testevo.config.snapshot.predecessor import note_tools
from testevo.records.base import read_records, write_records
from testevo.records.changes import CommitPair, PairRejection, PairRelation
from testevo.records.failures import StageFailure
from testevo.records.labels import DropReason, Label, LabelKind
from testevo.records.methods import ChangeKind, TestKind
from testevo.records.repository import Commit, CommitRejection, Repository, RepositoryRejection, SourceKind
from testevo.records.snapshots.fidelity import RepositoryAgreement, TrackAgreement
from testevo.records.tasks import Task, Track
from testevo.records.verdicts import BuildOutcome, BuildVerdict, SuiteOutcome, SuiteVerdict
from testevo.runtime.errors import ExitStatus, UserError
from tests.made_tasks import made_evidence, made_task

PROJECT = Path(__file__).resolve().parents[4]
FILE = "src/test/java/p/ATest.java"
DAY = date(2026, 11, 27)


def rev(letter: str) -> str:
    return letter * 40


def released(old: str, new: str, *names: str, track: Track = Track.UPDATE) -> ComparedTask:
    return ComparedTask(track, rev(old), rev(new), FILE, frozenset(f"ATest#{name}" for name in names))


def task(old: str, new: str, *names: str, track: Track = Track.UPDATE) -> Task:
    made = {"old_revision": rev(old), "new_revision": rev(new), "track": track}
    evidence = tuple(made_evidence(test_key(name)) for name in names)
    return made_task(evidence, task_id=f"o_r-v1__{old}_{new}_{'_'.join(names)}", test_file=FILE, **made)


def commit(letter: str, tree: str = "", rejection: CommitRejection | None = None, same_as: str | None = None) -> Commit:
    return Commit(
        repository="o/r",
        position=ord(letter),
        revision=rev(letter),
        parents=(),
        author_time=0,
        committer_time=0,
        java_tree=tree or letter,
        first_parent_line=True,
        rejection=rejection,
        represented_by=rev(same_as) if same_as else None,
    )


def build(letter: str, outcome: BuildOutcome = BuildOutcome.BUILT) -> BuildVerdict:
    return BuildVerdict(repository="o/r", revision=rev(letter), outcome=outcome, reason="")


def suite(letter: str, outcome: SuiteOutcome = SuiteOutcome.GREEN) -> SuiteVerdict:
    return SuiteVerdict(repository="o/r", revision=rev(letter), outcome=outcome, reason="")


def label(old: str, new: str, name: str, reason: DropReason | None) -> Label:
    return Label(
        repository="o/r",
        old_revision=rev(old),
        new_revision=rev(new),
        test=test_key(name),
        test_kind=TestKind.JUNIT4,
        change=ChangeKind.MODIFIED,
        label=LabelKind.NONE,
        reason=reason,
    )


def compared(theirs: Sequence[ComparedTask], rejection: str | None = None, **records) -> RepositoryAgreement:
    return agreement(theirs, MinedRepository("o/r", rejection, PairRules(), **records), DAY)


def update(found: RepositoryAgreement) -> TrackAgreement:
    return next(one for one in found.tracks if one.track is Track.UPDATE)


def extra(found: TrackAgreement) -> dict[str, int]:
    return {part.reason: part.count for part in found.extra}


def missing(found: RepositoryAgreement) -> dict[str, int]:
    return {part.reason: part.count for part in update(found).missing}


ALL_GOOD = {
    "commits": [commit(letter) for letter in "abcd"],
    "builds": [build(letter) for letter in "abcd"],
    "suites": [suite(letter) for letter in "abcd"],
}


def test_tasks_match_once_and_the_nearest_first() -> None:
    theirs = [released("a", "b", "x", "y"), released("a", "c", "x"), released("b", "d", "x", "y")]
    ours = [task("a", "b", "x", "y"), task("a", "c", "x", "z"), task("c", "d", "y"), task("c", "d", "z")]
    found = update(compared(theirs, tasks=ours, **ALL_GOOD))
    assert (found.exact, found.same_pair, found.other_pair, found.missing) == (1, 1, 1, ())
    assert extra(found) == {"other pairs of the new revision": 1}
    assert (found.released, found.expected, found.mined) == (3, 3, 4)


def test_a_new_revision_with_the_same_java_files_counts() -> None:
    commits = [commit("a"), commit("b", "same"), commit("c", "same", CommitRejection.EQUAL_JAVA, "b")]
    found = update(compared([released("a", "c", "x")], tasks=[task("a", "b", "x")], commits=commits))
    assert (found.other_pair, found.extra) == (1, ())


def test_tasks_of_another_track_do_not_match() -> None:
    theirs = [released("a", "b", "x")]
    found = compared(
        theirs, tasks=[task("a", "b", "x", track=Track.GENERATION)], labels=[label("a", "b", "x", None)], **ALL_GOOD
    )
    assert missing(found) == {"package: other_track_or_pair": 1}
    assert [extra(one) for one in found.tracks] == [{}, {"no task of the new revision": 1}]


def test_an_extra_task_is_told_by_what_is_released_instead() -> None:
    theirs = [released("a", "b", "x"), released("c", "d", "y")]
    ours = [task("a", "b", "z"), task("b", "d", "z"), task("b", "c", "z"), task("b", "c", "x")]
    ours[:3] = [one.model_copy(update={"test_file": "Other.java"}) for one in ours[:3]]
    assert extra(update(compared(theirs, tasks=ours, **ALL_GOOD))) == {
        "no task of the new revision": 1,
        "other pairs of the new revision": 1,
        "other tests of the pair": 1,
        "the same test at another pair": 1,
    }


def test_compiled_commits_are_counted_by_engine() -> None:
    by_maven = build("c").model_copy(update={"fallback": "generated sources"})
    builds = [build("a"), build("b", BuildOutcome.TEST_COMPILE_ERROR), by_maven, build("d", BuildOutcome.TIMED_OUT)]
    served = compared([], commits=ALL_GOOD["commits"], builds=builds).served
    assert {part.reason: part.count for part in served} == {"not certified": 2, "by Maven: generated sources": 1}


def test_a_task_whose_revisions_were_not_walked_is_not_expected() -> None:
    found = update(compared([released("a", "b", "x"), released("y", "z", "x")], **ALL_GOOD))
    assert (found.released, found.expected) == (2, 1)


def test_the_first_reason_in_the_order_of_the_stages_is_given() -> None:
    labels = [label("a", "b", "x", DropReason.NO_DEPENDENCY), label("c", "b", "x", DropReason.UNSTABLE)]
    theirs = [released("a", "b", "x")]
    assert missing(compared(theirs, **ALL_GOOD)) == {"commit_pair: no_pair": 1}
    assert missing(compared(theirs, labels=labels, **ALL_GOOD)) == {"triple_execute: no_dependency": 1}
    red = ALL_GOOD | {"suites": [suite("a", SuiteOutcome.RED), suite("b")], "labels": labels}
    assert missing(compared(theirs, **red)) == {"suite_check: red": 1}
    broken = red | {"builds": [build("a"), build("b", BuildOutcome.TEST_COMPILE_ERROR)]}
    assert missing(compared(theirs, **broken)) == {"build_check: test_compile_error": 1}
    left = broken | {"commits": [commit("a", rejection=CommitRejection.ISOLATED), commit("b")]}
    assert missing(compared(theirs, **left)) == {"clone: isolated": 1}


def test_a_pair_that_was_rejected_or_nominated_nothing_is_the_reason() -> None:
    def pair(new: str, rejection: PairRejection | None) -> CommitPair:
        return CommitPair(
            repository="o/r",
            old_revision=rev("a"),
            new_revision=rev(new),
            position=0,
            relation=PairRelation.PARENT_CHILD,
            author_gap=0,
            committer_gap=0,
            rejection=rejection,
        )

    pairs = [pair("b", PairRejection.OUTSIDE_GAP), pair("c", None)]
    found = compared([released("a", "b", "x"), released("a", "c", "x")], pairs=pairs, **ALL_GOOD)
    assert missing(found) == {"commit_pair: outside_gap": 1, "commit_pair: not_nominated": 1}


def test_everything_was_expected_of_a_repository_that_was_not_walked() -> None:
    found = compared([released("a", "b", "x")], rejection="clone: start_missing")
    assert (update(found).expected, missing(found)) == (1, {"clone: start_missing": 1})


def test_commits_are_counted() -> None:
    found = compared(
        [],
        commits=[commit("a"), commit("b"), commit("c", rejection=CommitRejection.ISOLATED)],
        builds=[build("a"), build("b")],
        suites=[suite("a"), suite("b", SuiteOutcome.RED)],
    )
    assert (found.walked, found.kept, found.built, found.green) == (3, 2, 2, 1)


def test_only_the_part_between_the_markers_changes() -> None:
    page = "before\n<!-- generated: one -->\nold\n<!-- end of one -->\nafter\n"
    assert replaced_part(page, "one", "new\n") == (
        "before\n<!-- generated: one -->\n\nnew\n\n<!-- end of one -->\nafter\n"
    )
    with pytest.raises(UserError, match="<!-- generated: two -->"):
        replaced_part(page, "two", "new")


@pytest.mark.parametrize("name", ["histories", "windows"])
def test_the_tables_of_the_page_are_those_of_its_records(name: str) -> None:
    page = (PROJECT / "docs/fidelity.md").read_text(encoding="utf-8")
    found = read_records(PROJECT / f"docs/fidelity/{name}.jsonl", RepositoryAgreement)
    assert found == sorted(found, key=RepositoryAgreement.sort_key)
    assert replaced_part(page, name, page_part(name, found)) == page


def write_snapshot(folder: Path) -> None:
    write_resolved(load_config({"snapshot": "some", "results": str(folder.parent)}), folder / "config.json")
    bad = RepositoryRejection.SHALLOW
    good = Repository(name="o/r", source=SourceKind.LIST, address="a")
    shallow = Repository(name="o/s", source=SourceKind.LIST, address="b", rejection=bad)
    write_records(folder / "search/repositories.jsonl", [good, shallow.model_copy(update={"rejection": None})])
    write_records(folder / "clone/o+r/repository.jsonl", [good])
    write_records(folder / "clone/o+s/repository.jsonl", [shallow])
    write_records(folder / "clone/o+r/commits.jsonl", ALL_GOOD["commits"])
    write_records(folder / "build_check/o+r/builds.jsonl", ALL_GOOD["builds"])
    write_records(folder / "build_check/o+r/suites.jsonl", ALL_GOOD["suites"])


def write_released(folder: Path, name: str) -> None:
    row = {"rev1": rev("a"), "rev2": rev("b"), "test_file": FILE, "test_methods": ["ATest#secretName"], "task_id": "1"}
    tracks = {"test_update": [row], "test_generation": []}
    document = {"github_url": f"https://example.org/{name}", "version": "v1", "java_version": 8, "tracks": tracks}
    folder.mkdir(exist_ok=True)
    (folder / f"{name.replace('/', '_')}.json").write_text(json.dumps(document))


def script(*arguments: object) -> subprocess.CompletedProcess:
    command = [sys.executable, str(PROJECT / "tools/fidelity.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_the_script_writes_counts_and_no_released_data(tmp_path: Path) -> None:
    write_snapshot(tmp_path / "some")
    for version in ("3.8.7", "3.9.11", "3.9.11"):
        note_tools(Layout(tmp_path / "some"), {"maven": version, "python": "3.11"})
    for name in ("O/r", "o/s", "not/mined"):
        write_released(tmp_path / "released", name)
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "fidelity.md").write_text("# Page\n<!-- generated: some -->\n<!-- end of some -->\nThe end.\n")
    given = ("--snapshot", tmp_path / "some", "--released", tmp_path / "released", "--docs", docs, "--day", DAY)
    done = script(*given)
    assert done.returncode == 0, done.stderr
    found = read_records(docs / "fidelity/some.jsonl", RepositoryAgreement)
    assert [missing(one) for one in found] == [{"commit_pair: not_finished": 1}, {"clone: shallow": 1}]
    assert {(one.maven, one.compared_on) for one in found} == {("3.8.7, 3.9.11", "2026-11-27")}
    page = (docs / "fidelity.md").read_text()
    assert "| clone: shallow | 3.8.7, 3.9.11 | 2026-11-27 |" in page
    assert page.startswith("# Page\n") and page.endswith("The end.\n")
    assert "| clone: shallow | 1 | o/s |" in page
    for text in (page, (docs / "fidelity/some.jsonl").read_text()):
        assert "secretName" not in text and rev("a") not in text
    write_records(docs / "fidelity/some.jsonl", [found[0], RepositoryAgreement(repository="before/this", walked=3)])
    assert script(*given).returncode == 0
    again = read_records(docs / "fidelity/some.jsonl", RepositoryAgreement)
    assert again == [RepositoryAgreement(repository="before/this", walked=3), *found]
    assert "| before/this | 3 |" in (docs / "fidelity.md").read_text()


def test_a_stage_that_failed_is_the_reason_for_what_it_left_empty(tmp_path: Path) -> None:
    write_snapshot(tmp_path / "some")
    files = Layout(tmp_path / "some").of_repository("o+r")
    failure = StageFailure(repository="o/r", stage="commit_pair", error="ValueError", reason="why")
    for rule in ("commit_pair", "instrument"):
        write_records(files.failure(rule), [failure])
    found = next(one for one in read_snapshot(tmp_path / "some") if one.name == "o/r")
    assert missing(agreement([released("a", "b", "x")], found, DAY)) == {"commit_pair: stage_failed": 1}


def test_a_page_without_markers_is_left_alone(tmp_path: Path) -> None:
    write_snapshot(tmp_path / "some")
    write_released(tmp_path / "released", "o/r")
    (tmp_path / "fidelity.md").write_text("# Page\n")
    done = script("--snapshot", tmp_path / "some", "--released", tmp_path / "released", "--docs", tmp_path)
    assert done.returncode == ExitStatus.INPUT
    assert "<!-- generated: some -->" in done.stderr and "Traceback" not in done.stderr
    assert (tmp_path / "fidelity.md").read_text() == "# Page\n"
    assert not (tmp_path / "fidelity").exists()
