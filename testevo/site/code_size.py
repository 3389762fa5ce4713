"""How large the code of a dataset is: files and lines of repositories, tokens of tasks (TEB-R01, TEB-R07).

The stage `aggregate` has no git and so no sizes; a site reads the histories of the dataset anyway.
"""

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from testevo.analysis.reporting.dataset_tables import CodeSize
from testevo.history.bundle import open_bundle
from testevo.history.git import GitRepository
from testevo.java.tokens import tokens_of
from testevo.packaging.dataset.dataset_folder import DatasetFolder
from testevo.records.labels import Dependency
from testevo.records.methods import ChangeKind
from testevo.records.tasks import Task, Track


def code_sizes(dataset: DatasetFolder) -> dict[str, CodeSize]:
    """The size of each repository that has a task, by name, at the new revision of its newest task."""
    newest = newest_revisions(dataset.tasks)
    with tempfile.TemporaryDirectory(prefix="testevo-") as scratch:
        return {
            name: code_size(open_bundle(dataset.bundle(slug), Path(scratch) / slug), revision)
            for name, (slug, revision) in newest.items()
        }


def newest_revisions(tasks: Iterable[Task]) -> Mapping[str, tuple[str, str]]:
    """The slug and the newest new revision of each repository, by name."""
    ordered = sorted(tasks, key=lambda one: (one.repository, one.new_time, one.new_revision))
    return {one.repository: (one.slug, one.new_revision) for one in ordered}


def code_size(git: GitRepository, revision: str) -> CodeSize:
    blobs = git.java_blobs(revision)
    contents = git.read_blobs(list(blobs.values()))
    return CodeSize(len(blobs), sum(len(contents[blob].splitlines()) for blob in blobs.values()))


def code_tokens(dataset: DatasetFolder, tasks: Iterable[Task]) -> dict[tuple[str, Track], int]:
    """The tokens of the dependency methods of tasks, by id and track; those of nested methods count in both."""
    by_slug: dict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        by_slug[task.slug].append(task)
    found: dict[tuple[str, Track], int] = {}
    with tempfile.TemporaryDirectory(prefix="testevo-") as scratch:
        for slug, own in sorted(by_slug.items()):
            found |= code_tokens_of(open_bundle(dataset.bundle(slug), Path(scratch) / slug), own)
    return found


def code_tokens_of(git: GitRepository, tasks: Sequence[Task]) -> dict[tuple[str, Track], int]:
    """The same of tasks of one repository."""
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
