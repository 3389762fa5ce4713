"""Names that reported refactorings change, and texts that are equal once those names are."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum

from testevo.records.labels import Refactoring

TOKEN = re.compile(r'"""[\s\S]*?"""|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\S+')
IDENTIFIER = re.compile(r"[^\W\d][\w$]*")


class Role(Enum):
    """The kind of a renamed identifier."""

    METHOD = "method"
    VARIABLE = "variable"
    FIELD = "field"
    TYPE = "type"


@dataclass(frozen=True)
class Rename:
    """One identifier that becomes another."""

    role: Role
    old: str
    new: str
    within: str | None = None
    """The method that a variable or parameter belongs to, at the new revision: `package.Outer.Inner#name`."""


@dataclass(frozen=True)
class TypeMove:
    """A class that got another qualified name."""

    old: str
    new: str


_METHOD = re.compile(r"\b(\w+)\(.*? renamed to .*?\b(\w+)\(")
_MOVED_METHOD = re.compile(r"\b(\w+)\(.*? from class \S+ to .*?\b(\w+)\(.*? from class \S+")
_VARIABLE = re.compile(r"^(\w+) : .+? to (\w+) : .+? in method .*?(\w+)\(.* from class (\S+)$")
_FIELD = re.compile(r"^(\w+)(?: : .+?)? (?:renamed )?to (\w+)(?: : .+?)? ")
_TYPE = re.compile(r"^([\w.$]+) (?:renamed|moved|moved and renamed) to ([\w.$]+)$")

TYPES = ("Class", "Interface", "Enum")
_FORMS = (
    ("Method", Role.METHOD, (_METHOD, _MOVED_METHOD)),
    (("Variable", "Parameter"), Role.VARIABLE, (_VARIABLE,)),
    ("Attribute", Role.FIELD, (_FIELD,)),
)
"""How descriptions end their kind, what they rename, and how they say it (RefactoringMiner 3.0.10)."""


def tokens_of(text: str) -> list[str]:
    """Split the token text of a method; a literal with spaces stays one token."""
    return TOKEN.findall(text)


def renames_of(refactorings: Sequence[Refactoring]) -> tuple[Rename, ...]:
    """The identifiers that the refactorings rename, read from their descriptions."""
    found = [rename for refactoring in refactorings if (rename := _rename(refactoring)) is not None]
    return tuple(dict.fromkeys(found))


def type_moves_of(refactorings: Sequence[Refactoring]) -> tuple[TypeMove, ...]:
    """The classes that the refactorings move or rename, by qualified name."""
    found = []
    for refactoring in refactorings:
        match = _TYPE.match(_text(refactoring)) if refactoring.kind.endswith(TYPES) else None
        if match:
            found.append(TypeMove(match[1], match[2]))
    return tuple(dict.fromkeys(found))


def _text(refactoring: Refactoring) -> str:
    """The description without the kind in front of it."""
    return refactoring.description.removeprefix(refactoring.kind).strip()


def _rename(refactoring: Refactoring) -> Rename | None:
    kind, text = refactoring.kind, _text(refactoring)
    if "Rename" not in kind:
        return None
    if kind.endswith(TYPES):
        moves = type_moves_of([refactoring])
        return Rename(Role.TYPE, _simple(moves[0].old), _simple(moves[0].new)) if moves else None
    for endings, role, patterns in _FORMS:
        if not kind.endswith(endings):
            continue
        for pattern in patterns:
            if match := pattern.search(text):
                old, new, *place = match.groups()
                return Rename(role, old, new, f"{place[1]}#{place[0]}" if place else None)
    return None


def _simple(type_name: str) -> str:
    return type_name.rpartition(".")[2]


def equal_after_renames(old: Sequence[str], new: Sequence[str], method: str, renames: Collection[Rename]) -> bool:
    """Whether two token lists differ in nothing but renamed identifiers.

    A pair of different tokens is explained by a rename whose role fits its place. The new name must not occur in that
    role in the old text, where it would already stand for something else; a variable must be renamed at all its places.

    Args:
        old: tokens at the old revision.
        new: tokens at the new revision.
        method: the method at the new revision as in `Rename.within`; renames of variables of others do not count.
        renames: what refactoring detection reports.
    """
    if len(old) != len(new):
        return False
    used = set()
    for index, change in enumerate(zip(old, new, strict=True)):
        if change[0] == change[1]:
            continue
        fitting = [r for r in renames if (r.old, r.new) == change and _fits(r, new, index, method)]
        if not fitting:
            return False
        used.add(fitting[0])
    return all(_is_clean(rename, old, new) for rename in used)


def _fits(rename: Rename, tokens: Sequence[str], index: int, method: str) -> bool:
    if not IDENTIFIER.fullmatch(tokens[index]):
        return False
    if rename.role == Role.TYPE:
        return True
    if rename.role == Role.METHOD:
        return _is_method_name(tokens, index)
    return not _is_method_name(tokens, index) and rename.within in (None, method)


def _is_method_name(tokens: Sequence[str], index: int) -> bool:
    return tokens[index + 1 : index + 2] == ["("] or tokens[max(0, index - 1) : index] == ["::"]


def _is_clean(rename: Rename, old: Sequence[str], new: Sequence[str]) -> bool:
    def places(tokens: Sequence[str], name: str) -> list[int]:
        found = [index for index, token in enumerate(tokens) if token == name]
        if rename.role == Role.TYPE:
            return found
        return [i for i in found if _is_method_name(tokens, i) == (rename.role == Role.METHOD)]

    def is_member(tokens: Sequence[str], index: int) -> bool:
        return tokens[max(0, index - 1) : index] == ["."]

    if rename.role == Role.VARIABLE:
        left_over = [i for i in places(new, rename.old) if not is_member(new, i)]
        already_there = [i for i in places(old, rename.new) if not is_member(old, i)]
        return not left_over and not already_there
    return not places(old, rename.new)
