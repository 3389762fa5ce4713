"""Two snapshots side by side: which repositories and tasks are new, lost, changed, quarantined, and why."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from testevo.packaging.series.lock_files import LockFolder
from testevo.records.snapshots.snapshot import LockedRepository, LockedTask, TaskState
from testevo.records.tasks import Track

SameId = dict[str, LockedTask]
"""Tasks that share an id, by what they stand for."""


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
    old, new = _by_id(before.tasks), _by_id(after.tasks)
    for key in sorted(old.keys() | new.keys()):
        for was, now in _pairs(old.get(key, {}), new.get(key, {})):
            name = f"{key[0]} ({key[1].value})"
            if now is None:
                if was is not None and was.state is not TaskState.DEPRECATED:
                    yield "task lost", name, "not part of the snapshot any more"
            elif (said := _change(was, now)) is not None:
                yield f"task {said}", name, now.reason or ""


def _by_id(tasks: Iterable[LockedTask]) -> dict[tuple[str, Track], SameId]:
    found: dict[tuple[str, Track], SameId] = defaultdict(dict)
    for one in tasks:
        found[one.key][one.content] = one
    return found


def _pairs(old: SameId, new: SameId) -> Iterator[tuple[LockedTask | None, LockedTask | None]]:
    """What each task was; of several that share an id, the one that stands for the same."""
    same = old.keys() & new.keys()
    left, come = ([one for content, one in tasks.items() if content not in same] for tasks in (old, new))
    yield from ((was, new[content]) for content, was in old.items() if content in same)
    if len(left) == len(come) == 1:
        yield left[0], come[0]
    else:
        yield from ((one, None) for one in left)
        yield from ((None, one) for one in come)


def _change(was: LockedTask | None, now: LockedTask) -> str | None:
    gone = now.state is TaskState.DEPRECATED
    if was is None:
        return "new" if now.state is TaskState.ACTIVE else now.state.value
    if was.state is not now.state:
        return "lost" if gone else now.state.value
    return None if gone or was.record == now.record else "changed"
