"""A task as systems see it: what to do and where, without the answer and without what leads to it."""

from datetime import date

from testevo.records.base import Part, Record
from testevo.records.methods import ChangeKind, Span
from testevo.records.tasks import OpenTask, Track
from testevo.runtime.clock import utc_date


class BriefMethod(Part):
    """A changed method that the target tests call."""

    kind: ChangeKind
    method: str
    path: str
    span: Span


class TaskBrief(Record):
    """What is asked for. Revisions, addresses, sources and outcomes are left out; `task checkout` writes the files."""

    task_id: str
    track: Track
    repository: str
    day: date
    """UTC day of the new revision."""
    java_level: str | None
    jdk: int
    module: str
    test_file: str
    exists: bool
    """Whether the target file is there at the start."""
    tests: tuple[str, ...]
    """The target test methods, `Class#name`."""
    dependencies: tuple[BriefMethod, ...]

    def sort_key(self) -> tuple[object, ...]:
        return (self.task_id, self.track)


def brief_of(task: OpenTask) -> TaskBrief:
    return TaskBrief(
        task_id=task.task_id,
        track=task.track,
        repository=task.repository,
        day=utc_date(task.new_time),
        java_level=task.java_level,
        jdk=task.jdk,
        module=task.module,
        test_file=task.test_file,
        exists=task.old_test_file is not None,
        tests=tuple(evidence.test.short for evidence in task.tests),
        dependencies=tuple(
            BriefMethod(kind=one.kind, method=str(one.method), path=one.path, span=one.span)
            for one in task.dependencies
        ),
    )
