"""Select tasks, or what was graded on them: by pattern of ids, track, and day of the new revision."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TypeVar

from testevo.config.model import Selection
from testevo.records.evaluation.grading import GradedTask
from testevo.records.tasks import Task
from testevo.runtime.clock import utc_date

S = TypeVar("S", Task, GradedTask)


def selected(tasks: Iterable[S], selection: Selection) -> list[S]:
    """The tasks that are asked for, sorted; quarantined ones stay unless active ones are asked for: they are graded."""
    return sorted((task for task in tasks if is_selected(task, selection)), key=lambda task: task.sort_key())


def selected_slugs(tasks: Iterable[Task], selection: Selection) -> list[str]:
    """The repositories with a selected task, as the names of their files."""
    return sorted({task.slug for task in tasks if is_selected(task, selection)})


def is_selected(task: Task | GradedTask, selection: Selection) -> bool:
    """`since` is inclusive and `until` is not, so that windows that follow each other share no task (TEB-K08)."""
    return (
        matches(task.task_id, selection.tasks)
        and selection.track in ("both", task.track.value)
        and (selection.since is None or utc_date(task.new_time) >= selection.since)
        and (selection.until is None or utc_date(task.new_time) < selection.until)
        and not (selection.active and task.quarantined is not None)
    )


def matches(task_id: str, patterns: str) -> bool:
    """Whether an id matches one of some shell patterns, which commas separate."""
    return any(fnmatchcase(task_id, pattern.strip()) for pattern in patterns.split(","))
