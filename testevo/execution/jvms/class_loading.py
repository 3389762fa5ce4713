"""Which classes a test JVM loaded, from the log of the JVM itself: whatever loader and however they were found.

No agent and no loader of ours is needed, so it holds wherever the project's classes lie. JDKs before 9 cannot tell.
"""

from pathlib import Path

from testevo.builds.project.jdks import Jdk

_FIRST_WITH_LOG = 9


def arguments(jdk: Jdk, file: Path) -> list[str]:
    """Options that make a JVM write the classes it loads to `file`; none where it cannot."""
    if jdk.feature < _FIRST_WITH_LOG:
        return []
    return [f'-Xlog:class+load=info:file="{file}":none:filecount=0']


def read(file: Path) -> frozenset[str] | None:
    """Binary names, one `name source: place` a line; None when nothing was written.

    What a JVM makes up while it runs has a slash in its name (`a.B$$Lambda/0x...`) and is no class of a class file.
    """
    if not file.is_file():
        return None
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    names = (line.split(" ", 1)[0] for line in lines)
    return frozenset(name for name in names if name and "/" not in name) or None
