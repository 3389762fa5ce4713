"""Changes around methods: fields, initialisers, enum constants, headers of types, told apart from renames.

A method may stay as it is, or only be renamed, and behave otherwise because a constant beside it changed. So a change
is nothing but refactoring only where the types of its file are the same, methods aside, but for reported renames.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from testevo.labels.refactorings.renames import Rename, equal_after_renames, tokens_of


@dataclass(frozen=True)
class TypeText:
    """A type at one revision: its comment-free tokens without methods, constructors and member types."""

    name: str
    """Canonical name: `a.b.Outer.Inner`."""
    path: str
    tokens: str


def types_kept(
    old: Iterable[TypeText], new: Iterable[TypeText], old_names: Mapping[str, str], renames: Collection[Rename]
) -> bool:
    """Whether types differ in nothing but renames. False where one has no counterpart, so for no types at all too.

    Args:
        old, new: the types of the files of a change, at both revisions.
        old_names: canonical names of moved and renamed types, new to old.
        renames: what refactoring detection reports.
    """
    before = {one.name: one for one in old}
    after = {old_name(one.name, old_names): one for one in new}
    return bool(after) and before.keys() == after.keys() and all(_same(before[n], after[n], renames) for n in after)


def old_name(name: str, old_names: Mapping[str, str]) -> str:
    """The qualified name before renames of the type, or of a type around it.

    Args:
        name: of a type, or of a static member of one.
        old_names: qualified names of moved and renamed types, new to old.
    """
    outer, dot, rest = name, "", ""
    while outer:
        if outer in old_names:
            return old_names[outer] + dot + rest
        outer, dot, last = outer.rpartition(".")
        rest = f"{last}.{rest}" if rest else last
    return name


def _same(old: TypeText, new: TypeText, renames: Collection[Rename]) -> bool:
    return equal_after_renames(tokens_of(old.tokens), tokens_of(new.tokens), "", renames)
