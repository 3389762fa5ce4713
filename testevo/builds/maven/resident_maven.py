"""Maven in a JVM that stays: its own classes are loaded and compiled once, and a run costs a third.

Everything else is as new in each run (`jvm/maven`): the container, the plugins' classes, system properties. What it
finds is still not the last word: only a build that succeeds, or that javac refuses, is believed; after any other end
the caller asks a Maven of its own process.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.inputs.jvm_config import JVM_CONFIG
from testevo.builds.maven.line_service import LineService, ServiceError
from testevo.builds.maven.maven_run import MOST_OUTPUT_BYTES, Maven, what_to_do
from testevo.builds.project.settings import maven_command
from testevo.runtime.files.jars import tool_jar
from testevo.runtime.processes.processes import Finished

_NEEDS_ITS_OWN = (JVM_CONFIG, Path(".mvn", "extensions.xml"))
"""A project with one of them gets a Maven of its own: options of the JVM, parts of Maven's core."""


class ResidentMaven:
    """One JVM for each JDK, started at its first run and ended by `close`.

    Args:
        work: folder for what it needs; checkouts are built in `folder`, which is the working folder of the JVMs, as
            plugins resolve paths against it.
    """

    def __init__(self, work: Path) -> None:
        self._work = work
        self.folder = work / "checkout"
        self._services: dict[tuple[str, ...], LineService] = {}

    def serves(self, project: Path) -> bool:
        """Whether the project in a folder can be built by it, and Maven is installed in a way it knows."""
        return _installed() is not None and not any((project / path).exists() for path in _NEEDS_ITS_OWN)

    def run(
        self, maven: Maven, goals: Sequence[str], *, offline: bool, record: Path, more: Mapping[str, str]
    ) -> Finished | None:
        """Run goals on what lies in `folder`, which it `serves`; None when its JVM does not answer.

        Args: as those of `Maven.run`.
        """
        installed = _installed()
        assert installed is not None, "it serves nothing"
        service = self._service(installed.command(maven), maven)
        arguments = (*maven.command(offline=offline)[1:], *what_to_do(goals, record=record, more=more))
        stdout, stderr = self._work / "stdout", self._work / "stderr"
        request = {
            "command": "run",
            "folder": str(self.folder),
            "arguments": arguments,
            "stdout": str(stdout),
            "stderr": str(stderr),
        }
        try:
            with maven.opened(self.folder, offline=offline):
                answer = service.ask(request, maven.seconds)
        except ServiceError:
            return None
        if answer["recycle"]:
            service.close()
        return Finished(arguments, answer["status"], _beginning(stdout), _beginning(stderr), timed_out=False)

    def close(self) -> None:
        for service in self._services.values():
            service.close()
        self._services.clear()

    def _service(self, command: tuple[str, ...], maven: Maven) -> LineService:
        if command not in self._services:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._services[command] = LineService(
                command,
                name="Maven",
                seconds=maven.seconds,
                folder=self.folder,
                environment={**maven.environment(), "MAVEN_PROJECTBASEDIR": str(self.folder)},
            )
        return self._services[command]


def _beginning(file: Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(MOST_OUTPUT_BYTES)


@dataclass(frozen=True)
class _Installed:
    """Maven as it is distributed."""

    home: Path
    configuration: Path
    """The jars of Maven's core."""
    loader: Path
    """The jar that reads that."""

    def command(self, maven: Maven) -> tuple[str, ...]:
        """As the script of the installation starts it, but for the main class."""
        return (
            str(maven.jdk.home / "bin" / "java"),
            *maven.jvm_options(),
            "-classpath",
            f"{self.loader}:{tool_jar('maven')}",
            f"-Dclassworlds.conf={self.configuration}",
            f"-Dmaven.home={self.home}",
            f"-Dlibrary.jansi.path={self.home / 'lib' / 'jansi-native'}",
            "testevo.maven.Main",
        )


def _installed() -> _Installed | None:
    """None when it is laid out in another way."""
    home = maven_command().parent.parent
    configuration = home / "bin" / "m2.conf"
    loaders = sorted((home / "boot").glob("plexus-classworlds*.jar"))
    return _Installed(home, configuration, loaders[0]) if configuration.is_file() and len(loaders) == 1 else None
