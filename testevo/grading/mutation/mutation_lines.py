"""Select the lines that mutants of a task may change: changed lines within the dependency methods (TEB-V13)."""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from testevo.records.labels import Dependency
from testevo.records.methods import ChangeKind
from testevo.records.tasks import Task
from testevo.revisions.workspace import Workspace

_LINE_END = re.compile(rb"\r\n?|\n")


class MutationLines:
    """Lines by file for the test methods of one task.

    Args:
        lines: `changed` intersects the methods with the lines that `git diff` of the pair adds, renames detected as
            git does; `focal` takes all lines of the methods.
    """

    def __init__(self, task: Task, workspace: Workspace, lines: Literal["changed", "focal"]) -> None:
        self._task = task
        self._git = workspace.git
        self._kind = lines
        paths = {found.path for evidence in task.tests for found in _present(evidence.dependencies)}
        self.sources: Mapping[str, bytes] = self._git.read_many(task.new_revision, sorted(paths))
        self._changed = self._changed_lines(sorted(self.sources)) if lines == "changed" else {}

    def of(self, dependencies: Iterable[Dependency]) -> dict[str, frozenset[int]]:
        """Path → lines of the new revision, for the dependency methods that are still there; files without are left
        out."""
        found: dict[str, set[int]] = {}
        for dependency in _present(dependencies):
            if dependency.path in self.sources:
                span = dependency.span
                lines = set(range(span.first_line, span.last_line + 1))
                if self._kind == "changed":
                    lines &= self._changed[dependency.path]
                found.setdefault(dependency.path, set()).update(lines)
        return {path: frozenset(lines) for path, lines in sorted(found.items()) if lines}

    def _changed_lines(self, paths: list[str]) -> dict[str, frozenset[int]]:
        old, new = self._task.old_revision, self._task.new_revision
        before, after = self._git.java_blobs(old), self._git.java_blobs(new)
        renamed = self._git.renamed_from(old, new) if any(path not in before for path in paths) else {}
        changed = {}
        for path in paths:
            blob = before.get(renamed.get(path, path))
            lines = frozenset(range(1, 2 + self.sources[path].count(b"\n")))
            if blob is not None:
                lines = self._git.added_lines(blob, after[path])
            changed[path] = _java_lines(self.sources[path], lines)
        return changed


def _present(dependencies: Iterable[Dependency]) -> list[Dependency]:
    return [found for found in dependencies if found.kind is not ChangeKind.REMOVED]


def _java_lines(source: bytes, git_lines: frozenset[int]) -> frozenset[int]:
    """Lines as Java and Python count them, from lines that git counts by line feeds alone."""
    if b"\r" not in source.replace(b"\r\n", b"\n"):
        return git_lines
    lines, git_line = set(), 1
    for number, match in enumerate(_LINE_END.finditer(source), start=1):
        if git_line in git_lines:
            lines.add(number)
        git_line += match.group().endswith(b"\n")
    last = len(_LINE_END.findall(source)) + 1
    return frozenset(lines | ({last} if git_line in git_lines else set()))
