"""What `testevo mine --retry` makes the workflow try again (TEB-M14)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import RootModel

from testevo.cli.mining.rejected import unresolved_file
from testevo.config.snapshot.layout import RepositoryFiles
from testevo.execution.journal import Journal
from testevo.labels.reasons.advice import ADVICE
from testevo.records.base import write_records
from testevo.records.verdicts import BuildOutcome, BuildVerdict, SuiteOutcome, SuiteVerdict
from testevo.runtime.files.project import PROJECT

SLUG = "owner+name"
NOT_RESOLVED = {"build": {"outcome": "dependency_unavailable"}, "suite": None}
BUILT = {"build": {"outcome": "built"}, "suite": None}
SUITE = {"job": {}, "verdict": {"outcome": "green"}}


class Entry(RootModel[dict[str, Any]]):
    """An entry of a journal in any form."""


def given(root: Path, journals: Mapping[str, Mapping[str, Any]]) -> RepositoryFiles:
    """A repository with one unresolved build, and with these journals by shard."""
    files = RepositoryFiles(root, SLUG)
    for shard, entries in journals.items():
        with Journal(files.of_shard(shard).journal("build_check")) as journal:
            for key, value in entries.items():
                journal.put(key, value)
    verdict = BuildVerdict(
        repository="owner/name", revision="1" * 40, outcome=BuildOutcome.DEPENDENCY_UNAVAILABLE, reason="unknown"
    )
    write_records(files.builds, [verdict])
    return files


@pytest.mark.parametrize("shard", ["", "2of3"])
def test_a_retry_forgets_what_failed_outside_the_history_and_nothing_else(shard: str, tmp_path: Path) -> None:
    failed = {
        "failed": NOT_RESOLVED,
        "tool": {"build": {"outcome": "build_tool_failed"}, "suite": None},
        "late": {"job": {}, "verdict": {"outcome": "timed_out"}},
        "crashed": {"job": {}, "verdict": {"outcome": "crashed"}},
        "unconfined": {"job": {}, "verdict": {"outcome": "needs_surefire"}},
        "of another version": {"verdict_on_build": "built"},
    }
    files = given(tmp_path, {shard: {**failed, "good": BUILT, "suite": SUITE}})
    assert unresolved_file(files) == [files.builds]
    with Journal(files.of_shard(shard).journal("build_check")) as journal:
        assert [journal.record(key, Entry) for key in failed] == [None] * len(failed)
        assert [journal.record(key, Entry) for key in ("good", "suite")] == [Entry(BUILT), Entry(SUITE)]


def test_the_page_on_builds_names_every_outcome_that_is_asked_again() -> None:
    text = (PROJECT / "docs" / "builds.md").read_text()
    [listed] = [part for part in text.split("\n\n") if part.startswith("`testevo mine --retry` repeats")]
    assert all((f"`{one.value}`" in listed) == (one.possible_fault is not None) for one in BuildOutcome)
    asked_again = [one for one in SuiteOutcome if one.possible_fault]
    assert asked_again == [SuiteOutcome.CRASHED, SuiteOutcome.TIMED_OUT, SuiteOutcome.NEEDS_SUREFIRE]


def test_what_the_advice_tells_to_retry_is_asked_again() -> None:
    for kind in (BuildOutcome, SuiteOutcome):
        told = {one for one, text in ADVICE[kind].items() if "--retry" in text}
        assert told <= {one for one in kind if one.possible_fault}


@pytest.mark.parametrize("outcome", [SuiteOutcome.NEEDS_SUREFIRE, SuiteOutcome.RED])
def test_suites_that_surefire_could_not_run_are_run_again(outcome: SuiteOutcome, tmp_path: Path) -> None:
    files = RepositoryFiles(tmp_path, SLUG)
    write_records(files.builds, [])
    suite = SuiteVerdict(repository="owner/name", revision="1" * 40, outcome=outcome, reason="no sandbox for Surefire")
    write_records(files.suites, [suite])
    assert unresolved_file(files) == ([files.builds] if outcome is SuiteOutcome.NEEDS_SUREFIRE else [])
