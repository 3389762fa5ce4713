"""The runs that make an archive of class data: tests of our own, on the JUnit of a project, in the sandbox.

JUnit comes from the project's dependencies, so it is untrusted code like its tests. What an archive made with it can
do, the jars themselves could do in every run that uses it.
"""

import os
import secrets
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.inputs.jvm_config import SERIAL
from testevo.builds.project.jdks import Jdk
from testevo.execution.jvms.archives import QUIET, ClassArchive
from testevo.execution.jvms.class_path_order import has
from testevo.execution.jvms.environment import QUICK_START, JvmEnvironment, environment
from testevo.execution.verdicts.channel import KEY_BYTES
from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.sandbox import Sandbox
from testevo.sandboxes.watching import ProcessLimits, Watched

_PACKAGE = "testevo.launcher.training"
_SECONDS = 120.0
_MEMORY_MB = 512
_PARTS = {
    "junit3": (("junit/framework/TestCase.class", "Junit3Training", ("testPasses",)),),
    "junit4": (
        ("org/junit/Test.class", "Junit4Training", ("passes",)),
        ("junit/framework/TestCase.class", "Junit3Training", ("testPasses",)),
    ),
    "platform": (
        ("org/junit/jupiter/engine/JupiterTestEngine.class", "JupiterTraining", ("passes()",)),
        ("org/junit/jupiter/params/ParameterizedTest.class", "ParametersTraining", ()),
        ("org/junit/vintage/engine/VintageTestEngine.class", "Junit4Training", ("passes",)),
    ),
}
"""By back end: the class that must be there, the class of ours that needs it, methods to be run alone."""


def can_train(framework: str, jars: Sequence[Path]) -> bool:
    """Whether the jars hold enough of JUnit to run a test."""
    return any(has(jars, needed) for needed, _, _ in _PARTS.get(framework, ()))


def selections(framework: str, jars: Sequence[Path]) -> list[str]:
    """The bundled tests to run: lines of a request."""
    parts = [part for part in _PARTS[framework] if has(jars, part[0])]
    methods = [f"select-method {_PACKAGE}.{name}#{method}" for _, name, methods in parts for method in methods]
    return [*methods, *(f"select-class {_PACKAGE}.{name}" for _, name, _ in parts)]


@dataclass(frozen=True)
class TrainingRun:
    """Makes archives (`testevo.execution.jvms.archives.Maker`) for a JDK and a back end."""

    jdk: Jdk
    framework: str
    sandbox: Sandbox
    work: Path
    """Scratch folder."""

    def make(self, archive: ClassArchive) -> str:
        """Make the file of an archive: the classes that a run of our own tests loads from its jars and from the JDK.

        Three JVMs: the first runs the tests and lists what it loads, the second writes the archive, the third runs the
        tests again with it.

        Returns:
            '' or why there is none.
        """
        self.work.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.work, prefix="training-", ignore_cleanup_errors=True) as name:
            stage = _Stage(self.jdk, self.framework, archive.jars, self.sandbox, Path(name).resolve())
            return _made(archive, stage)


def _made(archive: ClassArchive, stage: "_Stage") -> str:
    loaded, made = stage.private / "loaded", stage.private / "classes.jsa"
    reason = stage.tests_pass(f"-XX:DumpLoadedClassList={loaded}")
    if reason:
        return f"the tests that fill it do not pass; {reason}"
    listed = stage.private / "listed"
    of_run = loaded.read_text(encoding="utf-8")
    listed.write_text(class_list(of_run, _listed_by(stage.jdk)), encoding="utf-8")
    watched = stage.run(
        [
            # Only this collector writes the heap objects of the JDK into an archive; others may leave them out.
            "-XX:+UseG1GC",
            "-Xshare:dump",
            f"-XX:SharedClassListFile={listed}",
            f"-XX:SharedArchiveFile={made}",
            *QUIET,
        ]
    )
    if not made.is_file() or made.is_symlink():
        return f"the JVM wrote none; {_last_line(watched)}"
    reason = stage.tests_pass(*archive.options(stage.jdk, made))
    if reason:
        return f"tests do not pass with it; {reason}"
    shutil.copyfile(made, archive.file)
    archive.file.chmod(0o444)
    return ""


def class_list(loaded: str, of_jdk: str) -> str:
    """The classes of a run, and those that the JDK puts into its own archive.

    Numbers that the JVM gives to classes are left out, and classes of other loaders, which only numbers can describe.
    """
    lines = [line.split(" id: ")[0] for line in loaded.splitlines() if " source: " not in line]
    lines += of_jdk.splitlines()
    return "".join(f"{line}\n" for line in dict.fromkeys(lines) if line and not line.startswith("#"))


def _listed_by(jdk: Jdk) -> str:
    file = jdk.home / "lib" / "classlist"
    return file.read_text(encoding="utf-8") if file.is_file() else ""


@dataclass(frozen=True)
class _Stage:
    """Where and with what the JVMs of a training run start."""

    jdk: Jdk
    framework: str
    jars: Sequence[Path]
    sandbox: Sandbox
    private: Path

    def tests_pass(self, *options: str) -> str:
        """Run our tests; '' or what they said."""
        request = self.private / "request"
        lines = [f"backend {self.framework}", "on-class-path true", *selections(self.framework, self.jars)]
        request.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        watched = self.run([SERIAL, *QUICK_START, "-ea", *options], "testevo.launcher.Main", str(request))
        said = watched.channel
        return "" if b'"outcome":"passed"' in said and b'"event":"end"' in said else _last_line(watched)

    def run(self, options: Sequence[str], *program: str) -> Watched:
        """One JVM with the jars on its class path; a program is told the channel."""
        with tempfile.TemporaryDirectory(dir=self.private) as name:
            jvm_environment = JvmEnvironment.made_in(Path(name))
            java = [
                str(self.jdk.home / "bin" / "java"),
                *options,
                "-Dfile.encoding=UTF-8",
                f"-Djava.io.tmpdir={jvm_environment.temporary}",
                f"-Xmx{_MEMORY_MB}m",
                "-cp",
                os.pathsep.join(map(str, self.jars)),
                *program,
            ]
            confinement = Confinement(
                jvm_environment.home, (self.jdk.home, *(jar.parent for jar in self.jars)), (self.private,), _MEMORY_MB
            )
            return self.sandbox.run(
                lambda channel: [*java, *([channel, "sealed"] if program else [])],
                confinement,
                environment(self.jdk, jvm_environment, {}),
                ProcessLimits(_SECONDS, 2**16),
                secrets.token_bytes(KEY_BYTES),
            )


def _last_line(watched: Watched) -> str:
    output = watched.stderr or watched.stdout
    lines = output.decode("utf-8", "replace").strip().splitlines()
    return f"it said: {lines[-1][:300]}" if lines else "it said nothing"
