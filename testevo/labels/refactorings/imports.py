"""Whether the names that a file imports stand for the same types and members at both revisions."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from testevo.labels.refactorings.type_texts import old_name

_STATIC: Final = "static "
_ALL: Final = "*"
_ALWAYS: Final = "java.lang"


@dataclass(frozen=True)
class FileImports:
    """What a file of one revision imports, and the words of its code."""

    path: str
    package: str
    imports: tuple[str, ...]
    """As in `JavaFile.imports`: `a.b.C`, `a.b.*`, `static a.b.C.d`."""
    words: frozenset[str]

    @cached_property
    def single(self) -> Mapping[str, str]:
        """What simple names stand for: qualified names of types and static members."""
        names = (_split(one) for one in self.imports)
        return {last: f"{first}.{last}" for first, last in names if last != _ALL}

    @cached_property
    def whole(self) -> frozenset[str]:
        """Packages and types of which everything is imported."""
        return frozenset(first for first, last in map(_split, self.imports) if last == _ALL)

    def reaches(self, qualified: str) -> bool:
        """Whether the simple name stands for it without an import of its own."""
        first, _ = _split(qualified)
        return first in (self.package, _ALWAYS) or first in self.whole


def imports_kept(old: FileImports, new: FileImports, old_names: Mapping[str, str]) -> bool:
    """Whether no simple name of the code stands for something else. What cannot be told is taken for a difference.

    Args:
        old, new: the file at both revisions.
        old_names: qualified names of moved and renamed types, new to old.
    """
    if old.whole - new.whole and new.whole - old.whole:
        return False
    new_names = {before: after for after, before in old_names.items()}
    for name in old.single.keys() | new.single.keys():
        before, after = old.single.get(name), new.single.get(name)
        if before is not None and after is not None:
            kept = before == old_name(after, old_names)
        elif after is not None:
            kept = name not in old.words or old.reaches(old_name(after, old_names))
        else:
            assert before is not None
            kept = name not in new.words or new.reaches(new_names.get(before, before))
        if not kept:
            return False
    return True


def _split(imported: str) -> tuple[str, str]:
    first, _, last = imported.removeprefix(_STATIC).rpartition(".")
    return first, last
