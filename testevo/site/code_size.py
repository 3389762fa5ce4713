"""How large the repositories of a dataset are: Java files and lines, as the paper's Table 5 counts them (TEB-R07).

The stage `aggregate` has no git and so no sizes; a site reads the histories of the dataset anyway.
"""

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from testevo.analysis.reporting.dataset_tables import CodeSize
from testevo.history.bundle import open_bundle
from testevo.history.git import GitRepository
from testevo.packaging.dataset.dataset_folder import DatasetFolder
from testevo.records.tasks import Task


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
