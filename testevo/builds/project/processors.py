"""Whether the compiler may run annotation processors, or plug-ins that nobody names."""

import zipfile
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

OFFERS = ("META-INF/services/javax.annotation.processing.Processor", "META-INF/services/com.sun.source.util.Plugin")
"""Files by which a jar or class folder offers a processor, or a plug-in that may start by itself."""

_PROCESSOR_OPTIONS = ("-processor", "-processorpath", "--processor-path", "--processor-module-path")
WITHOUT = "-proc:none"


def may_run_processors(options: Sequence[str], path: Iterable[Path]) -> bool:
    """Whether options name a processor or an entry of the class path or the module path offers one.

    An option may be followed by its value after `=`. Compilers since JDK 23 run fewer processors unasked; for them the
    answer is yes too often, never no.
    """
    if WITHOUT in options:
        return False
    return any(word.split("=")[0] in _PROCESSOR_OPTIONS for word in options) or any(map(_offers, path))


def without_processors(options: Sequence[str], path: Iterable[Path]) -> list[str]:
    """The options, which say that there are no processors where there are none: that saves the compiler the search."""
    if WITHOUT in options or may_run_processors(options, path):
        return list(options)
    return [*options, WITHOUT]


def _offers(entry: Path) -> bool:
    if entry.is_dir():
        return any((entry / offer).is_file() for offer in OFFERS)
    state = entry.stat()
    return _jar_offers(entry, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=4096)
def _jar_offers(jar: Path, size: int, modified: int) -> bool:
    try:
        with zipfile.ZipFile(jar) as archive:
            return not set(OFFERS).isdisjoint(archive.namelist())
    except zipfile.BadZipFile:
        return False
