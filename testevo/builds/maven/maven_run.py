"""One run of Maven: batch mode, generated settings, a clean environment, no network when asked."""

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.inputs.jvm_config import JVM_CONFIG, memory_beside
from testevo.builds.inputs.plugin_skips import PluginSkips
from testevo.builds.machine_failures import BuildPrograms, require_machine, require_registry
from testevo.builds.maven.line_service import FIRST_TIER
from testevo.builds.maven.registry_check import require_any_registry
from testevo.builds.project.jdks import Jdk
from testevo.builds.project.local_repository import LocalRepository
from testevo.builds.project.settings import default_registry, maven_command, toolchains_xml
from testevo.runtime.files.files import content_key
from testevo.runtime.files.jars import tool_jar
from testevo.runtime.files.whole_files import write_once
from testevo.runtime.processes.processes import Finished, run_command
from testevo.runtime.stopwatch import timed

KEPT_VARIABLES = ("PATH", "TMPDIR")
"""All that Maven and the tests of a project see of the user's environment; JAVA_TOOL_OPTIONS and the like stay out."""

LOCKS_IN_MEMORY = "-Daether.syncContext.named.factory=rwlock-local"
"""As Maven 3.9 has them. Maven 4 locks files in the local repository, which it cannot write to in a sandbox; other
processes are kept out by a lock of our own (`LocalRepository.opened`). For Maven's JVM: tests see what is said to Maven
itself."""

_EQUAL_HASH_CODES = ("-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2")
"""One number for every object whose class has no `hashCode`, instead of a random one for each; JVMs that do not know
how start all the same."""

_MAVEN_JVM = (FIRST_TIER, LOCKS_IN_MEMORY, "-Duser.timezone=UTC", "-Duser.language=en", "-Duser.country=US")

MOST_OUTPUT_BYTES = 256 * 2**20
"""How much is kept of each stream of a run."""


def build_environment(jdk: Jdk, home: Path) -> dict[str, str]:
    """The environment of every build: few variables, one locale, one time zone."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    return {**kept, "HOME": str(home), "JAVA_HOME": str(jdk.home), "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def what_to_do(goals: Sequence[str], *, record: Path | None, more: Mapping[str, str] | None) -> list[str]:
    """The arguments of a run that come after those of every run.

    A run that is recorded tells the causes of its failure (`-e`): some name the JDK that a plugin needs.
    """
    recorder = {} if record is None else {"maven.ext.class.path": str(tool_jar("maven")), "testevo.record": str(record)}
    properties = [f"-D{name}={value}" for name, value in sorted({**(more or {}), **recorder}.items())]
    return [*properties, *([] if record is None else ["-e"]), *goals]


@dataclass(frozen=True)
class Maven:
    """Maven with one JDK and one local repository.

    `level` is a Java level that overrides the declared one, `demanded` what a toolchain asks for.
    """

    local: LocalRepository
    jdk: Jdk
    skips: PluginSkips
    seconds: float = 900.0
    memory_mb: int = 1024
    """Largest heap of its JVM."""
    level: str | None = None
    level_is_assumed: bool = False
    demanded: str | None = None
    equal_hash_codes: bool = False
    """Whether all objects whose classes have no `hashCode` have the same one."""

    @timed("Maven")
    def run(
        self,
        folder: Path,
        goals: Sequence[str],
        *,
        offline: bool,
        record: Path | None = None,
        more: Mapping[str, str] | None = None,
    ) -> Finished:
        """Run `goals` in `folder`, where the top-level POM is; the folder is written to (`target`).

        Args:
            offline: with `-o`; without it the local repository is locked against every other run.
            record: file into which Maven writes what it knows of the build (`build_record`) when it succeeds.
            more: properties besides those of the skip list.

        Raises:
            MachineError: it failed, and the machine or its network is at fault.
        """
        command = [*self.command(offline=offline), *what_to_do(goals, record=record, more=more)]
        with self.opened(folder, offline=offline):
            finished = run_command(
                command,
                folder=folder,
                environment=self.environment(folder),
                seconds=self.seconds,
                output_bytes=MOST_OUTPUT_BYTES,
            )
            if not finished.ok and not finished.timed_out:
                require_machine(finished, self._programs(), own_options=(folder / JVM_CONFIG).exists())
                if not offline:
                    require_registry(finished, default_registry())
        return finished

    def opened(self, folder: Path, *, offline: bool) -> AbstractContextManager[None]:
        """Hold the lock of the local repository for a run in `folder`.

        Raises:
            MachineError: it is the first one with the network, and no artifact registry answers.
        """
        if not offline and not self.local.has_proofs:
            require_any_registry(folder, self.local.settings, default_registry())
        return self.local.opened(offline=offline)

    def command(
        self, *, offline: bool, settings: Path | None = None, toolchains: Path | None = None
    ) -> tuple[str, ...]:
        """The command without goals: settings, local repository, skip list, level.

        Args:
            settings: instead of those of the local repository.
            toolchains: instead of a file beside the local repository.
        """
        settings = settings or self.local.settings
        toolchains = toolchains or self._kept_toolchains()
        places = ["-s", str(settings), "-gs", str(settings), "-t", str(toolchains), "-gt", str(toolchains)]
        places.append(f"-Dmaven.repo.local={self.local.artifacts}")
        network = "-o" if offline else "-ntp"
        # Whatever `.mvn` says. The build cache extension would put what it kept of earlier runs in the place of goals.
        told = ("-B", "-T1", "-Dstyle.color=never", "-Dmaven.build.cache.enabled=false")
        return (str(maven_command()), *told, "-nsu", network, *places, *self.skips.arguments, *self._level_arguments())

    @property
    def toolchains(self) -> bytes:
        """What tells the toolchains plugin which JDK there is."""
        return toolchains_xml(self.jdk, self.demanded).encode()

    def _kept_toolchains(self) -> Path:
        # Named by content: another process may need another one of the same JDK at the same time.
        path = self.local.folder / f"toolchains-{self.jdk.feature}-{content_key(self.toolchains)[:8]}.xml"
        write_once(path, self.toolchains)
        return path

    def environment(self, folder: Path | None = None) -> dict[str, str]:
        """The environment of a run: that of every build, and Maven's own variables.

        Args:
            folder: of the top-level POM; None without a project.
        """
        own = {"MAVEN_SKIP_RC": "1", "MAVEN_OPTS": " ".join(self.jvm_options(folder))}
        return {**build_environment(self.jdk, self.local.home), **own}

    def _programs(self) -> BuildPrograms:
        return BuildPrograms(self.jdk.home / "bin" / "java", maven_command(), self.environment(), self.local.home)

    def jvm_options(self, folder: Path | None = None) -> tuple[str, ...]:
        """Ours of the JVM in which Maven runs, beside those of the project in a folder."""
        chosen = _EQUAL_HASH_CODES if self.equal_hash_codes else ()
        return (*memory_beside(folder, self.memory_mb), *_MAVEN_JVM, *chosen, f"-Duser.home={self.local.home}")

    def _level_arguments(self) -> list[str]:
        if self.level is None:
            return []
        names = ["maven.compiler.source", "maven.compiler.target"]
        if self._release and not self.level_is_assumed:
            names.append("maven.compiler.release")
        return [f"-D{name}={self.level}" for name in names]

    @property
    def _release(self) -> bool:
        """`release` wins over hard-coded levels where the compiler plugin knows it (3.6 and later); JDK 8 does not."""
        return self.jdk.feature >= 9 and self.level is not None and not self.level.startswith("1.")
