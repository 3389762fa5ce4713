"""The gap between the ends of a pair (TEB-X12)."""

import pytest

from testevo.config.rules import PairRules
from testevo.history.commit_gap import pair_within_gap
from testevo.records.changes import CommitPair, PairRelation


def pair(committer_gap: int, author_gap: int = 0) -> CommitPair:
    return CommitPair(
        repository="o/n",
        old_revision="a",
        new_revision="b",
        committer_gap=committer_gap,
        author_gap=author_gap,
        relation=PairRelation.PARENT_CHILD,
        position=0,
    )


@pytest.mark.parametrize(
    ("gap", "hours", "inside"),
    [(0, 12.0, True), (43200, 12.0, True), (43201, 12.0, False), (-1, 12.0, False), (-1, None, True)],
)
def test_the_gap_is_neither_negative_nor_too_long(gap: int, hours: float | None, inside: bool) -> None:
    """0 ≤ time between the ends ≤ limit; no limit, no filter."""
    assert pair_within_gap(pair(gap), PairRules(gap_hours=hours)) is inside


def test_the_gap_is_read_from_the_configured_clock() -> None:
    moved = pair(60, author_gap=10**6)
    assert pair_within_gap(moved, PairRules(gap_clock="committer"))
    assert not pair_within_gap(moved, PairRules(gap_clock="author"))
