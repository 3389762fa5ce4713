"""Two snapshots side by side: which repositories and tasks are new, lost, changed, quarantined, and why."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from testevo.packaging.series.lock_files import LockFolder
from testevo.records.snapshots.snapshot import LockedRepository, LockedTask, TaskState
from testevo.records.tasks import Track


def differences_between(before: LockFolder, after: LockFolder) -> list[tuple[str, str, str]]:
    """Rows of kind, name and reason; repositories first, then tasks, each sorted by name."""
    return [*_repositories(before, after), *_tasks(before, after)]


def _repositories(before: LockFolder, after: LockFolder) -> Iterator[tuple[str, str, str]]:
    old = {one.name: one for one in before.repositories}
    new = {one.name: one for one in after.repositories}
    for name in sorted(old.keys() | new.keys()):
        if name not in new:
            yield "repository lost", name, "not part of the snapshot any more"
        elif name not in old:
            yield "repository new", name, _walk(new[name])
        elif _without_sentence(old[name]) != _without_sentence(new[name]):
            yield "repository changed", name, f"{_walk(old[name])} -> {_walk(new[name])}"


def _without_sentence(one: LockedRepository) -> LockedRepository:
    """A rejected repository without the words of its rejection, which tell addresses and times."""
    return one if one.head else one.model_copy(update={"cloned": one.cloned.model_copy(update={"detail": None})})


def _walk(one: LockedRepository) -> str:
    if one.head is None:
        return f"rejected ({one.cloned.rejection.value if one.cloned.rejection else 'no start'})"
    return f"{one.cloned.start} at {one.head[:7]}, {one.walked} commits, {one.cloned.licence or 'unknown licence'}"


def _tasks(before: LockFolder, after: LockFolder) -> Iterator[tuple[str, str, str]]:
    old: dict[tuple[str, Track], list[LockedTask]] = defaultdict(list)
    for one in before.tasks:
        old[one.key].append(one)
    for one in sorted(after.tasks, key=LockedTask.sort_key):
        said = _change(_before(one, old.get(one.key, ())), one)
        if said is not None:
            yield f"task {said}", f"{one.task_id} ({one.track.value})", one.reason or ""


def _before(now: LockedTask, same_id: Sequence[LockedTask]) -> LockedTask | None:
    """What a task was; of several that shared its id, the one that stands for the same."""
    same = next((one for one in same_id if one.content == now.content), None)
    return same_id[0] if same is None and len(same_id) == 1 else same


def _change(was: LockedTask | None, now: LockedTask) -> str | None:
    gone = now.state is TaskState.DEPRECATED
    if was is None:
        return "new" if now.state is TaskState.ACTIVE else now.state.value
    if was.state is not now.state:
        return "lost" if gone else now.state.value
    return None if gone or was.record == now.record else "changed"
