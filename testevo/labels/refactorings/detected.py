"""The methods, types and imports of two revisions beside the refactorings that are reported between them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from testevo.labels.filters import read_declaration
from testevo.labels.refactorings.imports import FileImports
from testevo.labels.refactorings.renames import Rename, renames_of, type_moves_of
from testevo.labels.refactorings.type_texts import TypeText
from testevo.records.labels import Refactoring
from testevo.records.methods import ChangeKind, MethodKey, Span

Place = tuple[str, int]
"""Path and last line of a method; the detector and we may differ about its first line."""


@dataclass(frozen=True)
class MethodText:
    """A method at one revision with its comment-free token text."""

    key: MethodKey
    path: str
    span: Span
    tokens: str


@dataclass(frozen=True)
class Change:
    """A changed method below the test."""

    key: MethodKey
    kind: ChangeKind
    path: str
    span: Span


class MethodPlaces:
    """The methods of one revision by place. Of several that end on one line none stands for another."""

    def __init__(self, methods: Iterable[MethodText]) -> None:
        self._methods: dict[Place, list[MethodText]] = defaultdict(list)
        for method in methods:
            self._methods[place_of(method)].append(method)

    def __iter__(self) -> Iterator[MethodText]:
        return chain.from_iterable(self._methods.values())

    def at(self, place: Place, key: MethodKey | None = None) -> MethodText | None:
        """The method at a place: the only one there, or the only one of that key."""
        found = self._methods.get(place, [])
        if len(found) > 1:
            found = [method for method in found if method.key == key]
        return found[0] if len(found) == 1 else None


@dataclass(frozen=True)
class DetectedRefactorings:
    """The changes between a pair of revisions, production and test code together."""

    refactorings: tuple[Refactoring, ...]
    old_methods: Sequence[MethodText]
    """Methods of the files that differ, at the old revision."""
    new_methods: Sequence[MethodText]
    old_type_texts: Sequence[TypeText] = ()
    """Types of the files that differ, at the old revision."""
    new_type_texts: Sequence[TypeText] = ()
    old_imports: Sequence[FileImports] = ()
    """Of the files that differ, at the old revision."""
    new_imports: Sequence[FileImports] = ()
    moves: frozenset[tuple[str, str]] = frozenset()
    """Old and new path of files that only moved or whose class was renamed."""
    failure: str | None = None
    """Why detection gave no answer."""

    @cached_property
    def old_by_place(self) -> MethodPlaces:
        return MethodPlaces(self.old_methods)

    @cached_property
    def new_by_place(self) -> MethodPlaces:
        return MethodPlaces(self.new_methods)

    @cached_property
    def by_declaration(self) -> dict[tuple[str, Place], list[Refactoring]]:
        """Refactorings by side and place of the methods they declare."""
        found: dict[tuple[str, Place], list[Refactoring]] = defaultdict(list)
        for refactoring in self.refactorings:
            for side, place in declared_places(refactoring):
                if refactoring not in found[side, place]:
                    found[side, place].append(refactoring)
        return dict(found)

    @cached_property
    def explained(self) -> dict[Change, bool]:
        """Judgements of changes so far: many tests share what they call."""
        return {}

    @cached_property
    def surroundings(self) -> dict[str, bool]:
        """Judgements of files so far."""
        return {}

    @cached_property
    def renames(self) -> tuple[Rename, ...]:
        return renames_of(self.refactorings)

    @cached_property
    def old_types(self) -> dict[str, str]:
        """Qualified names of moved and renamed classes: new to old."""
        return {move.new: move.old for move in type_moves_of(self.refactorings)}

    @cached_property
    def old_paths(self) -> frozenset[str]:
        return frozenset(old for old, _ in self.moves)

    @cached_property
    def new_paths(self) -> frozenset[str]:
        return frozenset(new for _, new in self.moves)


def declared_places(refactoring: Refactoring) -> list[tuple[str, Place]]:
    """Side, path and last line of the methods that a refactoring declares."""
    declarations = (read_declaration(declaration) for declaration in refactoring.declarations)
    return [(side, (path, span.last_line)) for side, path, span in declarations]


def place_of(item: MethodText | Change) -> Place:
    return item.path, item.span.last_line


def declaring(change: Change, detected: DetectedRefactorings) -> list[Refactoring]:
    """The refactorings that declare a changed method where it lies."""
    side = "L" if change.kind == ChangeKind.REMOVED else "R"
    return detected.by_declaration.get((side, place_of(change)), [])
