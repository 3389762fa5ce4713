"""`LockedRepository` and `LockedTask`: what is committed of a dated snapshot (docs/snapshots.md)."""

from testevo.records.base import DocumentedEnum, Record
from testevo.records.repository import Repository
from testevo.records.tasks import Track


class LockedRepository(Record):
    """A repository of a snapshot, pinned to the commit where its walk starts."""

    cloned: Repository
    """As `clone` recorded it, without places of one machine."""
    reference: str | None = None
    """Full name of the start, such as `refs/heads/main`; None for a bare commit and for a rejected repository."""
    head: str | None = None
    """Commit of the start; None for a rejected repository."""
    head_time: int | None = None
    """Its committer time, seconds since 1970, UTC."""
    walked: int = 0
    """Number of commits of the walk."""
    commits: str | None = None
    """SHA-256 of the `Commit` records of the walk."""

    @property
    def name(self) -> str:
        return self.cloned.name

    def sort_key(self) -> tuple[object, ...]:
        return (self.name,)


class TaskState(DocumentedEnum):
    """Where a task is in its life."""

    ACTIVE = "active", "part of the snapshot, and counts in aggregates"
    QUARANTINED = "quarantined", "part of the snapshot, and left out of aggregates"
    DEPRECATED = "deprecated", "part of an earlier snapshot, and not of this one"


class LockedTask(Record):
    """A task of a snapshot or of one before it; an id never means another task."""

    task_id: str
    track: Track
    repository: str
    old_revision: str
    new_revision: str
    content: str
    """SHA-256 of what the id stands for: revisions, files, test methods and their sources."""
    record: str
    """SHA-256 of the whole `Task` record: what was proven and measured too."""
    state: TaskState
    reason: str | None = None
    """Why it is quarantined or deprecated."""
    since: str
    """Snapshot in which it came into this state."""

    @property
    def key(self) -> tuple[str, Track]:
        """Tasks of both tracks may share an id."""
        return self.task_id, self.track

    def sort_key(self) -> tuple[object, ...]:
        return self.key
