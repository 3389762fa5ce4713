"""The target test file of a task as a candidate finds it, and as its developer left it (TEB-E01)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from testevo.java.declarations import JavaMethod
from testevo.java.encodings import USUAL, UnwritableError, rewritten
from testevo.java.syntax import parse_java
from testevo.java.tokens import start_of_last_comments
from testevo.records.tasks import Task, Track

ReadFile = Callable[[str, str], bytes | None]
"""Bytes of a file from revision and repository-relative path; None when there is no such file."""


@dataclass(frozen=True)
class TargetFile:
    """The one file a candidate may change."""

    path: str
    """Repository-relative, at the new revision."""
    start: bytes | None
    """As a candidate finds it; None when it does not exist yet."""
    gold: bytes
    """The developer's version: the file of the new revision."""
    encoding: str = USUAL
    """Of both, and of whatever takes their place: that which the build of the new revision names."""


def target_file(task: Task, read: ReadFile) -> TargetFile:
    """The target file of a task.

    Update: the whole file of the old revision, moved to its new path if it moved. Generation: the file of the new
    revision without the target methods; no file when the old revision has none, for then all of it is new.

    Raises:
        ValueError: the new revision lacks the file, the file lacks a target method, or the old file has characters
            without a form in the encoding of the new revision.
    """
    gold = read(task.new_revision, task.test_file)
    if gold is None:
        raise ValueError(f"{task.task_id}: {task.test_file} is missing at {task.new_revision}")
    if task.track is Track.UPDATE:
        target_methods(task, gold)  # which raises where the task does not fit its history
        start = read(task.old_revision, task.old_test_file) if task.old_test_file else None
        start = start and _as_in_new_revision(task, start)
    else:
        start = without_targets(task, gold) if task.old_test_file else None
    return TargetFile(task.test_file, start, gold, task.compiled_as)


def _as_in_new_revision(task: Task, old: bytes) -> bytes:
    try:
        return rewritten(old, task.old_encoding or USUAL, task.compiled_as)
    except UnwritableError as error:
        raise ValueError(f"{task.task_id}: the old test file cannot be put into the new revision: {error}") from error


def without_targets(task: Task, content: bytes) -> bytes:
    """A test file without the target methods of a task and the comments right before them, which would give hints."""
    for method in sorted(target_methods(task, content), key=lambda found: -found.start_byte):
        before, after = content[: method.start_byte], content[method.end_byte :]
        before = before[: start_of_last_comments(before)]
        content = before.rstrip(b" \t") + after.removeprefix(b"\r").removeprefix(b"\n")
    return content


def target_methods(task: Task, content: bytes) -> list[JavaMethod]:
    """Where the target methods of a task lie in the developer's file."""
    by_first_line = {method.span.first_line: method for method in _methods(task, content)}
    missing = [str(evidence.test) for evidence in task.tests if evidence.new_span.first_line not in by_first_line]
    if missing:
        raise ValueError(f"{task.task_id}: {', '.join(missing)} not found where the task says")
    return [by_first_line[evidence.new_span.first_line] for evidence in task.tests]


def _methods(task: Task, content: bytes) -> Sequence[JavaMethod]:
    return parse_java(content, task.test_file, task.compiled_as).methods
