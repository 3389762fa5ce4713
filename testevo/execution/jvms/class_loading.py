"""List the classes a test JVM loaded, from the log of the JVM itself, whatever loader found them.

No agent and no loader of ours is needed, so it holds wherever the project's classes lie.
"""

import re
from pathlib import Path

from testevo.builds.project.jdks import Jdk
from testevo.runtime.files.plain_files import read_plain

_MOST_BYTES = 256 * 2**20
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


def read(folder: Path, name: str) -> frozenset[str] | None:
    """Binary names, one a line among others; None when nothing was written, or more than any JVM loads.

    What a JVM makes up while it runs has a slash in its name (`a.B$$Lambda/0x...`) and is not a class of a class file.

    Args:
        folder: into which the tests could write, too.
        name: of the file in it.
    """
    content = read_plain(folder, name, _MOST_BYTES + 1)
    if content is None or len(content) > _MOST_BYTES:
        return None
    lines = content.decode("utf-8", "replace").splitlines()
    names = (found[1] or found[2] for found in map(_LOADED.match, lines) if found)
    return frozenset(name for name in names if "/" not in name) or None
