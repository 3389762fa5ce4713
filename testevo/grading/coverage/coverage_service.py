"""Client of `jvm/coverage`: JaCoCo's probes into class files, and their notes into lines, in one warm JVM."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from testevo.builds.maven.line_service import FIRST_TIER, LineService, java_service_command
from testevo.runtime.files.jars import tool_jar

JACOCO = "0.8.15"
"""The version in `jvm/coverage/pom.xml`; part of the key of every result."""
_MEMORY_MB = 256
_SECONDS = 120.0


@dataclass(frozen=True, order=True)
class SourceFile:
    """A source file by the class files it was compiled to."""

    folder: str
    """Absolute folder of class files."""
    package: str
    """`a/b`, '' for the unnamed package."""
    file: str

    @property
    def name(self) -> str:
        return f"{self.package}/{self.file}" if self.package else self.file


@dataclass(frozen=True)
class Line:
    """A line with byte code."""

    number: int
    covered: int
    """Instructions of the line that ran."""
    instructions: int


@dataclass(frozen=True)
class Instrumented:
    """The classes and lines that were instrumented."""

    classes: tuple[str, ...]
    """Internal names."""
    lines: tuple[tuple[str, int], ...]
    """`SourceFile.name` and line of each place where an entered line is noted."""


class CoverageService:
    """Reads and rewrites class files; never loads one.

    Requests raise `ServiceError` when there is no answer, for example when the probes of a
    run are not probes of these classes.
    """

    def __init__(self, java_home: Path) -> None:
        command = java_service_command(java_home, _MEMORY_MB, [FIRST_TIER, "-jar", str(tool_jar("coverage"))])
        self._service = LineService(command, name="coverage service", seconds=_SECONDS)

    def instrument(self, sources: Iterable[SourceFile], output: Path) -> Instrumented:
        """Write the classes of `sources`, with probes, below `output`."""
        request = {"command": "instrument", "sources": _sources(sources), "output": str(output.absolute())}
        answer = self._service.ask(request)
        places = (place.rpartition(":") for place in answer["lines"])
        return Instrumented(tuple(answer["classes"]), tuple((name, int(line)) for name, _, line in places))

    def analyse(self, sources: Iterable[SourceFile], probes: Sequence[str]) -> Mapping[str, list[Line]]:
        """Lines by `SourceFile.name`, from the class files as they were before `instrument`.

        Args:
            probes: as the launcher reads them at the end of a run; classes without an entry were never loaded.
        """
        answer = self._service.ask({"command": "analyse", "sources": _sources(sources), "probes": list(probes)})
        return {name: [Line(*line) for line in lines] for name, lines in answer["files"].items()}

    def close(self) -> None:
        self._service.close()


def _sources(sources: Iterable[SourceFile]) -> list[dict[str, str]]:
    return [asdict(source) for source in sorted(set(sources))]
