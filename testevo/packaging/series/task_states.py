"""The life cycle of tasks over a series of snapshots: active, quarantined, deprecated, each with reason and date."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from testevo.records.labels import Label
from testevo.records.repository import Repository
from testevo.records.snapshots.snapshot import LockedTask, TaskState
from testevo.records.tasks import Task, Track
from testevo.runtime.errors import UserError
from testevo.runtime.files.files import canonical_json, content_key

_CONTENT = ("track", "repository", "old_revision", "new_revision", "module", "test_file", "old_test_file")


@dataclass(frozen=True)
class MinedRepository:
    """What the later snapshot knows of a repository with tasks in the earlier one."""

    repository: Repository
    walked: frozenset[str] = frozenset()
    """Revisions of the walk."""
    rewritten: str | None = None
    """Head of the earlier snapshot where the history does not hold it any more."""
    labels: Sequence[Label] = ()
    failure: str | None = None
    """The stage that failed, and with what."""


def states_of(
    snapshot: str, tasks: Iterable[Task], before: Iterable[LockedTask], mined: Mapping[str, MinedRepository]
) -> list[LockedTask]:
    """The tasks of a snapshot, and those of the ones before it that are no longer part.

    Args:
        snapshot: name of the snapshot, which becomes `since` where a state is new.
        before: of the snapshot before; empty for the first.
        mined: by name, the repositories of `before` that are part of the snapshot.

    Raises:
        UserError: an id of the snapshot before stands for another task now.
    """
    known = {(one.key, one.content): one for one in before}
    found = {(one.key, one.content): one for one in (locked_task(task, snapshot) for task in tasks)}
    lost = {same: one for same, one in known.items() if same not in found}
    _refuse_other_meaning((one for same, one in found.items() if same not in known), {key for key, _ in lost})
    states = [_since(one, known.get(same)) for same, one in found.items()]
    return [*states, *_deprecated(snapshot, lost.values(), mined)]


def locked_task(task: Task, snapshot: str) -> LockedTask:
    content = task.model_dump(mode="json", include=set(_CONTENT))
    tests = [(str(one.test), one.old_source, one.new_source) for one in task.tests]
    return LockedTask(
        task_id=task.task_id,
        track=task.track,
        repository=task.repository,
        old_revision=task.old_revision,
        new_revision=task.new_revision,
        content=content_key(canonical_json(content), canonical_json(tests)),
        record=content_key(task.line()),
        state=TaskState.ACTIVE if task.quarantined is None else TaskState.QUARANTINED,
        reason=task.quarantined,
        since=snapshot,
    )


def _refuse_other_meaning(new: Iterable[LockedTask], lost: Set[tuple[str, Track]]) -> None:
    """Several tasks may share an id, and one may join them; none may take the place of another."""
    for now in new:
        if now.key in lost:
            raise UserError(
                f"{now.task_id} ({now.track.value}) stands for other methods or revisions than in the snapshot before. "
                "An id must not change its meaning: start a series of its own, without `predecessor`."
            )


def _since(now: LockedTask, before: LockedTask | None) -> LockedTask:
    if before is None or before.state is not now.state:
        return now
    return now.model_copy(update={"since": before.since})


def _deprecated(
    snapshot: str, lost: Iterable[LockedTask], mined: Mapping[str, MinedRepository]
) -> Iterator[LockedTask]:
    for task in lost:
        if task.state is TaskState.DEPRECATED:
            yield task
            continue
        reason = reason_of_loss(task, mined.get(task.repository))
        yield task.model_copy(update={"state": TaskState.DEPRECATED, "reason": reason, "since": snapshot})


def reason_of_loss(task: LockedTask, mined: MinedRepository | None) -> str:
    """Why a task of the snapshot before is not part of this one."""
    if mined is None:
        return "the repository is not part of the snapshot any more"
    if mined.repository.rejection is not None:
        return f"the repository is rejected: {mined.repository.detail or mined.repository.rejection.doc}"
    if mined.failure is not None:
        return f"the repository failed: {mined.failure}"
    return _reason_in_history(task, mined)


def _reason_in_history(task: LockedTask, mined: MinedRepository) -> str:
    ends = (task.old_revision, task.new_revision)
    if not mined.walked.issuperset(ends):
        if mined.rewritten is not None:
            return f"the history was rewritten: it does not hold {mined.rewritten[:7]} any more"
        return "a commit of it is not walked any more"
    reasons = Counter(
        label.reason.value
        for label in mined.labels
        if label.reason and (label.old_revision, label.new_revision) == ends
    )
    if reasons:
        said = ", ".join(f"{name} {count}" for name, count in sorted(reasons.items()))
        return f"candidates of these commits are dropped: {said}"
    return "its commits are not a pair any more, or its tests do not change together with code"
