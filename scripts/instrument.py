"""instrument: learn which production methods each test calls.

Reads pairs and changes, writes a `CallMap` per test at the new end of its pair, and at the old end where methods
were removed (TEB-M19). With a code-then-test join the old ends of joined pairs are asked too.
"""

from collections.abc import Iterable, Sequence

from stage import Stage, stage_arguments

from testevo.evolution.calls import Calls
from testevo.evolution.changes import Changes
from testevo.evolution.revision import Revisions
from testevo.evolution.workspace import Workspace
from testevo.execution.journal import Journal
from testevo.ground.handler import run_main
from testevo.ground.progress import followed
from testevo.labels.join import join_candidates
from testevo.records.base import write_records
from testevo.records.calls import CallMap
from testevo.records.changes import CommitPair, MethodChange
from testevo.records.methods import ChangeKind, Side


def main() -> None:
    stage = stage_arguments(__doc__)
    pairs = stage.joinable_pairs()
    write_records(stage.files.calls, instrument(stage, pairs) if pairs else [])


def instrument(stage: Stage, pairs: Sequence[CommitPair]) -> Iterable[CallMap]:
    """Both passes: the ends of each pair, then the old ends that the join leads to."""
    changes_of = stage.changes_of_pairs()
    with (
        Workspace(stage.repository, stage.files.bundle, stage.config, stage.files.scratch) as workspace,
        Journal(stage.files.journal("instrument")) as journal,
        Journal(stage.files.journal("changes")) as changes_journal,
    ):
        revisions = Revisions(workspace)
        calls = Calls(revisions, journal)
        history = Changes(revisions, changes_journal)
        compared = followed(changes_of.items(), stage.files.progress("instrument"), "pairs instrumented")
        for (old, new), changes in compared:
            calls.at_ends_of(old, new, changes)
        rules = stage.rules
        for candidate in join_candidates(pairs, changes_of, calls.known, rules.pairs, rules.changes):
            if candidate.joined and candidate.nominated is ChangeKind.MODIFIED:
                between = history.between(candidate.old_revision, candidate.new_revision)
                if removes_production(between):
                    calls.at_old_end(candidate.old_revision, [candidate.test])
        return list(calls.known.values())


def removes_production(changes: Iterable[MethodChange]) -> bool:
    return any(change.side is Side.PRODUCTION and change.kind is ChangeKind.REMOVED for change in changes)


if __name__ == "__main__":
    run_main(main)
