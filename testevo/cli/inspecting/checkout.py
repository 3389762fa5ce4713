"""`testevo task checkout`: the working copy of a task that a system may see."""

from pathlib import Path
from typing import Annotated

import typer

from testevo.cli.inspecting.task import pick_task
from testevo.cli.places import DatasetOption, SnapshotOption, require_dataset
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.packaging.start_states.working_copy import check_out


def checkout(
    task_id: Annotated[str, typer.Argument(help="Task id, or a part of it that only one task has.")],
    folder: Annotated[Path, typer.Argument(help="A new or an empty folder.")],
    dataset: DatasetOption = None,
    snapshot: SnapshotOption = None,
) -> None:
    """Write the start state of a task as a git repository of one commit, without history or remote.

    It builds with the project's own build, on the JDK that is printed. Work on the target file only, then hand in
    `git diff` as `model_patch`.
    """
    place = require_dataset(snapshot, dataset)
    with DatasetHistories(place) as histories:
        task = pick_task(histories.tasks, task_id, place)
        target = histories.target_of(task)
        commit = check_out(task, histories.git(task.repository), target, folder)
    state = "to be changed" if target.start is not None else "to be created"
    print(f"{folder}: start state of {task.task_id} (commit {commit[:12]})")
    print(f"track {task.track.value}; JDK {task.jdk}; module {task.module or '.'}")
    print(f"target file {target.path}, {state}; target methods:")
    for evidence in task.tests:
        print(f"  {evidence.test.short}")
