"""instrument: learn which production methods each test calls.

Reads pairs and changes, writes a `CallMap` per test at the new end of its pair, and at the old end where methods
were removed, or modified where the rules count those (TEB-M19). With a code-then-test join the old ends of joined
pairs are asked too.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from stage import Stage, run_stage

from testevo.execution.journal import Journal
from testevo.labels.join import JoinedCandidate, join_candidates
from testevo.records.calls import CallMap
from testevo.records.changes import CommitPair, MethodChange
from testevo.records.methods import ChangeKind
from testevo.records.spool import RecordSpool
from testevo.revisions.calls import Calls, PairKey, asking_pairs, old_calls_count
from testevo.revisions.candidates import CallMaps
from testevo.revisions.changes import Changes
from testevo.revisions.recorded_calls import RecordedCalls
from testevo.revisions.revision import Revisions

ChangesOf = Mapping[PairKey, Sequence[MethodChange]]


def main(stage: Stage) -> None:
    pairs = stage.joinable_pairs()
    with RecordSpool(stage.work.scratch) as calls:
        if pairs:
            instrument(stage, pairs, calls)
        if not stage.note_shard(len(calls)):
            calls.write(stage.files.calls)


def instrument(stage: Stage, pairs: Sequence[CommitPair], calls: RecordSpool) -> None:
    """Both passes, revision by revision: what pairs ask of their ends, then the old ends that the join leads to.

    The maps of a revision go to the spool when it is done: those of all fit into no memory.
    """
    changes_of = stage.changes_of_pairs()
    asking = asking_pairs(changes_of, stage.rules.changes)
    with stage.journal() as journal, stage.journal("changes") as changes_journal:
        stage.work_off(
            stage.share(in_walk_order(asking, pairs)),
            partial(at_ends, stage, asking, changes_of, journal),
            lambda _, maps: calls.add(maps),
            "revisions instrumented",
            journal,
        )
        joined = joined_at(stage, pairs, changes_of, calls)
        stage.work_off(
            in_walk_order(joined, pairs),
            partial(at_joined_ends, stage, joined, journal, changes_journal),
            lambda _, maps: calls.add(maps),
            "old ends of joined pairs instrumented",
            journal,
            changes_journal,
        )


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
    stage: Stage, pairs: Sequence[CommitPair], changes_of: ChangesOf, spool: RecordSpool
) -> dict[str, list[JoinedCandidate]]:
    """By old revision the candidates that a join leads there, where their test has no call map yet."""
    if stage.rules.pairs.join == "none":
        return {}
    with readable(spool, stage.work.scratch / "first_calls.jsonl") as calls:
        return missing_at_old_ends(stage, pairs, changes_of, calls)


@contextmanager
def readable(spool: RecordSpool, file: Path) -> Iterator[CallMaps]:
    """The maps that came so far, each read when it is asked for."""
    spool.write(file)
    try:
        yield RecordedCalls(file)
    finally:
        file.unlink()


def missing_at_old_ends(
    stage: Stage, pairs: Sequence[CommitPair], changes_of: ChangesOf, calls: CallMaps
) -> dict[str, list[JoinedCandidate]]:
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
        rules = stage.rules.changes
        yield lambda revision: calls.of_tests(
            revision,
            [
                candidate.test
                for candidate in joined[revision]
                if old_calls_count(history.between(candidate.old_revision, candidate.new_revision), rules)
            ],
        )


if __name__ == "__main__":
    run_stage(
        main, __doc__, reads=("repository", "bundle", "builds", "pairs", "changes"), writes=("calls",), is_cut=True
    )
