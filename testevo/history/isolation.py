"""Isolated commits: kept ones that no pair within the time gap can need, so that building them would be waste.

What a pair can need depends on the pairing; there is one small function for each.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence

from testevo.config.rules import PairRules
from testevo.history.commit_gap import CLOCKS, within_gap
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
    """The ends of the pairs within the gap: which pairs there are is known before anything is built."""
    pairs = [(old, new) for old, new in first_parent_pairs(commits) if within_gap(old, new, rules)]
    return {end.revision for pair in pairs for end in pair}


def _by_neighbours(commits: Sequence[Commit], rules: PairRules) -> set[str]:
    """Commits with another kept one within the limit, on either side: any two can turn out to be neighbours.

    One that stands between two others which are within the limit of each other (clocks that run backwards) is no end
    itself, but when it is usable it keeps those two from being neighbours; so it is needed too.
    """
    kept = [commit for commit in commits if commit.rejection is None]
    times = [CLOCKS[rules.gap_clock](commit) for commit in kept]
    limit = (rules.gap_hours or 0) * 3600
    return {
        commit.revision
        for place, commit in enumerate(kept)
        if _near([times[place]], times[:place] + times[place + 1 :], limit)
        or _near(times[:place], times[place + 1 :], limit)
    }


def _near(times: Sequence[int], others: Sequence[int], limit: float) -> bool:
    """Whether some time lies within the limit of some other one."""
    ordered = sorted(others)
    places = ((time, bisect_left(ordered, time - limit)) for time in times)
    return any(place < len(ordered) and ordered[place] <= time + limit for time, place in places)


NEEDED: Mapping[str, Callable[[Sequence[Commit], PairRules], set[str]]] = {
    "first_parent_adjacent": _by_first_parent_pairs,
    "surviving_neighbours": _by_neighbours,
}
