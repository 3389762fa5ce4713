"""A task is named by its id or a part of it; what names none is told the nearest ids."""

from pathlib import Path

import pytest

from testevo.cli.inspecting.task import pick_task
from testevo.records.tasks import Task
from testevo.runtime.errors import ExitStatus, NotFoundError

IDS = ["o_r-1__aaaaaaa_bbbbbbb__CartTest_1f2e3d4c", "o_r-1__aaaaaaa_bbbbbbb__ShopTest_5a6b7c8d"]
TASKS = [Task.model_construct(task_id=task_id) for task_id in IDS]


@pytest.mark.parametrize("wanted", [IDS[1], "ShopTest", "5a6b"])
def test_a_task_is_picked_by_its_id_or_a_part_that_only_it_has(wanted: str) -> None:
    assert pick_task(TASKS, wanted, Path("results/demo")).task_id == IDS[1]


@pytest.mark.parametrize(
    ("tasks", "wanted", "says"),
    [
        (
            TASKS,
            "CrtTest_1f2e3d4c",
            f"No task of results/demo is called 'CrtTest_1f2e3d4c'. The nearest names are: {IDS[0]}",
        ),
        (TASKS, "aaaaaaa", f"'aaaaaaa' names 2 tasks of results/demo. Give one id, such as {IDS[0]}, {IDS[1]}."),
        (
            [],
            "CartTest",
            "results/demo has no task at all. `testevo builds` and `testevo task list --dropped` say why.",
        ),
    ],
)
def test_what_names_no_single_task_is_told_the_next_step(tasks: list[Task], wanted: str, says: str) -> None:
    """By a status of its own: that of a task whose test is no success is another one."""
    with pytest.raises(NotFoundError) as caught:
        pick_task(tasks, wanted, Path("results/demo"))
    assert str(caught.value).startswith(says)
    assert caught.value.status is ExitStatus.NOT_FOUND
    assert ExitStatus.NOT_FOUND != ExitStatus.NO_SUCCESS
