"""Shared code of scripts that work with one system on one repository of a dataset: options, files, worker processes."""

import argparse
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from stage import named, repository_parser

from testevo.config.model import Config
from testevo.config.resolved import read_resolved
from testevo.config.snapshot.layout import Layout, SystemFiles
from testevo.config.systems import systems_of
from testevo.execution.journal import Journal
from testevo.grading.submissions.selection import selected
from testevo.packaging.dataset.dataset_folder import DatasetFolder, open_dataset
from testevo.records.repository import Repository
from testevo.records.tasks import Task
from testevo.runtime.files.files import url_safe_name
from testevo.runtime.processes.pool import results_of
from testevo.sources.trusted import is_trusted

Unit = TypeVar("Unit")
Result = TypeVar("Result")


@dataclass(frozen=True)
class SystemJob:
    """One system on one repository."""

    config: Config
    files: Any
    """The inputs and outputs that the options name, each as an attribute: `graded` for `--graded`."""
    layout: Layout
    work: SystemFiles
    """Where journal, progress and scratch folder lie."""
    dataset: DatasetFolder
    processes: int

    @property
    def submission(self) -> str:
        """The name of the system among those that are graded."""
        known = {url_safe_name(name): name for name in systems_of(self.config.evaluation)}
        return named(self.work.system, known, f"There is no system {self.work.system!r} in the configuration.")

    @property
    def repository(self) -> Repository:
        """The repository as the dataset has it."""
        return next(one for one in self.dataset.repositories.values() if one.slug == self.work.slug)

    @property
    def trusted(self) -> bool:
        """Whether all that runs is trusted: a control submission, to a trusted history that was mined here.

        A dataset that was given may say what it likes of the history it was mined from.
        """
        if self.config.evaluation.dataset is not None or self.files.predictions is not None:
            return False
        return is_trusted(self.repository, self.config)

    def tasks(self) -> list[Task]:
        """The selected tasks of the repository."""
        return selected([task for task in self.dataset.tasks if task.slug == self.work.slug], self.config.evaluation)

    def results_of(
        self,
        units: Sequence[Unit],
        opened: Callable[[int], AbstractContextManager[Callable[[Unit], Result]]],
        what: str,
        progress: Path,
        *journals: Journal,
    ) -> list[Result]:
        """The result of each unit, in their order; the processes are those of `testevo.runtime.processes.pool`."""
        return results_of(units, opened, processes=self.processes, progress=progress, what=what, journals=journals)


def system_parser(description: str | None) -> argparse.ArgumentParser:
    """The command line of a job with one system on one repository."""
    parser = repository_parser(description)
    parser.add_argument("--system", required=True, help="folder of the system")
    parser.add_argument("--dataset", type=Path, required=True, help="checksums of the dataset, which lie in its folder")
    return parser


def grading_parser(description: str | None) -> argparse.ArgumentParser:
    """The command line of a job on what one system submitted for one repository."""
    parser = system_parser(description)
    parser.add_argument("--predictions", type=Path, nargs="?", help="of the system; none for a control submission")
    parser.add_argument("--graded", type=Path, required=True, help="grades of the system on the repository")
    return parser


def job_of(options: argparse.Namespace) -> SystemJob:
    """The job of a command line."""
    config = read_resolved(options.config)
    layout = Layout.of(config)
    work = layout.of_system(options.system, options.slug)
    return SystemJob(config, options, layout, work, open_dataset(options.dataset.parent), options.processes)
