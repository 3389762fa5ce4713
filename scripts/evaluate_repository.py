"""evaluate_repository: grade what one system submitted for the tasks of one repository.

Reads the dataset and the system's predictions, writes one `GradedTask` per selected task (TEB-E01 to E12, V01 to V07).
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from stage import repository_parser

from testevo.config.layout import Layout, SystemFiles
from testevo.config.model import Config
from testevo.config.predecessor import predecessor_of
from testevo.config.resolved import read_resolved
from testevo.config.systems import folder_of, systems_of
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.grading.grader import Grader
from testevo.grading.lint import submitted
from testevo.grading.preconditions import Preconditions
from testevo.grading.result_store import ResultStore, StoredLogs
from testevo.grading.submissions.selection import selected
from testevo.packaging.dataset.dataset_folder import DatasetFolder, open_dataset
from testevo.records.base import write_records
from testevo.records.evaluation.grading import GradedTask
from testevo.records.evaluation.predictions import Edit
from testevo.records.tasks import Task
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.pool import results_of
from testevo.runtime.stopwatch import start_profile
from testevo.sources.trusted import is_trusted


@dataclass(frozen=True)
class Job:
    """One system on one repository."""

    config: Config
    system: str
    predictions: Path | None
    """None for a control submission."""
    graded: Path
    """The grades, which `evaluate_repository` writes."""
    work: SystemFiles
    """Where progress and scratch folder lie."""
    dataset: DatasetFolder
    layout: Layout
    processes: int

    def trusts(self, repository: str) -> bool:
        """Whether all that runs is trusted: a control submission, to a trusted history that was mined here.

        A dataset that was given may say what it likes of the history it was mined from.
        """
        if self.config.evaluation.dataset is not None or self.predictions is not None:
            return False
        return is_trusted(self.dataset.repositories[repository], self.config)


def main() -> None:
    job = job_of(job_parser(__doc__).parse_args())
    start_profile(job.work.profile)
    tasks = [task for task in job.dataset.tasks if task.slug == job.work.slug]
    chosen = selected(tasks, job.config.evaluation)
    write_records(job.graded, grade(job, chosen) if chosen else [])


def grade(job: Job, tasks: Sequence[Task]) -> list[GradedTask]:
    """The grade of every task; what was graded before with equal content comes from the kept results."""
    job.dataset.verify(job.work.slug, tasks)
    with DatasetHistories(job.dataset, job.work.scratch) as histories:
        repair = job.config.evaluation.repair
        edits = submitted(job.system, job.predictions, tasks, histories.target_of, repair=repair)
        return results_of(
            list(zip(tasks, edits, strict=True)),
            partial(grading, job, histories, tasks[0].repository),
            processes=job.processes,
            progress=job.work.progress,
            what="tasks graded",
        )


@contextmanager
def grading(
    job: Job, histories: DatasetHistories, repository: str, process: int
) -> Iterator[Callable[[tuple[Task, Edit]], GradedTask]]:
    """Grade edits of tasks; each process has one."""
    trusted = job.trusts(repository)
    with histories.workspace(repository, job.config, process=process, trusted=trusted) as workspace:
        logs = job.layout.evaluation
        earlier = predecessor_of(job.config)
        stored = StoredLogs(earlier.graded, earlier.evaluation) if earlier else None
        store = ResultStore(job.layout.graded, stored, logs)
        grader = Grader(workspace, workspace.config, store, logs, histories.mutants_of)
        preconditions = Preconditions(workspace, job.layout.graded / "preconditions")

        def graded(given: tuple[Task, Edit]) -> GradedTask:
            task, edit = given
            target = histories.target_of(task)
            return grader.grade(preconditions.proven(task, target), edit, target)

        yield graded
        grader.close()


def job_parser(description: str | None) -> argparse.ArgumentParser:
    """The command line of a job on what one system submitted for one repository."""
    parser = repository_parser(description)
    parser.add_argument("--system", required=True, help="folder of the system")
    parser.add_argument("--dataset", type=Path, required=True, help="checksums of the dataset, which lie in its folder")
    parser.add_argument("--predictions", type=Path, nargs="?", help="of the system; none for a control submission")
    parser.add_argument("--graded", type=Path, required=True, help="grades of the system on the repository")
    return parser


def job_of(options: argparse.Namespace) -> Job:
    """The job of a command line."""
    config = read_resolved(options.config)
    layout = Layout.of(config)
    return Job(
        config=config,
        system=next(name for name in systems_of(config.evaluation) if folder_of(name) == options.system),
        predictions=options.predictions,
        graded=options.graded,
        work=layout.of_system(options.system, options.slug),
        dataset=open_dataset(options.dataset.parent),
        layout=layout,
        processes=options.processes,
    )


if __name__ == "__main__":
    run_main(main)
