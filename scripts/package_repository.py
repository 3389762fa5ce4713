"""package, one repository: the last filters, then grouping into tasks.

Reads labels, executions and refactoring verdicts, writes final `Label` records, `Task` records (TEB-K01 to K08)
and a bundle with both ends of every task.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from stage import Stage, run_stage

from testevo.history.bundle import open_bundle
from testevo.history.git import GitRepository
from testevo.history.revision_bundle import bundle_of_revisions
from testevo.java.encodings import USUAL, as_built
from testevo.java.splice import method_text
from testevo.java.syntax import parse_java
from testevo.java.tokens import tokens_of
from testevo.labels.judge import with_refactoring
from testevo.packaging.dataset.grouping import RepositoryFacts, group_tasks
from testevo.packaging.start_states.start_state import the_target
from testevo.records.base import each_record, read_records, write_records
from testevo.records.executions import Execution
from testevo.records.labels import Label, LabelKind, RefactoringVerdict
from testevo.records.methods import Span, TestKey
from testevo.records.repository import Commit
from testevo.records.spool import RecordSpool
from testevo.records.tasks import Task
from testevo.records.verdicts import BuildVerdict
from testevo.runtime.files.files import write_atomically

Key = tuple[str, str, TestKey]
"""A candidate: the old revision, the new one, and the test."""
Runs = Mapping[Key, Sequence[Execution]]


def main(stage: Stage) -> None:
    verdicts = {key_of(one): one for one in read_records(stage.files.refactorings, RefactoringVerdict)}
    runs = executions_of(stage, verdicts) if verdicts else {}
    kept = []
    with RecordSpool(stage.work.scratch) as labels:
        for label in final_labels(stage, verdicts, runs):
            labels.add([label])
            if label.reason is None:
                kept.append(label)
        labels.write(stage.files.labels)
    tasks = group_tasks(kept, facts_of(stage, runs)) if kept else []
    write_records(stage.files.tasks, tasks)
    write_atomically(stage.files.task_history, both_ends(stage, tasks) if tasks else b"")


def both_ends(stage: Stage, tasks: Sequence[Task]) -> bytes:
    """A bundle with the files that grading needs."""
    git = open_bundle(stage.files.bundle, stage.work.scratch / "history")
    return bundle_of_revisions(git, (end for task in tasks for end in (task.old_revision, task.new_revision)))


def final_labels(stage: Stage, verdicts: Mapping[Key, RefactoringVerdict], runs: Runs) -> Iterator[Label]:
    """The labels once refactoring detection has had its say, one by one."""
    for label in each_record(stage.files.first_labels, Label):
        key, known = key_of(label), label.label is LabelKind.NONE
        yield label if known else with_refactoring(label, verdicts[key], stage.rules, runs.get(key, ()))


def executions_of(stage: Stage, wanted: Collection[Key]) -> Runs:
    """The executions of some candidates, out of a file that may not fit into memory."""
    found: dict[Key, list[Execution]] = defaultdict(list)
    for execution in each_record(stage.files.executions, Execution):
        if key_of(execution) in wanted:
            found[key_of(execution)].append(execution)
    return found


def key_of(record: Label | RefactoringVerdict | Execution) -> Key:
    return record.old_revision, record.new_revision, record.test


def facts_of(stage: Stage, runs: Runs) -> RepositoryFacts:
    """What grouping the kept labels asks for."""
    git = open_bundle(stage.files.bundle, stage.work.scratch / "history")
    builds = {build.revision: build for build in read_records(stage.files.builds, BuildVerdict)}
    return RepositoryFacts(
        repository=stage.repository,
        commits={commit.revision: commit for commit in read_records(stage.files.commits, Commit)},
        builds=builds,
        outcomes={key: {run.combination: run.outcome for run in of_key} for key, of_key in runs.items()},
        source_of=method_source(git, builds),
        has_file=lambda revision, path: git.read(revision, path) is not None,
        is_ascii=lambda revision, path: (git.read(revision, path) or b"").isascii(),
    )


def method_source(git: GitRepository, builds: Mapping[str, BuildVerdict]) -> Callable[[str, str, Span, TestKey], str]:
    """Reads test methods in the encoding of the build of their revision: their lines, or the method alone where other
    code shares them."""

    def source_of(revision: str, path: str, span: Span, test: TestKey) -> str:
        content = git.read(revision, path)
        if content is None:
            raise ValueError(f"{path} of an accepted label is missing at {revision}")
        content = as_built(content, path, builds.get(revision))
        lines = b"".join(content.splitlines(keepends=True)[span.first_line - 1 : span.last_line])
        method = the_target([one for one in parse_java(content, path, USUAL).methods if one.span == span], test)
        alone = lines if method is None else method_text(content, method)
        return (lines if tokens_of(alone) == tokens_of(lines) else alone).decode()

    return source_of


if __name__ == "__main__":
    run_stage(
        main,
        __doc__,
        reads=("repository", "commits", "bundle", "builds", "executions", "first_labels", "refactorings"),
        writes=("labels", "tasks", "task_history"),
    )
