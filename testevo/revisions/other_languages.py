"""Test files in Kotlin, Groovy and Scala: no tests are read from them, but tests in Java use what they declare."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from testevo.java.tokens import decoded

OTHER_LANGUAGES = (".kt", ".groovy", ".scala")
"""Endings of test files that are counted and not read."""
_WORD = re.compile(r"\w+")
_TYPE = re.compile(r"\b(?:class|object|interface|trait|enum|typealias)\s+`?(\w+)")
_NAME_OF_FILE = re.compile(r"@file\s*:\s*JvmName\s*\(\s*\"(\w+)\"")
_OUTSIDE_OF_TYPES = re.compile(
    r"^(?:[@a-z]\w* )*(?:fun|val|var|def) (?:<[^>\n]*> ?)?(?:[^\s(=:]*\.)?`?(\w+)", re.MULTILINE
)


@dataclass(frozen=True)
class OtherFile:
    """A source file that is not in Java, as far as names tell."""

    types: frozenset[str]
    """Simple names by which Java reaches what it declares."""
    members: frozenset[str]
    """What it declares outside of types, which its own language reaches by name alone."""
    words: frozenset[str]


def read_other_file(path: str, source: bytes) -> OtherFile:
    """The names in a file. Comments and literals count, so that there may be too many and never too few."""
    text = decoded(source)
    stem, ending = PurePosixPath(path).stem, PurePosixPath(path).suffix
    of_file = {".kt": f"{stem}Kt", ".groovy": stem}.get(ending, "")
    types = {*_TYPE.findall(text), *_NAME_OF_FILE.findall(text), of_file} - {""}
    return OtherFile(frozenset(types), frozenset(_OUTSIDE_OF_TYPES.findall(text)), frozenset(_WORD.findall(text)))


def reached_files(files: Mapping[str, OtherFile], words: Collection[str]) -> set[str]:
    """The files that words of Java sources name, and all that those name in turn."""
    reached = {path for path, file in files.items() if not file.types.isdisjoint(words)}
    fresh = set(reached)
    while fresh:
        named = {word for path in fresh for word in files[path].words}
        fresh = {
            path for path in files.keys() - reached if not named.isdisjoint(files[path].types | files[path].members)
        }
        reached |= fresh
    return reached
