"""Find the jars of the Java side that `make setup` has built."""

from pathlib import Path

from testevo.runtime.errors import MachineError
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
