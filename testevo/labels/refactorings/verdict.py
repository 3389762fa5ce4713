"""Whether a test change, and the change of the code below it, is nothing but refactoring (TEB-X10, X11).

The rule. A changed method is *explained* when its new token text equals its old one

1. after replacing the identifiers that reported refactorings rename (methods, classes, fields; variables and parameters
   within their own method), or
2. after also replacing, on the new side, every call of a method that was extracted from it by that method's body, or,
   on the old side, every call of a method that was inlined into it.

An inserted method is explained when it is such a copy of a removed one, which a reported refactoring or a moved or
renamed class connects with it, or when it is the extracted method of an explained extraction; a removed method the same
way round. Methods of files that only moved are left out: the move filter judges them.

A test change is `pure` when the test is explained. The code change is `pure` when *every* changed method below the test
is, direct or not: a pure direct callee that calls a changed method proves nothing. In the files of these methods
constructors must be explained too, and types be the same but for renames (`type_texts`): a changed constant is no
refactoring. A change is `mixed` when some method is explained or declared in a refactoring, `none` otherwise, and
`unknown` when detection failed.

Only `pure` drops anything, so the rule errs towards keeping: what it cannot explain stays `mixed`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from testevo.labels.filters import read_declaration, touches_test
from testevo.labels.refactorings.inlining import MethodTokens, inlined, take_apart
from testevo.labels.refactorings.renames import Rename, equal_after_renames, renames_of, tokens_of, type_moves_of
from testevo.labels.refactorings.type_texts import TypeText, types_kept
from testevo.records.labels import Dependency, Label, Purity, Refactoring, RefactoringVerdict
from testevo.records.methods import ChangeKind, MethodKey, Span

CONSTRUCTOR = "<init>"
MAXIMUM_INLININGS = 4
"""Extractions from one method that are undone together; every further one doubles the texts to compare."""


Place = tuple[str, int]
"""Path and last line of a method; the detector and we may differ about its first line."""


@dataclass(frozen=True)
class MethodText:
    """A method at one revision with its comment-free token text."""

    key: MethodKey
    path: str
    span: Span
    tokens: str


class MethodPlaces:
    """The methods of one revision by place. Of several that end on one line none stands for another."""

    def __init__(self, methods: Iterable[MethodText]) -> None:
        self._methods: dict[Place, list[MethodText]] = defaultdict(list)
        for method in methods:
            self._methods[_place(method)].append(method)

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
    moves: frozenset[tuple[str, str]] = frozenset()
    """Old and new path of files that only moved or whose class was renamed."""
    failure: str | None = None
    """Why detection gave no answer."""

    @cached_property
    def old_by_place(self) -> "MethodPlaces":
        return MethodPlaces(self.old_methods)

    @cached_property
    def new_by_place(self) -> "MethodPlaces":
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
    def explained(self) -> dict["_Change", bool]:
        """Judgements of changes so far: many tests share what they call."""
        return {}

    @cached_property
    def renames(self) -> tuple[Rename, ...]:
        return renames_of(self.refactorings)

    @cached_property
    def old_types(self) -> dict[str, str]:
        """Qualified names of moved and renamed classes: new to old."""
        return {move.new: move.old for move in type_moves_of(self.refactorings)}

    def kept(self, path: str) -> bool:
        """Whether the types of a file, and its constructors, differ in nothing but refactorings."""
        if path not in self._kept:
            new_paths, old_paths = self._files_around(path)
            old = [one for one in self.old_type_texts if one.path in old_paths]
            new = [one for one in self.new_type_texts if one.path in new_paths]
            self._kept[path] = types_kept(old, new, self.old_types, self.renames) and all(
                _is_explained(change, self) for change in _changed_constructors(old_paths, new_paths, self)
            )
        return self._kept[path]

    def _files_around(self, path: str) -> tuple[set[str], set[str]]:
        """The files at the new revision and at the old one that hold the types of a file of either."""
        before = {one.name: one.path for one in self.old_type_texts}
        after = {one.name: one.path for one in self.new_type_texts}
        pairs = {(self.old_types.get(name, name), path_) for name, path_ in after.items()}
        new_paths = {path} & set(after.values()) | {p for name, p in pairs if before.get(name) == path}
        old_paths = {path} & set(before.values()) | {before[name] for name, p in pairs if p == path and name in before}
        return new_paths, old_paths

    @cached_property
    def _kept(self) -> dict[str, bool]:
        return {}

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


def _place(item: "MethodText | _Change") -> Place:
    return item.path, item.span.last_line


def refactoring_verdict(label: Label, detected: DetectedRefactorings) -> RefactoringVerdict:
    """Judge a candidate's test change and the changes below it; see the rule at the top of this module.

    Args:
        label: the candidate with its dependencies, closure and places.
        detected: refactorings, texts and moves between its ends.
    """
    below = tuple(dict.fromkeys((*_placed(label.dependencies), *_placed(label.closure))))
    moved_below = [change for change in below if _only_moved(change, detected)]
    kept = tuple(change for change in below if change not in moved_below)
    test_moved = label.edited_path in detected.new_paths and label.change != ChangeKind.UNCHANGED
    verdict = RefactoringVerdict(
        repository=label.repository,
        old_revision=label.old_revision,
        new_revision=label.new_revision,
        test=label.test,
        test_change=Purity.UNKNOWN,
        code_change=Purity.UNKNOWN,
        moved=test_moved or (bool(below) and not kept),
        detail=detected.failure,
    )
    if detected.failure is not None:
        return verdict
    return verdict.model_copy(
        update={
            "test_change": _test_purity(label, detected),
            "code_change": _code_purity(kept, detected),
            "refactorings": _concerning(label, kept, detected),
        }
    )


@dataclass(frozen=True)
class _Change:
    """A changed method below the test."""

    key: MethodKey
    kind: ChangeKind
    path: str
    span: Span


def _placed(dependencies: Iterable[Dependency]) -> list[_Change]:
    return [_Change(d.method, d.kind, d.path, d.span) for d in dependencies]


def _only_moved(change: _Change, detected: DetectedRefactorings) -> bool:
    return change.path in (detected.old_paths if change.kind == ChangeKind.REMOVED else detected.new_paths)


def _test_purity(label: Label, detected: DetectedRefactorings) -> Purity:
    if label.change == ChangeKind.UNCHANGED or label.new_span is None:
        return Purity.NONE
    if label.change == ChangeKind.MODIFIED and label.old_span is not None:
        key = label.test.method
        old = detected.old_by_place.at((label.old_path or label.edited_path, label.old_span.last_line), key)
        new = detected.new_by_place.at((label.edited_path, label.new_span.last_line), key)
        # Equal texts: what changed lies around the method, such as annotations of its class, and is not a refactoring.
        explained = old is not None and new is not None and old.tokens != new.tokens and _explains(old, new, detected)
    else:
        explained = _is_explained(_Change(label.test.method, label.change, label.edited_path, label.new_span), detected)
    if explained and _surroundings_kept([label.edited_path], detected):
        return Purity.PURE
    return Purity.MIXED if explained or any(touches_test(label, r) for r in detected.refactorings) else Purity.NONE


def _code_purity(changes: Sequence[_Change], detected: DetectedRefactorings) -> Purity:
    explained = [_is_explained(change, detected) for change in changes]
    if changes and all(explained) and _surroundings_kept((change.path for change in changes), detected):
        return Purity.PURE
    if any(explained) or any(_declaring(change, detected) for change in changes):
        return Purity.MIXED
    return Purity.NONE


def _surroundings_kept(paths: Iterable[str], detected: DetectedRefactorings) -> bool:
    """Whether types and constructors of the changed files differ in nothing but refactorings."""
    return all(detected.kept(path) for path in set(paths))


def _declaring(change: _Change, detected: DetectedRefactorings) -> list[Refactoring]:
    """The refactorings that declare a changed method where it lies."""
    side = "L" if change.kind == ChangeKind.REMOVED else "R"
    return detected.by_declaration.get((side, _place(change)), [])


def _concerning(label: Label, changes: Sequence[_Change], detected: DetectedRefactorings) -> tuple[Refactoring, ...]:
    """Select the refactorings of the verdict: those at the test or below it, and those that rename something."""
    declaring = {refactoring for change in changes for refactoring in _declaring(change, detected)}
    return tuple(r for r in detected.refactorings if r in declaring or renames_of([r]) or touches_test(label, r))


def _is_explained(change: _Change, detected: DetectedRefactorings) -> bool:
    if change not in detected.explained:
        detected.explained[change] = _judge_change(change, detected)
    return detected.explained[change]


def _judge_change(change: _Change, detected: DetectedRefactorings) -> bool:
    if change.kind == ChangeKind.REMOVED:
        old = detected.old_by_place.at(_place(change), change.key)
        if old is None:
            return False
        copies = _connected(old, detected, old_side=True)
        return any(_explains(old, new, detected) for new in copies) or _is_part(old, detected, old_side=True)
    new = detected.new_by_place.at(_place(change), change.key)
    if new is None:
        return False
    if change.kind == ChangeKind.MODIFIED:
        olds = [old for old in detected.old_methods if old.key == new.key]
        at_place = [old for old in olds if old.path == new.path]
        return any(_explains(old, new, detected) for old in at_place or olds)
    copies = _connected(new, detected, old_side=False)
    return any(_explains(old, new, detected) for old in copies) or _is_part(new, detected, old_side=False)


def _connected(method: MethodText, detected: DetectedRefactorings, *, old_side: bool) -> list[MethodText]:
    """Methods on the other side that a refactoring or a moved class connects with a removed or an inserted one."""
    here, there = ("L", "R") if old_side else ("R", "L")
    others = detected.new_by_place if old_side else detected.old_by_place
    places = [
        place
        for refactoring in detected.by_declaration.get((here, _place(method)), [])
        if not _splits(refactoring)
        for side, place in declared_places(refactoring)
        if side == there
    ]
    found = _methods_at(others, places)
    old_types = detected.old_types
    if old_types:
        found += [o for o in others if _same_but_type(method.key, o.key, old_types, old_side=old_side)]
    return found


def _methods_at(methods: MethodPlaces, places: Iterable[Place]) -> list[MethodText]:
    return [method for place in places if (method := methods.at(place)) is not None]


def _changed_constructors(
    old_paths: Collection[str], new_paths: Collection[str], detected: DetectedRefactorings
) -> list[_Change]:
    """Constructors that differ between the files, written ones only: fields are the business of types."""
    old = {one.key: one for one in detected.old_methods if one.path in old_paths and one.key.name == CONSTRUCTOR}
    new = {one.key: one for one in detected.new_methods if one.path in new_paths and one.key.name == CONSTRUCTOR}
    found = []
    for key in sorted(old.keys() | new.keys(), key=str):
        before, after = old.get(key), new.get(key)
        if before is None and after is not None:
            found.append(_Change(key, ChangeKind.INSERTED, after.path, after.span))
        elif after is None and before is not None:
            found.append(_Change(key, ChangeKind.REMOVED, before.path, before.span))
        elif before is not None and after is not None and before.tokens != after.tokens:
            found.append(_Change(key, ChangeKind.MODIFIED, after.path, after.span))
    return found


def _splits(refactoring: Refactoring) -> bool:
    """Extractions and inlinings connect a method with another one, not with its copy."""
    return refactoring.kind.startswith(("Extract", "Inline"))


def _same_but_type(method: MethodKey, other: MethodKey, old_types: dict[str, str], *, old_side: bool) -> bool:
    old, new = (method, other) if old_side else (other, method)
    if (old.name, len(old.parameters)) != (new.name, len(new.parameters)):
        return False
    return old_types.get(new.type_name.replace("$", ".")) == old.type_name.replace("$", ".")


def _explains(old: MethodText, new: MethodText, detected: DetectedRefactorings) -> bool:
    """Whether the two texts differ in nothing but reported renames, extractions and inlinings."""
    before, after = [tokens_of(old.tokens)], [tokens_of(new.tokens)]
    before = _with_bodies(before, _parts(old, new, detected, "Inline"))
    after = _with_bodies(after, _parts(old, new, detected, "Extract"))
    method = f"{new.key.type_name.replace('$', '.')}#{new.key.name}"
    return any(equal_after_renames(b, a, method, detected.renames) for b in before for a in after)


def _with_bodies(texts: list[list[str]], parts: Sequence[MethodTokens]) -> list[list[str]]:
    """The texts, and those with calls of the parts replaced, one part after the other."""
    for part in parts[:MAXIMUM_INLININGS]:
        texts = [*texts, *(result for text in texts for result in inlined(text, part))]
    return texts


def _parts(old: MethodText, new: MethodText, detected: DetectedRefactorings, kind: str) -> list[MethodTokens]:
    """The methods extracted from `old` (at the new revision) or inlined into `new` (at the old revision)."""
    extracting = kind == "Extract"
    side, methods, itself = ("R", detected.new_by_place, new) if extracting else ("L", detected.old_by_place, old)
    at_new = detected.by_declaration.get(("R", _place(new)), [])
    found: dict[MethodKey, MethodTokens] = {}
    for refactoring in detected.by_declaration.get(("L", _place(old)), []):
        if not refactoring.kind.startswith(kind) or refactoring not in at_new:
            continue
        for its_side, place in declared_places(refactoring):
            part = methods.at(place) if its_side == side else None
            if part is None or part.key == itself.key or _has_overload(part, methods):
                continue
            if apart := take_apart(tokens_of(part.tokens), part.key.name):
                found[part.key] = apart
    return list(found.values())


def _has_overload(method: MethodText, methods: Iterable[MethodText]) -> bool:
    """Whether a call of the method, by its name and the number of its arguments, may be one of another method."""
    own = method.key
    return any(
        (other.path, other.key.name, len(other.key.parameters)) == (method.path, own.name, len(own.parameters))
        and other.key != own
        for other in methods
    )


def _is_part(part: MethodText, detected: DetectedRefactorings, *, old_side: bool) -> bool:
    """Whether a method came into being, or went, by extractions or inlinings that explain all methods they touch."""
    kind, side = ("Inline", "L") if old_side else ("Extract", "R")
    found = [r for r in detected.by_declaration.get((side, _place(part)), []) if r.kind.startswith(kind)]
    return bool(found) and all(_whole_is_explained(refactoring, part, detected) for refactoring in found)


def _whole_is_explained(refactoring: Refactoring, part: MethodText, detected: DetectedRefactorings) -> bool:
    places = declared_places(refactoring)
    olds = _methods_at(detected.old_by_place, [place for side, place in places if side == "L"])
    news = _methods_at(detected.new_by_place, [place for side, place in places if side == "R"])
    return any(part.key not in (old.key, new.key) and _explains(old, new, detected) for old in olds for new in news)
