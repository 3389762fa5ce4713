"""Pairing: which two commits of a walk are compared.

Every pair that a rule forms is one record, kept or rejected with the first reason that holds.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Protocol

from testevo.config.rules import PairRules
from testevo.history.commit_gap import gap_seconds, within_gap
from testevo.records.changes import CommitPair, PairRejection, PairRelation
from testevo.records.repository import Commit, CommitRejection


class Ancestry(Protocol):
    """The questions that pairing asks of a repository; `GitRepository` answers them."""

    def is_ancestor(self, ancestor: str, revision: str) -> bool:
        """Whether the first is reached from the second through parents."""


Usable = Mapping[str, str | None]
"""Revision → None when usable, else the reason; needs an entry for every kept commit."""

Ends = tuple[Commit, Commit]
"""Old end, new end."""


def pair_commits(commits: Sequence[Commit], usable: Usable, rules: PairRules, ancestry: Ancestry) -> list[CommitPair]:
    """All pairs of one repository's walk, in walk order of their new ends, each kept or rejected.

    `commits` is the whole walk with its rejected commits; those are ends of no pair.
    """
    ordered = sorted(commits, key=lambda commit: commit.position)
    pairs = []
    for old, new in PAIRINGS[rules.pairing](ordered, usable):
        pair = make_pair(old, new, ancestry)
        rejection, detail = _judge(old, new, rules, usable, pair.relation)
        pairs.append(pair.model_copy(update={"rejection": rejection, "detail": detail}))
    return pairs


def make_pair(old: Commit, new: Commit, ancestry: Ancestry, *, joined: bool = False) -> CommitPair:
    """The facts of any two ends, neighbours or joined; nothing is judged."""
    return CommitPair(
        repository=new.repository,
        old_revision=old.revision,
        new_revision=new.revision,
        position=new.position,
        relation=_relation(old, new, ancestry),
        author_gap=new.author_time - old.author_time,
        committer_gap=new.committer_time - old.committer_time,
        joined=joined,
    )


# --- pairing ---------------------------------------------------------------------------------------------------------


def _surviving_neighbours(commits: Sequence[Commit], usable: Usable) -> Iterator[Ends]:
    """Neighbours among the usable kept commits; a pair may span unusable ones."""
    survivors = [commit for commit in commits if commit.rejection is None and usable[commit.revision] is None]
    return ((old, new) for new, old in pairwise(survivors))


def _first_parent_adjacent(commits: Sequence[Commit], usable: Usable) -> Iterator[Ends]:
    """First-parent pairs whether usable or not: a neighbour further down never takes an unusable parent's place."""
    return first_parent_pairs(commits)


def first_parent_pairs(commits: Sequence[Commit]) -> Iterator[Ends]:
    """Each kept commit with its first parent, or with what stands for that parent after collapsing.

    Isolated commits are kept ones whose pairs are all dropped without a build; they are formed, to be counted there.
    """
    by_revision = {commit.revision: commit for commit in commits}
    for new in commits:
        if _is_end(new) and (old := _represented_parent(new, by_revision)) is not None:
            yield old, new


def _is_end(commit: Commit) -> bool:
    return commit.rejection in (None, CommitRejection.ISOLATED)


def _represented_parent(new: Commit, by_revision: Mapping[str, Commit]) -> Commit | None:
    """The first commit down the first-parent line that is kept, or represented by a kept one other than `new`.

    Only commits that `new` itself stands for are stepped over, so no kept or rejected commit is ever skipped.
    """
    parent = by_revision.get(next(iter(new.parents), ""))
    while parent is not None and parent.represented_by == new.revision:
        parent = by_revision.get(next(iter(parent.parents), ""))
    if parent is not None and parent.represented_by is not None:
        parent = by_revision.get(parent.represented_by)
    return parent if parent is not None and _is_end(parent) else None


PAIRINGS: Mapping[str, Callable[[Sequence[Commit], Usable], Iterator[Ends]]] = {
    "surviving_neighbours": _surviving_neighbours,
    "first_parent_adjacent": _first_parent_adjacent,
}


# --- judgement -------------------------------------------------------------------------------------------------------


def _relation(old: Commit, new: Commit, ancestry: Ancestry) -> PairRelation:
    if old.revision in new.parents:
        return PairRelation.PARENT_CHILD
    return PairRelation.ANCESTOR if ancestry.is_ancestor(old.revision, new.revision) else PairRelation.UNRELATED


def _judge(
    old: Commit, new: Commit, rules: PairRules, usable: Usable, relation: PairRelation
) -> tuple[PairRejection | None, str | None]:
    """The first reason against a pair, with a sentence for a person; what is known without building comes first."""
    if not within_gap(old, new, rules):
        hours = gap_seconds(old, new, rules) / 3600
        return (
            PairRejection.OUTSIDE_GAP,
            f"{hours:.2f} hours by {rules.gap_clock} time, the limit is {rules.gap_hours:g}",
        )
    if old.java_tree == new.java_tree:
        return PairRejection.NO_JAVA_CHANGE, None
    if rules.ancestors_only and relation is PairRelation.UNRELATED:
        return PairRejection.NOT_ANCESTOR, None
    for end, commit in (("new", new), ("old", old)):
        if (reason := usable[commit.revision]) is not None:
            return PairRejection.ENDPOINT_UNUSABLE, f"{end} end {commit.revision[:7]}: {reason}"
    return None, None
