"""The time between two commits, by the configured clock (TEB-X12)."""

from collections.abc import Callable, Mapping

from testevo.config.rules import PairRules
from testevo.records.changes import CommitPair
from testevo.records.repository import Commit

SECONDS_PER_HOUR = 3600
CLOCKS: Mapping[str, Callable[[Commit], int]] = {
    "committer": lambda commit: commit.committer_time,
    "author": lambda commit: commit.author_time,
}


def gap_seconds(old: Commit, new: Commit, rules: PairRules) -> int:
    """Seconds from the old to the new end by the configured clock; negative when the clocks run backwards."""
    clock = CLOCKS[rules.gap_clock]
    return clock(new) - clock(old)


def within_gap(old: Commit, new: Commit, rules: PairRules) -> bool:
    """Whether 0 <= gap <= limit; without a limit the filter is off and backward gaps pass too."""
    return _allowed(gap_seconds(old, new, rules), rules)


def pair_within_gap(pair: CommitPair, rules: PairRules) -> bool:
    """`within_gap` for the recorded ends of a pair."""
    return _allowed(_recorded(pair, rules), rules)


def is_near(pair: CommitPair, rules: PairRules) -> bool:
    """Whether the recorded ends of a pair lie within the gap of each other, in whatever order."""
    return _allowed(abs(_recorded(pair, rules)), rules)


def _recorded(pair: CommitPair, rules: PairRules) -> int:
    return pair.committer_gap if rules.gap_clock == "committer" else pair.author_gap


def _allowed(gap: int, rules: PairRules) -> bool:
    return rules.gap_hours is None or 0 <= gap <= rules.gap_hours * SECONDS_PER_HOUR
