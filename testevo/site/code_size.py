"""How large the code of a dataset is: files and lines of repositories, tokens of tasks (TEB-R01, TEB-R07).

The stage `aggregate` has no git and so no sizes; a site reads the histories of the dataset anyway.
"""

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.analysis.reporting.dataset_tables import CodeSize
from testevo.history.bundle import open_bundle
from testevo.history.git import GitRepository
from testevo.java.tokens import tokens_of
from testevo.packaging.dataset.dataset_folder import DatasetFolder
from testevo.records.labels import Dependency
from testevo.records.methods import ChangeKind
from testevo.records.tasks import Task, Track


@dataclass(frozen=True)
class MeasuredCode:
    """What the histories of a dataset say of its code."""

    sizes: dict[str, CodeSize]
    """Of each repository that has a task, by name, at the new revision of its newest task."""
    tokens: dict[tuple[str, Track], int]
    """Of the dependency methods of tasks, by id and track; those of nested methods count in both."""


def measure_code(dataset: DatasetFolder, tasks: Sequence[Task]) -> MeasuredCode:
    """Read each history of a dataset once: the sizes of its repositories, and the tokens of the given tasks."""
    newest = newest_revisions(dataset.tasks)
    measured = MeasuredCode({}, {})
    with tempfile.TemporaryDirectory(prefix="testevo-") as scratch:
        for name, (slug, revision) in newest.items():
            git = open_bundle(dataset.bundle(slug), Path(scratch) / slug)
            measured.sizes[name] = code_size(git, revision)
            measured.tokens.update(code_tokens_of(git, [task for task in tasks if task.slug == slug]))
    return measured


def newest_revisions(tasks: Iterable[Task]) -> Mapping[str, tuple[str, str]]:
    """The slug and the newest new revision of each repository, by name."""
    ordered = sorted(tasks, key=lambda one: (one.repository, one.new_time, one.new_revision))
    return {one.repository: (one.slug, one.new_revision) for one in ordered}


def code_size(git: GitRepository, revision: str) -> CodeSize:
    blobs = git.java_blobs(revision)
    contents = git.read_blobs(list(blobs.values()))
    return CodeSize(len(blobs), sum(len(contents[blob].splitlines()) for blob in blobs.values()))


def code_tokens_of(git: GitRepository, tasks: Sequence[Task]) -> dict[tuple[str, Track], int]:
    """The tokens of the dependency methods of tasks of one repository."""
    wanted = [(task, one) for task in tasks for one in task.dependencies]
    files = {revision: git.java_blobs(revision) for revision in {revision_of(task, one) for task, one in wanted}}
    contents = git.read_blobs(sorted({files[revision_of(task, one)][one.path] for task, one in wanted}))
    found = {(task.task_id, task.track): 0 for task in tasks}
    for task, one in wanted:
        lines = contents[files[revision_of(task, one)][one.path]].splitlines()
        source = b"\n".join(lines[one.span.first_line - 1 : one.span.last_line])
        found[task.task_id, task.track] += len(tokens_of(source))
    return found


def revision_of(task: Task, method: Dependency) -> str:
    """Where a dependency method is read: at the new revision, unless that has removed it."""
    return task.old_revision if method.kind is ChangeKind.REMOVED else task.new_revision
