"""Which tasks are graded: pattern, track, days of the new revision (TEB-K08)."""

from datetime import UTC, date, datetime

import pytest

from testevo.config.model import Evaluation
from testevo.grading.submissions.selection import selected
from testevo.records.methods import TestKey
from testevo.records.tasks import OpenTask, TargetTest, Track


def task(name: str, track: Track, *moment: int) -> OpenTask:
    test = TestKey(module="", path="T.java", type_name="T", name="t")
    return OpenTask(
        task_id=name,
        track=track,
        repository="o/r",
        project_name="p",
        version="v",
        web_url=None,
        clone_url="x",
        old_revision="a" * 40,
        new_revision="b" * 40,
        old_time=0,
        new_time=int(datetime(*moment, tzinfo=UTC).timestamp()),
        java_level="8",
        jdk=17,
        fingerprint="f",
        module="",
        test_file="T.java",
        old_test_file=None,
        tests=(TargetTest(test=test, old_source=None, old_span=None, dependencies=()),),
        dependencies=(),
    )


TASKS = [
    task("b", Track.UPDATE, 2024, 1, 1, 0, 0, 0),
    task("a", Track.GENERATION, 2023, 12, 31, 23, 59, 59),
    task("c", Track.UPDATE, 2024, 6, 1, 12, 0, 0),
]


def test_active_tasks_alone_are_chosen_where_they_are_asked_for() -> None:
    tasks = [TASKS[0], TASKS[1].model_copy(update={"quarantined": "fails at times"}), TASKS[2]]
    chosen = {active: selected(tasks, Evaluation(active=active)) for active in (False, True)}
    assert {active: "".join(one.task_id for one in found) for active, found in chosen.items()} == {
        False: "abc",
        True: "bc",
    }


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({}, "abc"),
        ({"tasks": "[ab]"}, "ab"),
        ({"tasks": "a,c*"}, "ac"),
        ({"track": "update"}, "bc"),
        ({"since": date(2024, 1, 1)}, "bc"),
        ({"until": date(2024, 1, 1)}, "a"),
        ({"since": date(2024, 1, 1), "until": date(2024, 6, 1)}, "b"),
        ({"tasks": "nothing"}, ""),
    ],
)
def test_tasks_are_chosen_and_sorted(asked: dict[str, object], names: str) -> None:
    """Windows that follow each other share no task."""
    assert "".join(one.task_id for one in selected(TASKS, Evaluation.model_validate(asked))) == names
