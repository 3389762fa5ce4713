"""Isolated commits: kept ones that no pair within the time gap can need, so that building them would be waste.

What a pair can need depends on the pairing; there is one small function for each.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence

from testevo.config.rules import PairRules
from testevo.history.commit_gap import CLOCKS, SECONDS_PER_HOUR, within_gap
from testevo.history.pairs import first_parent_pairs
from testevo.records.repository import Commit, CommitRejection


def mark_isolated(commits: Sequence[Commit], rules: PairRules) -> list[Commit]:
    """The walk again, with the kept commits marked that no pair within the gap can need; none without a limit."""
    if rules.gap_hours is None:
        return list(commits)
    needed = NEEDED[rules.pairing](commits, rules)
    return [
        commit
        if commit.rejection is not None or commit.revision in needed
        else commit.model_copy(update={"rejection": CommitRejection.ISOLATED})
        for commit in commits
    ]


def _by_first_parent_pairs(commits: Sequence[Commit], rules: PairRules) -> set[str]:
    """The ends of the pairs within the gap with other Java files: which those are is known before anything is built."""
    pairs = [
        (old, new)
        for old, new in first_parent_pairs(commits)
        if within_gap(old, new, rules) and old.java_tree != new.java_tree
    ]
    return {end.revision for pair in pairs for end in pair}


def _by_neighbours(commits: Sequence[Commit], rules: PairRules) -> set[str]:
    """Commits with another kept one within the limit, on either side: any two can turn out to be neighbours.

    One that stands between two others which are within the limit of each other (clocks that run backwards) is no end
    itself, but when it is usable it keeps those two from being neighbours; so it is needed too.
    """
    kept = [commit for commit in commits if commit.rejection is None]
    times = [CLOCKS[rules.gap_clock](commit) for commit in kept]
    limit = (rules.gap_hours or 0) * SECONDS_PER_HOUR
    by_time = sorted(range(len(kept)), key=times.__getitem__)
    ordered = [times[place] for place in by_time]
    needed = set()
    farthest = -1  # the last place within the limit of one before
    for place, commit in enumerate(kept):
        near = by_time[bisect_left(ordered, times[place] - limit) : bisect_right(ordered, times[place] + limit)]
        if len(near) > 1 or place < farthest:
            needed.add(commit.revision)
        farthest = max(farthest, *near)
    return needed


NEEDED: Mapping[str, Callable[[Sequence[Commit], PairRules], set[str]]] = {
    "first_parent_adjacent": _by_first_parent_pairs,
    "surviving_neighbours": _by_neighbours,
}
