"""The baseline gate: which commits are asked first, and what is said of the others (TEB-M08)."""

import pytest

from testevo.labels.baseline import baseline, is_built, not_tried
from testevo.records.repository import Commit
from testevo.records.verdicts import BuildOutcome, BuildVerdict


def commit(number: int) -> Commit:
    return Commit.model_construct(repository="owner/repo", revision=f"{number:040x}", position=number)


def verdict(number: int, outcome: BuildOutcome) -> BuildVerdict:
    return BuildVerdict(repository="owner/repo", revision=f"{number:040x}", outcome=outcome, reason="")


KEPT = [commit(number) for number in range(6)]


@pytest.mark.parametrize(("count", "asked"), [(0, 0), (1, 1), (5, 5), (6, 0), (9, 0)])
def test_the_newest_commits_are_asked_where_there_are_others(count: int, asked: int) -> None:
    """Where all would be asked anyway there is no gate."""
    assert list(baseline(KEPT, count)) == KEPT[:asked]


def test_any_commit_that_builds_opens_the_gate() -> None:
    shut = [verdict(number, BuildOutcome.BUILD_TOOL_FAILED) for number in range(3)]
    assert not is_built(shut)
    assert is_built([*shut, verdict(3, BuildOutcome.BUILT)])


@pytest.mark.parametrize(
    ("count", "says"), [(1, "the newest kept commit does not build"), (3, "none of the 3 newest kept commits builds")]
)
def test_the_record_says_why_and_what_to_do(count: int, says: str) -> None:
    record = not_tried(KEPT[5], [verdict(number, BuildOutcome.TIMED_OUT) for number in range(count)])
    assert (record.outcome, record.revision) == (BuildOutcome.NOT_TRIED, KEPT[5].revision)
    assert says in record.reason and "timed_out" in record.reason and "build.baseline_commits: 0" in record.reason
