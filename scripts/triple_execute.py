"""triple_execute: prove by execution what each test change does.

Reads pairs, changes and call maps; joins and links each nominated test, runs old/new test on old/new code, and writes
`Execution` and `Label` records, and the pairs and changes of joined ends (TEB-X01 to X07, X12 to X15).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from stage import Stage, run_stage

from testevo.execution.journal import Journal
from testevo.execution.triples import TripleRunner
from testevo.execution.verdicts.log_archive import pack_logs
from testevo.labels.candidate import CandidateFacts
from testevo.labels.join import JoinedCandidate, drawn_negatives, join_candidates
from testevo.labels.judge import judge, needs_runs
from testevo.records.base import each_record, read_records
from testevo.records.changes import CommitPair, MethodChange
from testevo.records.executions import Execution
from testevo.records.labels import DropReason, Label
from testevo.records.repository import Commit
from testevo.records.spool import RecordSpool
from testevo.records.verdicts import SuiteVerdict
from testevo.revisions.candidates import CallMaps, CandidateReader
from testevo.revisions.changes import Changes
from testevo.revisions.recorded_calls import RecordedCalls
from testevo.revisions.revision import Revisions
from testevo.revisions.suites.suite_runs import SuiteRuns


@dataclass(frozen=True)
class Executed:
    """The outcome of one candidate."""

    executions: list[Execution]
    label: Label
    joined: tuple[CommitPair, list[MethodChange]] | None = None
    """Of the first candidate of joined ends: their pair and its changes."""


@dataclass(frozen=True)
class Chosen:
    """Candidates with something more to do."""

    joining: frozenset[JoinedCandidate]
    """Of this job, one for each two revisions that a join brought together: it tells their pair and its changes."""
    repeated: frozenset[JoinedCandidate]
    """Unchanged tests of the repository that run as often as kept candidates, whichever job has them."""


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of all candidates; those of a large repository fit into no memory."""

    executions: RecordSpool
    labels: RecordSpool
    joined_pairs: RecordSpool
    joined_changes: RecordSpool

    def take(self, _: int, one: Executed) -> None:
        self.executions.add(one.executions)
        self.labels.add([one.label])
        if one.joined is not None:
            pair, changes = one.joined
            self.joined_pairs.add([pair])
            self.joined_changes.add(changes)


def main(stage: Stage) -> None:
    pairs = stage.joinable_pairs()
    with spooled(stage.work.scratch) as outcomes:
        if pairs:
            execute(stage, pairs, outcomes)
        if stage.note_shard(len(outcomes.labels)):
            return
        files = stage.files
        outcomes.executions.write(files.executions)
        outcomes.joined_pairs.write(files.joined_pairs)
        outcomes.joined_changes.write(files.joined_changes)
        outcomes.labels.write(files.first_labels)
    pack_logs(stage.work.runs, stage.work.packed_runs)


@contextmanager
def spooled(folder: Path) -> Iterator[Outcomes]:
    """Nothing yet; the records that come are kept in a folder until they are written."""
    with (
        RecordSpool(folder) as executions,
        RecordSpool(folder) as labels,
        RecordSpool(folder) as joined_pairs,
        RecordSpool(folder) as joined_changes,
    ):
        yield Outcomes(executions, labels, joined_pairs, joined_changes)


def execute(stage: Stage, pairs: Sequence[CommitPair], outcomes: Outcomes) -> None:
    calls = RecordedCalls(stage.files.calls)
    joined = join_candidates(pairs, stage.changes_of_pairs(), calls, stage.rules.pairs, stage.rules.changes)
    candidates = stage.share(joined)
    repeated = drawn_negatives(joined, stage.config.execution.repeated_negatives)
    chosen = Chosen(first_of_joined_ends(candidates), repeated)
    # Neighbouring pairs run equal tests in equal trees now and then, so that processes tell each other what they ran.
    with stage.journal(shared=True) as journal, stage.journal("changes") as changes_journal:
        opened = partial(executing, stage, calls, chosen, journal, changes_journal)
        stage.work_off(candidates, opened, outcomes.take, "candidates executed", journal, changes_journal)


def first_of_joined_ends(candidates: Sequence[JoinedCandidate]) -> frozenset[JoinedCandidate]:
    """One candidate for each two revisions that a join brought together."""
    first: dict[tuple[str, str], JoinedCandidate] = {}
    for candidate in candidates:
        if candidate.joined:
            first.setdefault((candidate.old_revision, candidate.new_revision), candidate)
    return frozenset(first.values())


@contextmanager
def executing(
    stage: Stage, calls: CallMaps, chosen: Chosen, journal: Journal, changes_journal: Journal, process: int
) -> Iterator[Callable[[JoinedCandidate], Executed]]:
    """Execute candidates; each process has one."""
    files, rules = stage.files, stage.rules
    with stage.workspace(process) as workspace:
        revisions = Revisions(workspace)
        changes = Changes(revisions, changes_journal)
        commits = {commit.revision: commit for commit in read_records(files.commits, Commit)}
        suites = SuiteRuns(each_record(files.suites, SuiteVerdict))
        reader = CandidateReader(revisions, changes, calls, commits, rules, suites.outcome)
        axes = stage.config.stability.axes
        console = workspace.console if rules.filters.console_launcher else None
        logs = stage.work.runs.parent
        runner = TripleRunner(workspace.engine, workspace.runner, rules.swap, logs, journal, axes, console)

        def executed(candidate: JoinedCandidate) -> Executed:
            facts = reader.facts(candidate)
            known = None if candidate in chosen.repeated else suites.executions(facts)
            executions = run_and_repeat(facts, known, reader, runner, stage)
            label = judge(facts, {one.combination: one for one in executions}, rules)
            if candidate not in chosen.joining:
                return Executed(executions, label)
            ends = (candidate.old_revision, candidate.new_revision)
            return Executed(executions, label, (reader.pair_of(candidate), changes.between(*ends)))

        yield executed


def run_and_repeat(
    facts: CandidateFacts, known: list[Execution] | None, reader: CandidateReader, runner: TripleRunner, stage: Stage
) -> list[Execution]:
    """All applicable runs, repeated when the candidate would be kept; none when a filter has already decided.

    Args:
        facts: the candidate.
        known: executions that suites have made already; None to run.
        reader: reads the sides of the candidate.
        runner: runs it.
        stage: the rules and the number of repeats.
    """
    if not needs_runs(facts, stage.rules):
        return []
    if known is not None:
        return known
    candidate = reader.runnable(facts)
    executions = runner.run(candidate)
    label = judge(facts, {one.combination: one for one in executions}, stage.rules)
    if label.reason is None:
        executions = runner.by_console(candidate, executions)
        label = judge(facts, {one.combination: one for one in executions}, stage.rules)
    kept = label.reason is None or label.reason is DropReason.UNCHANGED
    return runner.repeat(candidate, executions, stage.config.execution.repeats) if kept else executions


if __name__ == "__main__":
    run_stage(
        main,
        __doc__,
        reads=("repository", "commits", "bundle", "builds", "suites", "pairs", "changes", "calls"),
        writes=("executions", "first_labels", "joined_pairs", "joined_changes"),
        is_cut=True,
    )
