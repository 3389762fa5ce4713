"""The run that makes an archive of class data: tests of our own, on the JUnit of a project, in the sandbox.

JUnit comes from the project's dependencies, so it is strangers' code like its tests. What an archive made with it can
do, the jars themselves could do in every run that uses it.
"""

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from testevo.build.jdks import Jdk
from testevo.execution.archives import QUIET
from testevo.execution.class_path_order import has
from testevo.execution.processes import run_watched
from testevo.execution.sandbox import Confinement, Sandbox
from testevo.execution.surroundings import QUICK_START, SERIAL, Surroundings, environment

_PACKAGE = "testevo.launcher.rehearsal"
_SECONDS = 120.0
_MEMORY_MB = 512
_PARTS = {
    "junit3": (("junit/framework/TestCase.class", "Junit3Rehearsal", ("testPasses",)),),
    "junit4": (
        ("org/junit/Test.class", "Junit4Rehearsal", ("passes",)),
        ("junit/framework/TestCase.class", "Junit3Rehearsal", ("testPasses",)),
    ),
    "platform": (
        ("org/junit/jupiter/engine/JupiterTestEngine.class", "JupiterRehearsal", ("passes()",)),
        ("org/junit/jupiter/params/ParameterizedTest.class", "ParametersRehearsal", ()),
        ("org/junit/vintage/engine/VintageTestEngine.class", "Junit4Rehearsal", ("passes",)),
    ),
}
"""By back end: the class that must be there, the class of ours that needs it, methods to be run alone."""


def can_rehearse(framework: str, jars: Sequence[Path]) -> bool:
    """Whether the jars hold enough of JUnit to run a test."""
    return any(has(jars, needed) for needed, _, _ in _PARTS.get(framework, ()))


def selections(framework: str, jars: Sequence[Path]) -> list[str]:
    """What is run: lines of a request."""
    parts = [part for part in _PARTS[framework] if has(jars, part[0])]
    methods = [f"select-method {_PACKAGE}.{name}#{method}" for _, name, methods in parts for method in methods]
    return [*methods, *(f"select-class {_PACKAGE}.{name}" for _, name, _ in parts)]


def rehearse(jdk: Jdk, framework: str, jars: Sequence[Path], file: Path, sandbox: Sandbox, work: Path) -> str:
    """Make the archive `file` of the classes that a run of our own tests loads from `jars` and from the JDK.

    Returns:
        '' or why there is none.
    """
    work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=work, prefix="rehearsal-", ignore_cleanup_errors=True) as name:
        private = Path(name).resolve()
        surroundings = Surroundings.made_in(private)
        made = private / "classes.jsa"
        request = private / "request"
        lines = [f"backend {framework}", "on-class-path true", *selections(framework, jars)]
        request.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        read_end, write_end = os.pipe()
        java = [
            str(jdk.home / "bin" / "java"), SERIAL, *QUICK_START, "-ea", "-Dfile.encoding=UTF-8",
            f"-Djava.io.tmpdir={surroundings.temporary}", f"-XX:ArchiveClassesAtExit={made}", *QUIET,
            f"-Xmx{_MEMORY_MB}m", "-cp", os.pathsep.join(map(str, jars)), "testevo.launcher.Main", str(request),
            f"/dev/fd/{write_end}"]
        watched = run_watched(
            sandbox.command(java, Confinement(surroundings.home, (jdk.home, *jars), (private,), _MEMORY_MB)),
            (read_end, write_end), folder=surroundings.home, environment=environment(jdk, surroundings, {}),
            seconds=_SECONDS, output_bytes=2**16)
        if b'"outcome":"passed"' not in watched.channel or b'"event":"end"' not in watched.channel:
            return "the tests that fill it did not pass; " + _last_line(watched.stderr or watched.stdout)
        if not made.is_file() or made.is_symlink():
            return "the JVM wrote none; " + _last_line(watched.stderr or watched.stdout)
        made.chmod(0o444)
        part = file.with_name(f".{file.name}.part")
        shutil.move(made, part)
        part.replace(file)
    return ""


def _last_line(output: bytes) -> str:
    lines = output.decode("utf-8", "replace").strip().splitlines()
    return f"it said: {lines[-1][:300]}" if lines else "it said nothing"
