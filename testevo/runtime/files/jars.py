"""Find the jars of the Java side that `make setup` has built."""

from functools import cache
from pathlib import Path

from testevo.runtime.errors import MachineError
from testevo.runtime.files.checksums import read_checksums
from testevo.runtime.files.files import file_digest
from testevo.runtime.files.project import PROJECT

JARS = PROJECT / "jvm" / "lib"


def tool_jar(name: str) -> Path:
    """The jar `jvm/lib/<name>.jar`.

    Raises:
        MachineError: it has not been built.
    """
    jar = JARS / f"{name}.jar"
    if not jar.is_file():
        raise MachineError(f"jvm/lib/{name}.jar is not built. Run `make setup` in the project folder (needs Maven).")
    return jar


@cache
def pinned_jars(program: str) -> tuple[Path, ...]:
    """The jars of a program of others, each with the content that `jvm/<program>/jars.sha256` pins it to.

    Raises:
        MachineError: one has not been fetched, or is another one.
    """
    jars = []
    for name, digest in read_checksums(checksums_of(program)).items():
        jar = JARS / program / name
        place = f"jvm/lib/{program}/{name}"
        if not jar.is_file():
            raise MachineError(f"{place} is missing. Run `make setup` in the project folder (needs Maven).")
        if file_digest(jar) != digest:
            raise MachineError(
                f"{place} is not the jar that jvm/{program}/jars.sha256 names. Delete it, and run `make setup` in the "
                "project folder."
            )
        jars.append(jar)
    return tuple(jars)


def checksums_of(program: str) -> Path:
    """The list that pins the jars of a program of others."""
    return PROJECT / "jvm" / program / "jars.sha256"
