"""Run Maven's phase `test` on a build: in its folder, or in a sandbox on a copy of it.

In a sandbox Maven and the tests that it starts see the copy in the place of the build, the JDK, Maven itself and its
settings, and the local repository, which they cannot change; there is no network. The reports of Surefire lie among
files that tests can write, so such a run alone is believed of the tests of a project, and not of a submission.
"""

import math
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from testevo.builds.engine import BuiltModule, BuiltTree
from testevo.builds.inputs.jvm_config import memory_beside
from testevo.builds.maven.line_service import FIRST_TIER
from testevo.builds.maven.maven_run import LOCKS_IN_MEMORY
from testevo.builds.model.surefire_settings import REPORTS
from testevo.builds.project.jdks import Jdk
from testevo.execution.jvms.environment import NO_ASSISTIVE_TECHNOLOGIES, JvmEnvironment, environment
from testevo.execution.jvms.sandbox_proof import prove
from testevo.execution.runner import Limits
from testevo.runtime.errors import MachineError, UsageError
from testevo.runtime.files.jars import tool_jar
from testevo.runtime.files.plain_files import read_plain
from testevo.runtime.files.removal import remove_folder, temporary_folder
from testevo.runtime.files.walk import walk
from testevo.runtime.processes.ports import says_taken, sharing_ports
from testevo.runtime.processes.processes import Finished, run_command
from testevo.runtime.stopwatch import timed
from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.name_spaces import with_own_processes
from testevo.sandboxes.sandbox import Sandbox
from testevo.sandboxes.watching import ProcessLimits

MAVEN_SECONDS = 60
"""Time that Maven may take for a module beside the test JVM."""
_SETTINGS_OF_DEBIAN = Path("/etc/maven")
"""The configuration of Debian's Maven, to which links in its own folder lead."""
_OUTPUT_BYTES = 64 * 2**20
_EXTENSION = "maven"
"""Our jar that lets Surefire write its usual reports, by class and method, whatever a POM asks for."""
_PLAIN_REPORTS = "-Dtestevo.reports=plain"
"""What it is told, as a property of Maven's JVM: tests see what is said to Maven itself."""
_REPORT_SUFFIXES = (".xml", ".txt")
_FAILED = re.compile(rb"Tests run: \d+, (?:Failures: [1-9]|Failures: \d+, Errors: [1-9])")
_FOR_TESTS = (
    "-DfailIfNoTests=false",
    "-Dsurefire.failIfNoSpecifiedTests=false",
    "-Dmaven.test.failure.ignore=true",
    "-DskipTests=false",
    "-Dsurefire.runOrder=alphabetical",
    NO_ASSISTIVE_TECHNOLOGIES,
)


@dataclass(frozen=True)
class TestedBuild:
    """A build on which Maven has run tests."""

    __test__ = False  # no class of tests, whatever pytest takes it for

    finished: Finished
    folder: Path
    """Of the top-level POM, where the reports are."""
    built_in: Path
    """The same folder by the name that the run itself knows."""

    def folder_of(self, module: BuiltModule) -> Path:
        """The folder of a module's POM, whatever the working folder of its tests is."""
        return self.folder / module.path


class MavenTests(Protocol):
    """A way to run Maven's phase `test`."""

    identity: str
    """Names what of it can change how a test ends; '' for plain Maven."""
    sandbox: str

    def run(self, tree: BuiltTree, arguments: Sequence[str], seconds: float) -> AbstractContextManager[TestedBuild]:
        """Run the tests that `arguments` select, all without any; the reports are there inside the context.

        Args:
            seconds: the limit for each test JVM; Maven itself gets a minute more per module.

        Raises:
            UsageError: the tree was not built by Maven.
            MachineError: Maven cannot be started.
        """
        ...


class UnconfinedMaven:
    """Runs Maven in the folder of the build, with processes of its own (`MavenTests`).

    Args:
        limits: its heap, where it runs tests itself, is bounded by theirs; nothing else is.
    """

    identity = ""
    sandbox = "none"

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()

    @contextmanager
    def run(self, tree: BuiltTree, arguments: Sequence[str], seconds: float) -> Iterator[TestedBuild]:
        """See `MavenTests.run`."""
        folder = _built_folder(tree)

        @timed("test JVMs")
        def once() -> Finished:
            _remove_reports(tree, folder)
            with temporary_folder(Path(tempfile.gettempdir()), "testevo-") as private:
                jvm_environment = JvmEnvironment.made_in(private)
                return run_command(
                    with_own_processes(_command(tree, jvm_environment, arguments, seconds)),
                    folder=folder,
                    environment=_environment(tree.jdk, jvm_environment, folder, self._limits),
                    seconds=_whole_seconds(tree, seconds),
                )

        finished = sharing_ports(once, lambda finished: _found_port_taken(tree, folder, finished))
        yield TestedBuild(finished, folder, built_in=folder)


