"""List the classes a test JVM loaded, from the log of the JVM itself, whatever loader found them.

No agent and no loader of ours is needed, so it holds wherever the project's classes lie.
"""

import re
from pathlib import Path

from testevo.builds.project.jdks import Jdk

_FIRST_WITH_LOG = 9
"""Before, a JVM traces to what else it would print, which can be sent to a file."""

_LOADED = re.compile(r"\[Loaded ([^\s\]]+)|([^\s<\[]\S*) source: ")
"""A line of JDK 8 and one of later JDKs."""


def arguments(jdk: Jdk, file: Path) -> list[str]:
    """Options that make a JVM write the classes it loads to `file`."""
    if jdk.feature < _FIRST_WITH_LOG:
        to_file = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+LogVMOutput", "-XX:-DisplayVMOutput", f"-XX:LogFile={file}"]
        return [*to_file, "-XX:+TraceClassLoading"]
    return [f'-Xlog:class+load=info:file="{file}":none:filecount=0']


def read(file: Path) -> frozenset[str] | None:
    """Binary names, one a line among others; None when nothing was written.

    What a JVM makes up while it runs has a slash in its name (`a.B$$Lambda/0x...`) and is not a class of a class file.
    """
    if not file.is_file():
        return None
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    names = (found[1] or found[2] for found in map(_LOADED.match, lines) if found)
    return frozenset(name for name in names if "/" not in name) or None
