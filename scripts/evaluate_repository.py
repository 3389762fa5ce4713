"""evaluate_repository: grade what one system submitted for the tasks of one repository.

Reads the dataset and the system's predictions, writes one `GradedTask` per selected task (TEB-E01 to E12, V01 to V07).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial

from system_job import SystemJob, grading_parser, job_of

from testevo.config.snapshot.predecessor import predecessor_of
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.grading.dataset.made_from import key_of_inputs, note_inputs
from testevo.grading.grader import Grader
from testevo.grading.lint import submitted
from testevo.grading.preconditions import Preconditions
from testevo.grading.result_key import grading_code_digest
from testevo.grading.result_store import ResultStore, StoredLogs
from testevo.records.base import write_records
from testevo.records.evaluation.grading import GradedTask
from testevo.records.evaluation.predictions import Edit
from testevo.records.tasks import Task
from testevo.runtime.processes.handler import run_main
from testevo.runtime.stopwatch import start_profile


def main() -> None:
    job = job_of(grading_parser(__doc__).parse_args())
    start_profile(job.work.profile)
    tasks = job.tasks()
    made_from = key_of_inputs(job.config, "evaluate", job.dataset.folder, job.files.predictions, grading_code_digest())
    job.work.made_from.unlink(missing_ok=True)
    write_records(job.files.graded, grade(job, tasks) if tasks else [])
    note_inputs(job.work.made_from, made_from)


def grade(job: SystemJob, tasks: Sequence[Task]) -> list[GradedTask]:
    """The grade of every task; what was graded before with equal content comes from the kept results."""
    job.dataset.verify(job.work.slug, tasks)
    with DatasetHistories(job.dataset, job.work.scratch) as histories:
        repair = job.config.evaluation.repair
        edits = submitted(job.submission, job.files.predictions, tasks, histories.target_of, repair=repair)
        units = list(zip(tasks, edits, strict=True))
        return job.results_of(units, partial(grading, job, histories), "tasks graded", job.work.progress)


@contextmanager
def grading(
    job: SystemJob, histories: DatasetHistories, process: int
) -> Iterator[Callable[[tuple[Task, Edit]], GradedTask]]:
    """Grade edits of tasks; each process has one."""
    name = job.repository.name
    with histories.workspace(name, job.config, process=process, trusted=job.trusted) as workspace:
        logs = job.layout.evaluation
        earlier = predecessor_of(job.config)
        stored = StoredLogs(earlier.graded, earlier.evaluation) if earlier else None
        store = ResultStore(job.layout.graded, stored, logs)
        preconditions = Preconditions(workspace, job.layout.graded / "preconditions")

        with closing(Grader(workspace, store, logs, histories.mutants_of)) as grader:

            def graded(given: tuple[Task, Edit]) -> GradedTask:
                task, edit = given
                target = histories.target_of(task)
                return grader.grade(preconditions.proven(task, target), edit, target)

            yield graded


if __name__ == "__main__":
    run_main(main)