class ConfinedMaven:
    """Runs Maven in a sandbox, on a copy of the build (`MavenTests`).

    Args:
        sandbox: one that shows a copy in the place of what is copied, and makes all else read-only.
        work: folder outside all trees for the copies.
        limits: its bounds of memory and disk hold for Maven and all that it starts.
    """

    def __init__(self, sandbox: Sandbox, work: Path, limits: Limits) -> None:
        self._sandbox, self._work, self._limits = sandbox, work, limits
        self.identity = sandbox.identity
        self.sandbox = sandbox.name
        self._starts: set[str] = set()
        """Programs that were seen to start inside."""

    @contextmanager
    def run(self, tree: BuiltTree, arguments: Sequence[str], seconds: float) -> Iterator[TestedBuild]:
        """See `MavenTests.run`."""
        folder = _built_folder(tree)
        self._work.mkdir(parents=True, exist_ok=True)
        prove(self._sandbox, tree.jdk, self._work)
        with temporary_folder(self._work, "surefire-") as own:
            copy, private = own / "build", own / "private"
            shutil.copytree(folder, copy, symlinks=True)
            _remove_reports(tree, copy)
            private.mkdir()
            jvm_environment = JvmEnvironment.made_in(private)
            confinement = self._confinement(tree, folder, copy, private)
            variables = _environment(tree.jdk, jvm_environment, folder, self._limits)
            self._require_start(tree.maven[0], confinement, variables)
            command = _command(tree, jvm_environment, arguments, seconds)
            finished = self._inside(command, confinement, variables, _whole_seconds(tree, seconds))
            yield TestedBuild(finished, copy, built_in=folder)

    def _confinement(self, tree: BuiltTree, folder: Path, copy: Path, private: Path) -> Confinement:
        program, *words = tree.maven
        named = (Path(word.rpartition("=")[2]) for word in words)
        return Confinement(
            working_folder=folder,
            readable=(
                Path(program).parent.parent,
                _SETTINGS_OF_DEBIAN,
                tree.jdk.home,
                tool_jar(_EXTENSION),
                *(path for path in named if path.is_absolute()),
            ),
            writable=(private,),
            memory_mb=self._limits.memory_mb,
            working_copy=copy,
            copied_folder=folder,
            disk_mb=self._limits.disk_mb,
        )

    def _inside(
        self, command: Sequence[str], confinement: Confinement, variables: Mapping[str, str], seconds: float
    ) -> Finished:
        watched = self._sandbox.run(lambda _: command, confinement, variables, ProcessLimits(seconds, _OUTPUT_BYTES))
        return Finished(tuple(command), watched.status, watched.stdout, watched.stderr, watched.timed_out)

    def _require_start(self, program: str, confinement: Confinement, variables: Mapping[str, str]) -> None:
        """A Maven that ends at once would look like a project that has no tests."""
        if program in self._starts:
            return
        finished = self._inside([program, "-version"], confinement, variables, MAVEN_SECONDS)
        if not finished.ok:
            raise MachineError(
                f"{program} does not start in the sandbox `{self.sandbox}`: {finished.tail(3) or finished.status}. "
                "Put the program `mvn` of a whole installation of Maven first on PATH, not a script that leads to one."
            )
        self._starts.add(program)


def report_folders(folder: Path) -> list[Path]:
    """Folders with Surefire reports of the module with its POM in `folder`, not those of modules inside it."""
    found = []
    for place, entries in walk(folder):
        if place and any(entry.name == "pom.xml" for entry in entries):
            entries.clear()
        found += [Path(one) for one in entries if one.name == REPORTS and one.is_dir(follow_symlinks=False)]
    return sorted(found)


def _built_folder(tree: BuiltTree) -> Path:
    if not tree.maven or tree.maven_folder is None:
        raise UsageError("The reference runner needs trees that the engine `maven` built. Set `build.engine: maven`.")
    return tree.maven_folder


def _remove_reports(tree: BuiltTree, folder: Path) -> None:
    for module in tree.modules:
        for reports in report_folders(folder / module.path):
            remove_folder(reports)


def _found_port_taken(tree: BuiltTree, folder: Path, finished: Finished) -> bool:
    """Whether tests failed, and Maven or a report says so; Maven shows no test's own output that goes into a file."""
    said = finished.stdout + finished.stderr
    if not _FAILED.search(said):
        return False
    folders = (folder / module.path for module in tree.modules)
    return says_taken(said) or any(says_taken(text) for one in folders for text in _report_texts(one))


def _report_texts(folder: Path) -> Iterator[bytes]:
    """What the reports say of the module with its POM in `folder`."""
    for reports in report_folders(folder):
        for file in sorted(reports.iterdir()):
            if file.suffix in _REPORT_SUFFIXES:
                yield read_plain(folder, file.relative_to(folder).as_posix(), _OUTPUT_BYTES) or b""


def _command(tree: BuiltTree, jvm_environment: JvmEnvironment, arguments: Sequence[str], seconds: float) -> list[str]:
    limits = (f"-Duser.home={jvm_environment.home}", f"-Dsurefire.timeout={math.ceil(seconds)}")
    return [*tree.maven, *_FOR_TESTS, f"-Dmaven.ext.class.path={tool_jar(_EXTENSION)}", *limits, *arguments, "test"]


def _environment(jdk: Jdk, jvm_environment: JvmEnvironment, folder: Path, limits: Limits) -> dict[str, str]:
    options = [*memory_beside(folder, limits.memory_mb), FIRST_TIER, LOCKS_IN_MEMORY, _PLAIN_REPORTS]
    return environment(jdk, jvm_environment, {"MAVEN_OPTS": " ".join(options), "MAVEN_SKIP_RC": "1"})


def _whole_seconds(tree: BuiltTree, seconds: float) -> float:
    return (seconds + MAVEN_SECONDS) * max(1, len(tree.modules))
