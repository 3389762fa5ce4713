"""Names of modules and what they need: from `module-info.class`, else as the JDK names automatic modules.

Formats: The Java Virtual Machine Specification, 4.7.25 (`Module`); `java.lang.module.ModuleFinder.of` in the
documentation of the JDK (names of automatic modules).
"""

import re
import struct
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from testevo.builds.classes.class_files import ClassReader
from testevo.builds.classes.manifests import MANIFEST, main_attributes

DESCRIPTOR = "module-info.class"
FIRST_WITH_MODULES = 9
"""Feature version of the JDK."""
_STATIC, _TRANSITIVE = 0x0040, 0x0020
_VERSION = re.compile(r"-(\d+(\.|$))")
_KEYWORD = re.compile(
    "abstract|assert|boolean|break|byte|case|catch|char|class|const|continue|default|do|double|else|enum|extends|final|"
    "finally|float|for|goto|if|implements|import|instanceof|int|interface|long|native|new|package|private|protected|"
    "public|return|short|static|strictfp|super|switch|synchronized|this|throws?|transient|try|void|volatile|while|"
    "true|false|null|_"
)


@dataclass(frozen=True)
class Requirement:
    """A module that another one requires."""

    name: str
    is_static: bool
    is_transitive: bool


@dataclass(frozen=True)
class ModuleDescriptor:
    """What a module says of itself; an automatic one has nothing but its name."""

    name: str
    requires: tuple[Requirement, ...] = ()
    uses: tuple[str, ...] = ()
    """Binary names of services."""
    provides: tuple[str, ...] = ()
    """The same."""


def descriptor_of(entry: Path, jdk: int) -> ModuleDescriptor | None:
    """The module that an entry of a class path is; None where the JDK has no name for it.

    Args:
        entry: a folder of classes or a jar.
        jdk: feature version of the JDK.

    Raises:
        ValueError: the entry or its descriptor cannot be read.
    """
    if entry.is_dir():
        file = entry / DESCRIPTOR
        return read_descriptor(file.read_bytes()) if file.is_file() else None
    state = entry.stat()
    return _of_jar(entry, jdk, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=2048)
def _of_jar(jar: Path, jdk: int, _size: int, _time: int) -> ModuleDescriptor | None:
    try:
        with zipfile.ZipFile(jar) as opened:
            names = frozenset(opened.namelist())
            attributes = main_attributes(opened.read(MANIFEST)) if MANIFEST in names else {}
            place = _place_of_descriptor(names, attributes, jdk)
            if place is not None:
                return read_descriptor(opened.read(place))
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"{jar.name} cannot be read: {error}") from error
    name = attributes.get("automatic-module-name") or automatic_name(jar.name)
    return ModuleDescriptor(name) if name else None


def _place_of_descriptor(names: frozenset[str], attributes: Mapping[str, str], jdk: int) -> str | None:
    if DESCRIPTOR in names:
        return DESCRIPTOR
    if attributes.get("multi-release", "").lower() != "true":
        return None
    places = (f"META-INF/versions/{version}/{DESCRIPTOR}" for version in range(jdk, FIRST_WITH_MODULES - 1, -1))
    return next((place for place in places if place in names), None)


def automatic_name(file_name: str) -> str | None:
    """The name that the JDK gives a jar without descriptor and without a name in its manifest; None for none."""
    stem = file_name.removesuffix(".jar")
    version = _VERSION.search(stem)
    stem = stem[: version.start()] if version else stem
    name = re.sub(r"\.+", ".", re.sub(r"[^A-Za-z0-9]", ".", stem)).strip(".")
    is_name = all(part and not part[0].isdigit() and not _KEYWORD.fullmatch(part) for part in name.split("."))
    return name if is_name else None


def read_descriptor(data: bytes) -> ModuleDescriptor:
    """Read a `module-info.class`.

    Raises:
        ValueError: the bytes are no descriptor of a module.
    """
    try:
        reader = ClassReader(data)
        reader.read()
        return _read_attribute(reader, reader.attributes["Module"])
    except (struct.error, IndexError, KeyError, UnicodeDecodeError) as error:
        raise ValueError(f"not a descriptor of a module: {error!r}") from error


def _read_attribute(reader: ClassReader, content: bytes) -> ModuleDescriptor:
    values = struct.unpack(f">{len(content) // 2}H", content)
    at = 0

    def take(count: int) -> tuple[int, ...]:
        nonlocal at
        at += count
        if at > len(values):
            raise IndexError("its attribute ends early")
        return values[at - count : at]

    name, _, _, count = take(4)
    requires = []
    for _ in range(count):
        required, flags, _ = take(3)
        requires.append(Requirement(reader.named(required), bool(flags & _STATIC), bool(flags & _TRANSITIVE)))
    for _ in ("exports", "opens"):
        for _ in range(take(1)[0]):
            take(take(3)[2])
    uses = [reader.named(used) for used in take(take(1)[0])]
    provides = []
    for _ in range(take(1)[0]):
        service, implementations = take(2)
        provides.append(reader.named(service))
        take(implementations)
    return ModuleDescriptor(reader.named(name), tuple(requires), tuple(uses), tuple(provides))
