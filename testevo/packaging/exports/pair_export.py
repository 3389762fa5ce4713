"""Tasks grouped by commit pair, the paper's unit, beside the released one."""

from collections import defaultdict
from collections.abc import Iterable

from testevo.records.base import Record
from testevo.records.tasks import Task, Track


class PairOfTasks(Record):
    """All tasks of one commit pair, both tracks."""

    repository: str
    project_name: str
    old_revision: str
    new_revision: str
    old_time: int
    new_time: int
    update: tuple[str, ...]
    """Task ids."""
    generation: tuple[str, ...]
    """Task ids."""
    test_files: tuple[str, ...]
    test_methods: int
    """Number of target test methods over all tasks."""

    def sort_key(self) -> tuple[object, ...]:
        return (self.repository, self.new_time, self.new_revision, self.old_revision)


def tasks_by_pair(tasks: Iterable[Task]) -> list[PairOfTasks]:
    """One record per (repository, old revision, new revision), sorted."""
    groups: dict[tuple[str, str, str], list[Task]] = defaultdict(list)
    for task in tasks:
        groups[task.repository, task.old_revision, task.new_revision].append(task)
    return sorted(map(_pair, groups.values()), key=PairOfTasks.sort_key)


def _pair(tasks: list[Task]) -> PairOfTasks:
    first = tasks[0]
    ids = {track: tuple(sorted(t.task_id for t in tasks if t.track == track)) for track in Track}
    return PairOfTasks(
        repository=first.repository,
        project_name=first.project_name,
        old_revision=first.old_revision,
        new_revision=first.new_revision,
        old_time=first.old_time,
        new_time=first.new_time,
        update=ids[Track.UPDATE],
        generation=ids[Track.GENERATION],
        test_files=tuple(sorted({t.test_file for t in tasks})),
        test_methods=sum(len(t.tests) for t in tasks),
    )
