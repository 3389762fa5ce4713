"""triple_execute: prove by execution what each test change does.

Reads pairs, changes and call maps; joins and links each nominated test, runs old/new test on old/new code, and writes
`Execution` and `Label` records, and the pairs and changes of joined ends (TEB-X01 to X07, X12 to X15).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from stage import Stage, stage_arguments

from testevo.evolution.candidates import CandidateReader
from testevo.evolution.changes import Changes
from testevo.evolution.revision import Revisions
from testevo.evolution.suite_runs import SuiteRuns
from testevo.evolution.workspace import Workspace
from testevo.execution.journal import Journal
from testevo.execution.triples import TripleRunner
from testevo.ground.handler import run_main
from testevo.ground.progress import followed
from testevo.labels.candidate import CandidateFacts
from testevo.labels.join import JoinedCandidate, join_candidates
from testevo.labels.judge import judge, needs_runs
from testevo.records.base import read_records, write_records
from testevo.records.calls import CallMap
from testevo.records.changes import CommitPair, MethodChange
from testevo.records.executions import Execution
from testevo.records.labels import Label
from testevo.records.repository import Commit
from testevo.records.verdicts import SuiteVerdict


@dataclass
class Results:
    """What the stage writes."""

    executions: list[Execution] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    joined_pairs: dict[tuple[str, str], CommitPair] = field(default_factory=dict)
    joined_changes: dict[tuple[str, str], list[MethodChange]] = field(default_factory=dict)


def main() -> None:
    stage = stage_arguments(__doc__)
    pairs = stage.joinable_pairs()
    results = execute(stage, pairs) if pairs else Results()
    files = stage.files
    write_records(files.executions, results.executions)
    write_records(files.joined_pairs, results.joined_pairs.values())
    write_records(files.joined_changes, (one for changes in results.joined_changes.values() for one in changes))
    write_records(files.first_labels, results.labels)


def execute(stage: Stage, pairs: Sequence[CommitPair]) -> Results:
    files, rules, results = stage.files, stage.rules, Results()
    calls = {(one.revision, one.test): one for one in read_records(files.calls, CallMap)}
    commits = {commit.revision: commit for commit in read_records(files.commits, Commit)}
    with (
        Workspace(stage.repository, files.bundle, stage.config, files.scratch) as workspace,
        Journal(files.journal("triple_execute")) as journal,
        Journal(files.journal("changes")) as changes_journal,
    ):
        revisions = Revisions(workspace)
        changes = Changes(revisions, changes_journal)
        reader = CandidateReader(revisions, changes, calls, commits, rules)
        suites = SuiteRuns(read_records(files.suites, SuiteVerdict))
        runner = TripleRunner(workspace.engine, workspace.runner, rules.swap, files.runs.parent, journal)
        candidates = join_candidates(pairs, stage.changes_of_pairs(), calls, rules.pairs, rules.changes)
        for candidate in followed(candidates, files.progress("triple_execute"), "candidates executed"):
            facts = reader.facts(candidate)
            executions = run_and_repeat(facts, reader, runner, suites, stage)
            results.executions += executions
            results.labels.append(judge(facts, {one.combination: one for one in executions}, None, rules))
            if candidate.joined:
                note_joined(candidate, reader, changes, results)
    return results


def run_and_repeat(
    facts: CandidateFacts, reader: CandidateReader, runner: TripleRunner, suites: SuiteRuns, stage: Stage
) -> list[Execution]:
    """All applicable runs, repeated when the candidate would be kept; none when a filter has already decided."""
    if not needs_runs(facts, stage.rules):
        return []
    known = suites.executions(facts)
    if known is not None:
        return known
    candidate = reader.runnable(facts)
    executions = runner.run(candidate)
    label = judge(facts, {one.combination: one for one in executions}, None, stage.rules)
    kept = label.reason is None
    return runner.repeat(candidate, executions, stage.config.execution.repeats) if kept else executions


def note_joined(candidate: JoinedCandidate, reader: CandidateReader, changes: Changes, results: Results) -> None:
    ends = (candidate.old_revision, candidate.new_revision)
    results.joined_pairs.setdefault(ends, reader.pair_of(candidate))
    results.joined_changes.setdefault(ends, changes.between(*ends))


if __name__ == "__main__":
    run_main(main)
