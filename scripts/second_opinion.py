"""second_opinion: what PIT says of the tests that one system submitted for one repository and that passed.

Reads the dataset, the system's predictions and its `GradedTask` records, writes one `SecondOpinion` per graded task.
Runs only when `evaluation.second_opinion` asks for it; no grade depends on it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from evaluate_repository import Job, job_of, job_parser

from testevo.execution.journal import Journal
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.grading.lint import submitted
from testevo.grading.pit.second_opinion import SecondOpinions
from testevo.grading.submissions.selection import selected
from testevo.records.base import read_records, write_records
from testevo.records.evaluation.grading import GradedTask
from testevo.records.evaluation.predictions import Edit
from testevo.records.evaluation.second_opinions import SecondOpinion
from testevo.records.tasks import Task
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.pool import results_of

Unit = tuple[Task, Edit, GradedTask]


def main() -> None:
    parser = job_parser(__doc__)
    parser.add_argument("--opinions", type=Path, required=True, help="is written")
    options = parser.parse_args()
    job = job_of(options)
    tasks = [task for task in job.dataset.tasks if task.slug == job.work.slug]
    chosen = selected(tasks, job.config.evaluation)
    write_records(options.opinions, opinions(job, chosen) if chosen else [])


def opinions(job: Job, tasks: Sequence[Task]) -> list[SecondOpinion]:
    """The opinion on every graded task; what an interrupted run was told comes from its journal."""
    graded = {(one.task_id, one.track): one for one in read_records(job.graded, GradedTask)}
    with DatasetHistories(job.dataset, job.work.scratch) as histories, Journal(job.work.opinions_journal) as journal:
        edits = submitted(job.system, job.predictions, tasks, histories.target_of, repair=job.config.evaluation.repair)
        units = [
            (task, edit, graded[task.task_id, task.track])
            for task, edit in zip(sorted(tasks, key=Task.sort_key), edits, strict=True)
        ]
        return results_of(
            units,
            partial(asking, job, histories, tasks[0].repository, journal),
            processes=job.processes,
            progress=job.work.opinions_progress,
            what="tasks asked about",
            journals=[journal],
        )


@contextmanager
def asking(
    job: Job, histories: DatasetHistories, repository: str, journal: Journal, process: int
) -> Iterator[Callable[[Unit], SecondOpinion]]:
    """Ask PIT about tasks; each process has one."""
    trusted = job.trusts(repository)
    with histories.workspace(repository, job.config, process=process, trusted=trusted) as workspace:
        asked = SecondOpinions(workspace, workspace.config, workspace.scratch / "second_opinion", journal)
        yield lambda unit: asked.ask(unit[0], unit[1], histories.target_of(unit[0]), unit[2])


if __name__ == "__main__":
    run_main(main)
