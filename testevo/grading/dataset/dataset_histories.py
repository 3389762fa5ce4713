"""A dataset opened for grading: its tasks, the files of both ends of each, and workspaces to build them in."""

import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from testevo.config.model import Config
from testevo.grading.mutation.mutant_archive import read_archive
from testevo.grading.mutation.mutants import TaskMutants
from testevo.history.bundle import open_bundle
from testevo.history.git import GitRepository
from testevo.packaging.dataset.dataset_folder import REPOSITORIES, DatasetFolder, open_dataset
from testevo.packaging.start_states.start_state import TargetFile, target_file
from testevo.records.repository import Repository
from testevo.records.tasks import Task, surefire_of
from testevo.revisions.workspace import Workspace
from testevo.runtime.errors import UserError
from testevo.runtime.files.files import url_safe_name


class DatasetHistories:
    """The read-only view of a dataset that linting and grading share. Nothing is ever written into its folder.

    Args:
        dataset: folder of the dataset, or what `open_dataset` made of it.
        scratch: where bundles are unpacked; a folder that is kept is used again. Without one, a temporary folder.

    Raises:
        UserError: no dataset, or one of another schema version.
    """

    def __init__(self, dataset: Path | DatasetFolder, scratch: Path | None = None) -> None:
        self.dataset = dataset if isinstance(dataset, DatasetFolder) else open_dataset(dataset)
        self._end = ExitStack()
        self._scratch = scratch or Path(self._end.enter_context(tempfile.TemporaryDirectory(prefix="testevo-")))
        self._opened: dict[str, GitRepository] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._end.close()

    @property
    def tasks(self) -> list[Task]:
        """All tasks of both tracks, quarantined ones included, sorted by id and track."""
        return self.dataset.tasks

    def verify(self, tasks: Iterable[Task]) -> None:
        """Check the files that the start states of tasks are read from, once for each repository.

        Raises:
            UserError: one is missing or differs from the checksums.
        """
        for slug in sorted({task.slug for task in tasks}):
            self.dataset.verify(slug, [])

    def repository(self, name: str) -> Repository:
        """The record of a repository, by `owner/name`.

        Raises:
            UserError: the dataset has none of that name.
        """
        if name not in self.dataset.repositories:
            raise UserError(
                f"{self.dataset.folder / REPOSITORIES} does not name {name}. Fetch or package the dataset again."
            )
        return self.dataset.repositories[name]

    def git(self, name: str) -> GitRepository:
        """Both ends of all tasks of a repository; unpacked once."""
        if name not in self._opened:
            slug = self.repository(name).slug
            self._opened[name] = open_bundle(self.dataset.bundle(slug), self.scratch_of(slug) / "history")
        return self._opened[name]

    def target_of(self, task: Task) -> TargetFile:
        """The target file of a task, at its start and as the developer left it.

        Raises:
            UserError: the task does not fit its history.
        """
        try:
            return target_file(task, self.git(task.repository).read)
        except ValueError as error:
            raise UserError(f"{self.dataset.folder}: {error}. Fetch or package the dataset again.") from error

    def mutants_of(self, task: Task) -> TaskMutants | None:
        """The cached mutants of a task with their class files, checked against each other (TEB-K09).

        None for a task of which none were made.

        Raises:
            UserError: the archive is missing or damaged, or differs from the records.
        """
        if task.mutants is None:
            return None
        mutants = tuple(self.dataset.mutants.get(task.task_id, ()))
        return TaskMutants(
            mutants=mutants,
            kill_sets={evidence.test: evidence.mutants for evidence in task.tests},
            accounting={evidence.test: evidence.accounting for evidence in task.tests},
            classes=read_archive(self.dataset.archive(task.task_id), mutants) if mutants else {},
        )

    def workspace(self, name: str, config: Config, *, process: int = 0, trusted: bool = False) -> Workspace:
        """Where both ends of the tasks of a repository are checked out and built; to be closed by the caller.

        Args:
            process: number of the process that works in it.
            trusted: whether both the history and the tests that will run are trusted (`testevo.sandboxes.consent`).

        Raises:
            MachineError: the code may not run here; a JDK, Maven or the sandbox is missing; the cache is read-only.
        """
        repository = self.repository(name)
        slug = repository.slug
        bundle, scratch = self.dataset.bundle(slug), self.scratch_of(slug)
        surefire = surefire_of(task for task in self.tasks if task.repository == name)
        return Workspace(repository, bundle, config, scratch, process=process, trusted=trusted, surefire=surefire)

    def scratch_of(self, slug: str) -> Path:
        return self._scratch / url_safe_name(slug)
