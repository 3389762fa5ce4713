"""Client of `jvm/refactoring`: the refactorings between two sets of files, or why they are not known (TEB-X10, X11).

Detection is known to hang and to run out of memory, so it has a JVM of its own with limits from outside, and a failure
is an answer: "none found" and "not known" must never look alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from testevo.builds.maven.line_service import FIRST_TIER, LineService, ServiceError, java_service_command
from testevo.records.labels import Purity, Refactoring
from testevo.runtime.files.jars import tool_jar

DETECTOR_NEEDS_JDK = 17
"""Or a newer one."""


@dataclass(frozen=True)
class Detection:
    """Refactorings sorted by kind and description, or the reason why there is no answer."""

    refactorings: tuple[Refactoring, ...]
    failure: str | None = None


class RefactoringDetector:
    """A warm JVM of `java_home` (Java 17 or later) that looks for refactorings.

    `seconds` limits one detection, `memory_mb` the heap. The JVM starts at the first detection, and again after one
    that failed.
    """

    def __init__(self, java_home: Path, seconds: float = 60.0, memory_mb: int = 2048) -> None:
        arguments = [FIRST_TIER, "-jar", str(tool_jar("refactoring"))]
        command = java_service_command(java_home, memory_mb, arguments)
        self._service = LineService(command, name="refactoring detector", seconds=seconds)

    def detect(self, before: Mapping[str, str], after: Mapping[str, str]) -> Detection:
        """Refactorings between the Java files of two revisions, as texts by repository-relative path.

        Files that are equal at both ends are left out: only changed files are looked at.

        Raises:
            MachineError: the JVM cannot be started.
        """
        old, new = _changed(before, after), _changed(after, before)
        if not old or not new:
            return Detection(())
        try:
            answer = self._service.ask({"command": "detect", "before": old, "after": new})
        except ServiceError as error:
            return Detection((), str(error))
        found = {_refactoring(described) for described in answer["refactorings"]}
        return Detection(tuple(sorted(found, key=lambda one: (one.kind, one.description, one.declarations))))

    def close(self) -> None:
        self._service.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def _changed(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    return {path: one[path] for path in sorted(one) if path.endswith(".java") and other.get(path) != one[path]}


def _refactoring(described: Mapping[str, Any]) -> Refactoring:
    declarations = [
        f"{side}:{place['path']}:{place['first']}-{place['last']}"
        for side, places in (("L", described["left"]), ("R", described["right"]))
        for place in places
        if place["kind"] == "METHOD_DECLARATION"
    ]
    return Refactoring(
        kind=described["type"],
        description=described["description"].replace("\t", " "),
        declarations=tuple(sorted(set(declarations))),
        purity=Purity[described["purity"].upper()],
    )
