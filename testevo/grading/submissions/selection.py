"""Select the tasks a run grades: by pattern of ids, track, and day of the new revision."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from testevo.config.model import Evaluation
from testevo.records.tasks import Task
from testevo.runtime.clock import utc_date


def selected(tasks: Iterable[Task], evaluation: Evaluation) -> list[Task]:
    """The tasks that the section `evaluation` asks for, sorted; quarantined ones stay, for they are graded too."""
    return sorted((task for task in tasks if is_selected(task, evaluation)), key=Task.sort_key)


def is_selected(task: Task, evaluation: Evaluation) -> bool:
    """`since` is inclusive and `until` is not, so that windows that follow each other share no task (TEB-K08)."""
    return (
        matches(task.task_id, evaluation.tasks)
        and evaluation.track in ("both", task.track.value)
        and (evaluation.since is None or utc_date(task.new_time) >= evaluation.since)
        and (evaluation.until is None or utc_date(task.new_time) < evaluation.until)
    )


def matches(task_id: str, patterns: str) -> bool:
    """Whether an id matches one of some shell patterns, which commas separate."""
    return any(fnmatchcase(task_id, pattern.strip()) for pattern in patterns.split(","))
