"""second_opinion: what PIT says of the tests that one system submitted for one repository and that passed.

Reads the dataset, the system's predictions and its `GradedTask` records, writes one `SecondOpinion` per graded task.
Runs only when `evaluation.second_opinion` asks for it; no grade depends on it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from system_job import SystemJob, grading_parser, job_of

from testevo.execution.journal import Journal
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.grading.lint import submitted
from testevo.grading.pit.second_opinion import SecondOpinions
from testevo.records.base import read_records, write_records
from testevo.records.evaluation.grading import GradedTask
from testevo.records.evaluation.predictions import Edit
from testevo.records.evaluation.second_opinions import SecondOpinion
from testevo.records.tasks import Task
from testevo.runtime.processes.handler import run_main

Unit = tuple[Task, Edit, GradedTask]


def main() -> None:
    parser = grading_parser(__doc__)
    parser.add_argument("--opinions", type=Path, required=True, help="is written")
    job = job_of(parser.parse_args())
    tasks = job.tasks()
    write_records(job.files.opinions, opinions(job, tasks) if tasks else [])


def opinions(job: SystemJob, tasks: Sequence[Task]) -> list[SecondOpinion]:
    """The opinion on every graded task; what an interrupted run was told comes from its journal."""
    job.dataset.verify(job.work.slug, tasks)
    graded = {
        (one.task_id, one.track, tuple(method.test for method in one.methods)): one
        for one in read_records(job.files.graded, GradedTask)
    }
    with DatasetHistories(job.dataset, job.work.scratch) as histories, Journal(job.work.opinions_journal) as journal:
        repair = job.config.evaluation.repair
        edits = submitted(job.submission, job.files.predictions, tasks, histories.target_of, repair=repair)
        units = [
            (task, edit, graded[task.task_id, task.track, tuple(one.test for one in task.tests)])
            for task, edit in zip(tasks, edits, strict=True)
        ]
        ask = partial(asking, job, histories, journal)
        return job.results_of(units, ask, "tasks asked about", job.work.opinions_progress, journal)


@contextmanager
def asking(
    job: SystemJob, histories: DatasetHistories, journal: Journal, process: int
) -> Iterator[Callable[[Unit], SecondOpinion]]:
    """Ask PIT about tasks; each process has one."""
    name = job.repository.name
    with histories.workspace(name, job.config, process=process, trusted=job.trusted) as workspace:
        asked = SecondOpinions(workspace, workspace.scratch / "second_opinion", journal)
        yield lambda unit: asked.ask(unit[0], unit[1], histories.target_of(unit[0]), unit[2])


if __name__ == "__main__":
    run_main(main)
