"""`testevo task brief` and `testevo task checkout`: what a system may know of tasks, and their working copies."""

from pathlib import Path
from typing import Annotated

import typer

from testevo.cli.inspecting.graded import shown_place
from testevo.cli.inspecting.task import NAMED, PATTERN, named_tasks, tasks_of
from testevo.cli.output import show
from testevo.cli.places import DatasetOption, SnapshotOption, find_place, require_dataset
from testevo.cli.selection import ANY_TASK, TaskChoice, choosing, chosen_tasks
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.packaging.start_states.brief import brief_of
from testevo.packaging.start_states.start_state import TargetFile
from testevo.packaging.start_states.working_copy import check_out
from testevo.records.tasks import Task


@choosing
def brief(choice: TaskChoice = ANY_TASK, dataset: DatasetOption = None, snapshot: SnapshotOption = None) -> None:
    """Print what a system may know of each task, as JSON lines: what to do and where, without the answer.

    testevo task brief --dataset results/demo/package/dataset --task ID
    """
    place = find_place(snapshot, dataset)
    chosen = chosen_tasks(tasks_of(place), choice.selection(), shown_place(place))
    show(brief_of(one).line() for one in chosen)


@choosing
def checkout(
    task_id: Annotated[str, typer.Argument(help=NAMED)],
    folder: Annotated[
        Path, typer.Argument(help="A new or empty folder; with several tasks, each gets a folder below it.")
    ],
    dataset: DatasetOption = None,
    snapshot: SnapshotOption = None,
    choice: TaskChoice = ANY_TASK,
) -> None:
    """Write the start state of tasks as git repositories of one commit, without history or remote.

    It builds with the project's own build, on the JDK that is printed. Work on the target file only, then submit
    `git diff` as `model_patch`.
    """
    place = require_dataset(snapshot, dataset)
    many = bool(PATTERN & set(task_id))
    with DatasetHistories(place) as histories:
        chosen = chosen_tasks(histories.tasks, choice.selection(), place)
        named = named_tasks(histories.tasks, chosen, task_id, place)
        histories.verify(named)
        for task in named:
            own = folder / task.task_id if many else folder
            target = histories.target_of(task)
            commit = check_out(task, histories.git(task.repository), target, own)
            show([f"{own}: start state of {task.task_id} (commit {commit[:12]})"])
            if not many:
                show(what_to_do(task, target))


def what_to_do(task: Task, target: TargetFile) -> list[str]:
    state = "to be changed" if target.start is not None else "to be created"
    return [
        f"track {task.track.value}; JDK {task.jdk}; module {task.module or '.'}",
        f"target file {target.path}, {state}; target methods:",
        *(f"  {evidence.test.short}" for evidence in task.tests),
    ]
