"""The target test file of a task as a candidate finds it, and as its developer left it (TEB-E01)."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from testevo.java.declarations import JavaMethod
from testevo.java.encodings import USUAL, UnwritableError, rewritten
from testevo.java.syntax import parse_java
from testevo.java.tokens import end_of_first_comments, start_of_last_comments
from testevo.records.methods import TestKey
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
    """A test file without the target methods of a task and the comments that would give hints: those right before
    them, and those that begin behind them on their last line."""
    # An inherited test that runs in two classes is one method of the file.
    methods = {method.start_byte: method for method in target_methods(task, content)}
    for _, method in sorted(methods.items(), reverse=True):
        before, after = content[: method.start_byte], content[method.end_byte :]
        before = before[: start_of_last_comments(before)]
        after = after[end_of_first_comments(after) :]
        content = before.rstrip(b" \t") + after.removeprefix(b"\r").removeprefix(b"\n")
    return content


def target_methods(task: Task, content: bytes) -> list[JavaMethod]:
    """Where the target methods of a task lie in the developer's file, one for each target.

    Methods that begin on one line are told apart by name and parameters, and then by the class: an inherited test has
    that of a subclass, and is refused where two classes declare such a method on the line. The only method of a line
    is taken for the target: its name may be read in another encoding than that of the build.

    Raises:
        ValueError: the file does not declare a target where the task says, or more than one method may be the target.
    """
    on_line: dict[int, list[JavaMethod]] = defaultdict(list)
    for method in parse_java(content, task.test_file, task.compiled_as).methods:
        on_line[method.span.first_line].append(method)
    found = [the_target(on_line[evidence.new_span.first_line], evidence.test) for evidence in task.tests]
    missing = [str(evidence.test) for evidence, method in zip(task.tests, found, strict=True) if method is None]
    if missing:
        raise ValueError(f"{task.task_id}: {', '.join(missing)} not found where the task says")
    return [method for method in found if method is not None]


def the_target(methods: Sequence[JavaMethod], test: TestKey) -> JavaMethod | None:
    """The one method of the line of a target that is the target; None when none or more of them may be."""
    alike = [one for one in methods if (one.key.name, one.key.parameters) == (test.name, test.parameters)]
    exact = [one for one in alike if one.key.type_name == test.type_name]
    found = exact[:1] or alike or methods
    return found[0] if len(found) == 1 else None
