"""instrument: learn which production methods each test calls.

Reads pairs and changes, writes a `CallMap` per test at the new end of its pair, and at the old end where methods
were removed (TEB-M19). With a code-then-test join the old ends of joined pairs are asked too.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

from stage import Stage, run_stage

from testevo.execution.journal import Journal
from testevo.labels.join import JoinedCandidate, join_candidates
from testevo.records.base import write_records
from testevo.records.calls import CallMap
from testevo.records.changes import CommitPair, MethodChange
from testevo.records.methods import ChangeKind, TestKey
from testevo.revisions.calls import Calls, PairKey, asking_pairs, removes_production
from testevo.revisions.changes import Changes
from testevo.revisions.revision import Revisions

ChangesOf = Mapping[PairKey, Sequence[MethodChange]]
KnownCalls = Mapping[tuple[str, TestKey], CallMap]


def main(stage: Stage) -> None:
    pairs = stage.joinable_pairs()
    calls = instrument(stage, pairs) if pairs else []
    if not stage.ends_as_shard(len(calls)):
        write_records(stage.files.calls, calls)


def instrument(stage: Stage, pairs: Sequence[CommitPair]) -> list[CallMap]:
    """Both passes, revision by revision: what pairs ask of their ends, then the old ends that the join leads to."""
    changes_of = stage.changes_of_pairs()
    asking = asking_pairs(changes_of)
    with stage.journal() as journal, stage.journal("changes") as changes_journal:
        first = stage.results_of(
            stage.share(in_walk_order(asking, pairs)),
            partial(at_ends, stage, asking, changes_of, journal),
            "revisions instrumented",
            journal,
        )
        calls = {(one.revision, one.test): one for maps in first for one in maps}
        joined = joined_at(stage, pairs, changes_of, calls)
        second = stage.results_of(
            in_walk_order(joined, pairs),
            partial(at_joined_ends, stage, joined, journal, changes_journal),
            "old ends of joined pairs instrumented",
            journal,
            changes_journal,
        )
    return [*calls.values(), *(one for maps in second for one in maps)]


def in_walk_order(revisions: Mapping[str, object], pairs: Sequence[CommitPair]) -> list[str]:
    """The revisions as they follow in the walk: neighbours have most files in common."""
    places = dict.fromkeys(end for pair in pairs for end in (pair.new_revision, pair.old_revision))
    return [revision for revision in places if revision in revisions]


@contextmanager
def at_ends(
    stage: Stage, asking: Mapping[str, Sequence[PairKey]], changes_of: ChangesOf, journal: Journal, process: int
) -> Iterator[Callable[[str], list[CallMap]]]:
    """Ask a revision in the first pass; each process has one."""
    with stage.workspace(process) as workspace:
        calls = Calls(Revisions(workspace), journal)
        yield lambda revision: calls.asked_by(revision, asking[revision], changes_of)


def joined_at(
    stage: Stage, pairs: Sequence[CommitPair], changes_of: ChangesOf, calls: KnownCalls
) -> dict[str, list[JoinedCandidate]]:
    """By old revision the candidates that a join leads there, where their test has no call map yet."""
    joined: dict[str, list[JoinedCandidate]] = defaultdict(list)
    for candidate in join_candidates(pairs, changes_of, calls, stage.rules.pairs, stage.rules.changes):
        old_end = candidate.old_revision, candidate.test
        if candidate.joined and candidate.nominated is ChangeKind.MODIFIED and old_end not in calls:
            joined[candidate.old_revision].append(candidate)
    return joined


@contextmanager
def at_joined_ends(
    stage: Stage,
    joined: Mapping[str, Sequence[JoinedCandidate]],
    journal: Journal,
    changes_journal: Journal,
    process: int,
) -> Iterator[Callable[[str], list[CallMap]]]:
    """Ask an old end in the second pass; each process has one."""
    with stage.workspace(process) as workspace:
        revisions = Revisions(workspace)
        calls, history = Calls(revisions, journal), Changes(revisions, changes_journal)
        yield lambda revision: calls.of_tests(
            revision,
            [
                candidate.test
                for candidate in joined[revision]
                if removes_production(history.between(candidate.old_revision, candidate.new_revision))
            ],
        )


if __name__ == "__main__":
    run_stage(
        main, __doc__, reads=("repository", "bundle", "builds", "pairs", "changes"), writes=("calls",), is_cut=True
    )
