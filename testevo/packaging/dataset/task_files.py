"""The files of tasks in a dataset folder: what a system may see in one folder, the developers' tests in another."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from testevo.records.base import Part, Record, read_records
from testevo.records.methods import TestKey
from testevo.records.tasks import Answer, OpenTask, Solution, TargetTest, Task, TestEvidence, Track
from testevo.runtime.errors import UserError

TASKS, ANSWERS = "tasks", "answers"
WITH_ANSWERS = 2
"""The schema version whose task files hold the answers."""


def task_file_names(schema: int) -> list[str]:
    """The files that hold tasks, in a dataset of a schema version."""
    folders = [""] if schema == WITH_ANSWERS else [f"{TASKS}/", f"{ANSWERS}/"]
    return [f"{folder}{track.value}.jsonl" for folder in folders for track in Track]


def task_files(tasks: Iterable[Task]) -> dict[str, list[Record]]:
    """The records of each file, by name relative to the dataset."""
    files: dict[str, list[Record]] = {name: [] for name in task_file_names(WITH_ANSWERS + 1)}
    for task in tasks:
        files[f"{TASKS}/{task.track.value}.jsonl"].append(without_answers(task))
        files[f"{ANSWERS}/{task.track.value}.jsonl"] += [_answer(task, evidence) for evidence in task.tests]
    return files


def without_answers(task: Task) -> OpenTask:
    """What a system may see of a task."""
    tests = tuple(TargetTest(**_fields(evidence, TargetTest)) for evidence in task.tests)
    return OpenTask(**_fields(task, OpenTask) | {"tests": tests})


def read_task_files(folder: Path, schema: int) -> list[Task]:
    """The tasks of both tracks, with their answers.

    Raises:
        UserError: a file is missing or holds something else, or a test has no answer or several.
    """
    if schema == WITH_ANSWERS:
        return [task for name in task_file_names(schema) for task in read_records(folder / name, Task)]
    tasks = []
    for track in Track:
        file = folder / ANSWERS / f"{track.value}.jsonl"
        answers: dict[tuple[str, TestKey], Answer] = {}
        for one in read_records(file, Answer):
            if answers.setdefault((one.task_id, one.test), one) != one:
                raise UserError(
                    f"{file} has two answers for {one.test.short} of {one.task_id}. Fetch or package the dataset again."
                )
        for task in read_records(folder / TASKS / f"{track.value}.jsonl", OpenTask):
            try:
                tasks.append(_joined(task, answers))
            except KeyError as error:
                raise UserError(
                    f"{file} has no answer for {error} of {task.task_id}. Fetch or package the dataset again."
                ) from None
    return tasks


def _answer(task: Task, evidence: TestEvidence) -> Answer:
    return Answer(task_id=task.task_id, track=task.track, test=evidence.test, **_fields(evidence, Solution))


def _joined(task: OpenTask, answers: Mapping[tuple[str, TestKey], Answer]) -> Task:
    tests = []
    for test in task.tests:
        answer = answers[task.task_id, test.test]
        tests.append(TestEvidence(**_fields(test, TargetTest), **_fields(answer, Solution)))
    return Task(**_fields(task, OpenTask) | {"tests": tuple(tests)})


def _fields(part: Part, of: type[Part]) -> dict[str, object]:
    return {name: getattr(part, name) for name in of.model_fields}
