"""A project's own options for Maven's JVM (`.mvn/jvm.config`), and ours beside them.

The program `mvn` puts ours, which it takes from MAVEN_OPTS, behind those of the project. So ours count where both name
a value. But no JVM starts with two collectors, or with a first heap above its largest.
"""

import re
from collections.abc import Iterable
from pathlib import Path

JVM_CONFIG = Path(".mvn", "jvm.config")
SERIAL = "-XX:+UseSerialGC"
_COLLECTOR = re.compile(r"-XX:\+(?:Use\w*GC|AggressiveHeap)")
_SMALL_FIRST_HEAP = "-Xms16m"


def read_jvm_config(folder: Path) -> str:
    """The options of a project for Maven's JVM, '' without any.

    Args:
        folder: of the top-level POM.
    """
    file = folder / JVM_CONFIG
    return file.read_text("utf-8", "replace") if file.is_file() else ""


def collector_beside(options: Iterable[str]) -> list[str]:
    """The serial collector, or nothing beside options that choose one."""
    return [] if any(map(_COLLECTOR.fullmatch, options)) else [SERIAL]


def memory_beside(folder: Path | None, largest_heap_mb: int) -> list[str]:
    """Our collector and largest heap, beside the options of a project: it cannot lift the heap, but start with less.

    Args:
        folder: of the top-level POM; None without a project.
    """
    words = [] if folder is None else read_jvm_config(folder).split()
    first_heap = [_SMALL_FIRST_HEAP] if words else []
    return [*collector_beside(words), *first_heap, f"-Xmx{largest_heap_mb}m"]
