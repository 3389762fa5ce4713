"""The order in which a test JVM gets its class path: JUnit's jars first, so that an archive can cover them.

A JVM uses an archive of class data only when the class path it was made with begins its own. So jars that hold nothing
but a test framework are moved to the front, the rest keeps its order. A jar moves only when no entry before it, in the
class path as the build gives it, has a class or resource of the same name: then every name is found where it was
found before, but for manifests, services (all are found) and licences; folders are not found in moved jars
(`testevo.execution.jvms.archives.without_folders`). What cannot be read, or pulls further jars in by its manifest,
moves nothing.
"""

import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from testevo.builds.classes.manifests import MANIFEST, main_attributes
from testevo.runtime.files.plain_files import exists
from testevo.runtime.processes.processes import MOST_CHARACTERS

FRAMEWORK_FOLDERS = ("org/junit/", "junit/", "org/opentest4j/", "org/apiguardian/", "org/hamcrest/", "org/jspecify/")
"""Packages of the classes in framework jars."""

_EVERY_JAR_HAS = (
    MANIFEST,
    "META-INF/services/",
    "META-INF/maven/",
    "META-INF/LICENSE",
    "META-INF/NOTICE",
    "META-INF/DEPENDENCIES",
)
"""Files that programs find by the name of their jar, in all jars, or not at all."""
_VERSIONS = "META-INF/versions/"


@dataclass(frozen=True)
class ClassPathOrder:
    """The class path of a test JVM behind the launcher's own jars."""

    front: tuple[Path, ...]
    """Framework jars."""
    rest: tuple[Path, ...]


@dataclass(frozen=True)
class _Jar:
    names: frozenset[str]
    """Files of the jar that another entry must not have before it."""
    classes: bool
    """Whether it has classes, and all of them in `FRAMEWORK_FOLDERS`."""
    pulls_in: tuple[str, ...]
    """Class path entries of its manifest; an index of jars counts as one that nobody can tell."""


def class_path_order(class_path: Sequence[Path], engine_jars: Sequence[Path] = ()) -> ClassPathOrder:
    """Move framework jars of the class path and of the engine jars behind it to the front, as far as that is safe."""
    entries = tuple(dict.fromkeys((*class_path, *engine_jars)))
    jars = {entry: _read(entry) for entry in entries if not entry.is_dir()}
    front = [entry for entry in entries if (jar := jars.get(entry)) is not None and jar.classes]
    while front:
        last = entries.index(front[-1])
        before = entries[:last]
        if any(entry in jars and _is_uncertain(entry, jars[entry]) for entry in before):
            return ClassPathOrder((), entries)
        kept = [
            jar
            for jar in front
            if not any(
                _shadows(entry, jars.get(entry), jars[jar])
                for entry in entries[: entries.index(jar)]
                if entry not in front
            )
        ]
        if kept == front:
            break
        front = kept
    return ClassPathOrder(tuple(front), tuple(entry for entry in entries if entry not in front))


def has(jars: Sequence[Path], name: str) -> bool:
    """Whether one of the jars holds the file `name`."""
    return any((jar := _read(path)) is not None and name in jar.names for path in jars)


def fits(entries: Sequence[Path]) -> bool:
    """Whether a JVM can be given these entries by one option."""
    texts = [str(entry) for entry in entries]
    return sum(map(len, texts)) + len(texts) < MOST_CHARACTERS and not any(
        os.pathsep in text or text.endswith("/*") for text in texts
    )


def _is_uncertain(path: Path, jar: _Jar | None) -> bool:
    if jar is None:
        return path.exists()
    return any(":" in name or exists(path.parent / name) for name in jar.pulls_in)


def _shadows(entry: Path, jar: _Jar | None, framework: _Jar | None) -> bool:
    if framework is None:
        return True
    if jar is not None:
        return not jar.names.isdisjoint(framework.names)
    if not entry.is_dir():
        return False
    folders = [folder for folder in (*FRAMEWORK_FOLDERS, "META-INF/") if (entry / folder).is_dir()]
    return any(
        (entry / name).exists() for name in framework.names if "/" not in name or name.startswith(tuple(folders))
    )


def _read(path: Path) -> _Jar | None:
    """List the entries of a jar; None when it cannot be read."""
    try:
        state = path.stat()
    except OSError:
        return None
    return _read_state(path, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=4096)
def _read_state(path: Path, size: int, changed: int) -> _Jar | None:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [_plain(name) for name in archive.namelist() if not name.endswith("/")]
            pulls_in = _class_path(archive.read(MANIFEST)) if MANIFEST in names else ()
            pulls_in += (":",) if "META-INF/INDEX.LIST" in names else ()
    except (OSError, zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError):
        return None
    classes = [name for name in names if name.endswith(".class") and name != "module-info.class"]
    foreign = [name for name in names if "/" in name and not name.startswith((*FRAMEWORK_FOLDERS, "META-INF/"))]
    compared = frozenset(
        name
        for name in names
        if name != "module-info.class"
        and not name.startswith(_EVERY_JAR_HAS)
        and ("/" not in name or name.startswith((*FRAMEWORK_FOLDERS, "META-INF/")))
    )
    of_framework = bool(classes) and not foreign and all("/" in name for name in classes) and not pulls_in
    return _Jar(compared, of_framework, pulls_in)


def _plain(name: str) -> str:
    """The name under which a class loader finds a file: without the folder of a Java version."""
    parts = name.split("/", 3)
    return parts[3] if name.startswith(_VERSIONS) and len(parts) == 4 else name


def _class_path(manifest: bytes) -> tuple[str, ...]:
    return tuple(main_attributes(manifest).get("class-path", "").split())
