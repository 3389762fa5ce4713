"""Tell a machine that cannot build from a commit that does not build, before a failure becomes a verdict.

What Maven says is trusted where it is unmistakable. Where it never came to speak, the programs are started again
without any project: when that fails too, no commit is at fault.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.runtime.errors import MachineError
from testevo.runtime.machine_faults import DISK, HEAP, MEMORY, NETWORK, PROGRAM
from testevo.runtime.network import has_network
from testevo.runtime.processes.processes import Finished, run_command

PROBE_SECONDS = 60.0

SMALL_HEAP = ("-Xmx64m",)
"""By itself a JVM reserves a quarter of the machine's memory, which a limit on a login node may forbid."""

_WORDS = 300
"""Characters of a program's output in a message."""

WITHOUT_NETWORK = " Where build.cache has all artifacts already, build.offline: true goes without the network."

_TRANSFER = re.compile(r"from/to (\S+) \((\S+?)\):? ([^\n]*)")
OWN_REGISTRIES = ("configured-mirror", "https-instead-of-http")
"""Ids of the mirrors in the generated settings (`testevo.builds.project.settings`)."""
_COMPILER_SPOKE = re.compile(r"^\[ERROR\] COMPILATION ERROR", re.MULTILINE)
_PLACED = re.compile(r"^\[ERROR\] /[^\n]*?\.(?:java|kt|groovy|scala):", re.MULTILINE)
_CANNOT_WRITE = re.compile(
    r"^\[ERROR\] /[^\n]*?\.java:\[?\d+(?:,\d+)?\]?:? ?(?:error: )?error while writing [\w.$]+: [^\n]*$", re.MULTILINE
)
"""The one message of javac that has a place in a source and is about the machine."""
_QUOTED = re.compile(r'"[^"\n]*"|\'[^\'\n]*\'|`[^`\n]*`')
_MAVEN_SPOKE = re.compile(r"^\[(?:INFO|DEBUG|WARNING|ERROR|FATAL)\]", re.MULTILINE)


@dataclass(frozen=True)
class BuildPrograms:
    """The programs that a run of Maven starts, and their environment."""

    java: Path
    mvn: Path
    environment: Mapping[str, str]
    folder: Path
    """Where no project lies: nothing in it can make a program fail."""


def require_machine(finished: Finished, programs: BuildPrograms, *, own_options: bool) -> None:
    """Refuse to judge a failed run of Maven that is the machine's fault.

    Args:
        finished: a run that did not succeed within its time limit.
        programs: what it started.
        own_options: whether the project has options of its own for Maven's JVM (`.mvn/jvm.config`), which may be what
            keeps it from starting.

    Raises:
        MachineError: disk or memory were used up, or Java or Maven cannot be started. It names the program, its exit
            status, what it said, and what to do.
    """
    text = finished.text
    said = without_quotations(text)
    if finished.status in MEMORY.statuses:
        raise MEMORY.error(f"Maven was killed (exit status {finished.status}); most often memory ran out")
    errors = "\n".join(line for line in said.splitlines() if line.startswith("[ERROR]"))
    spoke = _MAVEN_SPOKE.search(text) is not None
    heard = errors if spoke else said
    require_space_for(heard)
    if sign := MEMORY.sign(heard):
        raise MEMORY.error(f"Maven ended with exit status {finished.status}: {sign}")
    if spoke:
        return
    require_programs(programs)
    if not own_options and (sign := HEAP.sign(said)):
        raise HEAP.error(f"Maven ended with exit status {finished.status}: {sign}")


def require_registry(finished: Finished, registry: str | None) -> None:
    """Refuse to judge a failed run of Maven with the network that could not reach the artifact registry.

    A registry that answers, if only that it has no such artifact, and an unreachable one that a project names itself
    while there is a network are not faults of the machine.

    Args:
        finished: a run that did not succeed.
        registry: address that Maven asks by itself; None where it is not known.

    Raises:
        MachineError: the registry cannot be reached.
    """
    lines = without_quotations(finished.text).splitlines()
    errors = "\n".join(line for line in lines if line.startswith(("[ERROR]", "[FATAL]")))
    for name, address, words in _TRANSFER.findall(errors):
        ours = name in OWN_REGISTRIES or (registry is not None and address.startswith(registry))
        if (said := NETWORK.sign(words.split(" -> [Help")[0])) and (ours or not has_network()):
            raise NETWORK.error(f"The artifact registry {address} cannot be reached: {said}", WITHOUT_NETWORK)


def without_quotations(said: str) -> str:
    """What Maven says without what compilers and their processors quote from sources, which can say anything.

    Where a message has a place in a source file, sources are what the build fails for: of such an output only what
    javac says about files that it cannot write is left. Of other messages of a compiler, words in quotes go.
    """
    if _PLACED.search(said):
        return "\n".join(_CANNOT_WRITE.findall(said))
    return _QUOTED.sub("", said) if _COMPILER_SPOKE.search(said) else said


def require_space_for(said: str) -> None:
    """Refuse to judge a build that says there was no space left.

    Raises:
        MachineError: the disk is full.
    """
    if DISK.sign(said):
        raise DISK.error("A build found no space left on the disk")


def require_programs(programs: BuildPrograms) -> None:
    """Start Java and Maven without a project.

    Raises:
        MachineError: one of them does not start.
    """
    if not programs.java.is_file():
        raise PROGRAM.error(
            f"The JDK {programs.java.parent.parent} is not there any more: it has no bin/java",
            " Put it back, or run without it: every project is then built with the JDKs that are left.",
        )
    for command in ([str(programs.java), *SMALL_HEAP, "-version"], [str(programs.mvn), "-version"]):
        started = start(command, programs.environment, programs.folder)
        if started.fault:
            raise PROGRAM.error(started.fault.rstrip("."), " Free memory if it is that.")


def require_jvm(java: Path, memory_mb: int) -> None:
    """Start a JVM with as large a heap as a test run may have, and nothing of a project.

    Raises:
        MachineError: it does not start.
    """
    fault = start([str(java), f"-Xmx{memory_mb}m", "-version"], {"LC_ALL": "C.UTF-8"}, Path("/")).fault
    if fault:
        raise PROGRAM.error(fault.rstrip("."), " Lower execution.memory_mb or machine.processes if memory is short.")


@dataclass(frozen=True)
class Started:
    """How a program answered that was asked for its version."""

    said: str
    fault: str
    """A sentence with the program, its exit status and what it said; '' when it ended well."""


def start(command: Sequence[str], environment: Mapping[str, str] | None = None, folder: Path | None = None) -> Started:
    """Start a program that should end at once and well, such as `java -version`."""
    try:
        finished = run_command(command, environment=environment, folder=folder, seconds=PROBE_SECONDS)
    except MachineError as error:
        return Started("", str(error))
    said = finished.text.strip()
    if finished.ok:
        return Started(said, "")
    how = f"gave no answer within {PROBE_SECONDS:g} s" if finished.timed_out else f"exit status {finished.status}"
    words = " ".join(said.split())[:_WORDS].rstrip(".") or "it said nothing"
    return Started(said, f"`{' '.join(command)}` does not start ({how}): {words}.")
