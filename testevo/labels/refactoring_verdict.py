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
is, direct or not: a pure direct callee that calls a changed method proves nothing. It is `mixed` when some method is
explained or declared in a refactoring, `none` otherwise, and `unknown` when detection failed.

Only `pure` drops anything, so the rule errs towards keeping: what it cannot explain stays `mixed`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from testevo.labels.filters import has_declaration, read_declaration, touches_test
from testevo.labels.inlining import MethodTokens, inlined, take_apart
from testevo.labels.renames import Rename, equal_after_renames, renames_of, tokens_of, type_moves_of
from testevo.records.labels import Dependency, Label, Purity, Refactoring, RefactoringVerdict
from testevo.records.methods import ChangeKind, MethodKey, Span

MAXIMUM_INLININGS = 4
"""Extractions from one method that are undone together; every further one doubles the texts to compare."""


@dataclass(frozen=True)
class MethodText:
    """A method at one revision with its comment-free token text."""

    key: MethodKey
    path: str
    span: Span
    tokens: str


@dataclass(frozen=True)
class DetectedRefactorings:
    """What is known about a pair of revisions, production and test code together."""

    refactorings: tuple[Refactoring, ...]
    old_methods: Sequence[MethodText]
    """Methods of the files that differ, at the old revision."""
    new_methods: Sequence[MethodText]
    moves: frozenset[tuple[str, str]] = frozenset()
    """Old and new path of files that only moved or whose class was renamed."""
    failure: str | None = None
    """Why detection gave no answer."""

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


def refactoring_verdict(label: Label, detected: DetectedRefactorings) -> RefactoringVerdict:
    """Judge a candidate's test change and the changes below it; see the rule at the top of this module.

    Args:
        label: the candidate with its dependencies, closure and places.
        detected: refactorings, texts and moves between its ends.
    """
    below = tuple(dict.fromkeys((*_placed(label.dependencies), *_placed(label.closure))))
    moved_below = [change for change in below if _only_moved(change, detected)]
    kept = tuple(change for change in below if change not in moved_below)
    test_moved = label.test.path in detected.new_paths and label.change != ChangeKind.UNCHANGED
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
            "refactorings": tuple(r for r in detected.refactorings if _concerns(label, kept, r, detected.renames)),
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
    old_path = label.old_path or label.test.path
    if label.change == ChangeKind.MODIFIED and label.old_span is not None:
        old = _at(detected.old_methods, old_path, label.old_span)
        new = _at(detected.new_methods, label.test.path, label.new_span)
        explained = old is not None and new is not None and _explains(old, new, detected)
    else:
        change = _Change(label.test.method, label.change, label.test.path, label.new_span)
        explained = _is_explained(change, detected)
    if explained:
        return Purity.PURE
    return Purity.MIXED if any(touches_test(label, r) for r in detected.refactorings) else Purity.NONE


def _code_purity(changes: Sequence[_Change], detected: DetectedRefactorings) -> Purity:
    explained = [_is_explained(change, detected) for change in changes]
    if changes and all(explained):
        return Purity.PURE
    if any(explained) or any(_declares(r, change) for r in detected.refactorings for change in changes):
        return Purity.MIXED
    return Purity.NONE


def _declares(refactoring: Refactoring, change: _Change) -> bool:
    side = "L" if change.kind == ChangeKind.REMOVED else "R"
    return has_declaration(refactoring, side, change.path, change.span)


def _concerns(label: Label, changes: Sequence[_Change], refactoring: Refactoring, renames: Sequence[Rename]) -> bool:
    """What the verdict lists: refactorings at the test or below it, and those that rename something."""
    renaming = bool(set(renames_of([refactoring])) & set(renames))
    return renaming or touches_test(label, refactoring) or any(_declares(refactoring, c) for c in changes)


def _at(methods: Sequence[MethodText], path: str, span: Span) -> MethodText | None:
    return next((m for m in methods if m.path == path and m.span.last_line == span.last_line), None)


def _is_explained(change: _Change, detected: DetectedRefactorings) -> bool:
    if change.kind == ChangeKind.REMOVED:
        old = _at(detected.old_methods, change.path, change.span)
        if old is None:
            return False
        copies = _connected(old, detected, old_side=True)
        return any(_explains(old, new, detected) for new in copies) or _is_part(old, detected, old_side=True)
    new = _at(detected.new_methods, change.path, change.span)
    if new is None:
        return False
    if change.kind == ChangeKind.MODIFIED:
        return any(old.key == new.key and _explains(old, new, detected) for old in detected.old_methods)
    copies = _connected(new, detected, old_side=False)
    return any(_explains(old, new, detected) for old in copies) or _is_part(new, detected, old_side=False)


def _connected(method: MethodText, detected: DetectedRefactorings, *, old_side: bool) -> list[MethodText]:
    """Methods on the other side that a refactoring or a moved class connects with a removed or an inserted one."""
    here, there = ("L", "R") if old_side else ("R", "L")
    others = detected.new_methods if old_side else detected.old_methods
    places = [
        read_declaration(declaration)
        for refactoring in detected.refactorings
        if not _splits(refactoring) and has_declaration(refactoring, here, method.path, method.span)
        for declaration in refactoring.declarations
    ]
    found = [_at(others, path, span) for side, path, span in places if side == there]
    found += [other for other in others if _same_but_type(method.key, other.key, detected.old_types, old_side=old_side)]
    return [other for other in found if other is not None]


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
    return any(equal_after_renames(b, a, new.key.name, detected.renames) for b in before for a in after)


def _with_bodies(texts: list[list[str]], parts: Sequence[MethodTokens]) -> list[list[str]]:
    """The texts, and those with calls of the parts replaced, one part after the other."""
    for part in parts[:MAXIMUM_INLININGS]:
        texts = [*texts, *(result for text in texts for result in inlined(text, part))]
    return texts


def _parts(old: MethodText, new: MethodText, detected: DetectedRefactorings, kind: str) -> list[MethodTokens]:
    """The methods extracted from `old` (at the new revision) or inlined into `new` (at the old revision)."""
    side, methods, itself = ("R", detected.new_methods, new) if kind == "Extract" else ("L", detected.old_methods, old)
    found: dict[MethodKey, MethodTokens] = {}
    for refactoring in detected.refactorings:
        if not refactoring.kind.startswith(kind) or not _connects(refactoring, old, new):
            continue
        for its_side, path, span in map(read_declaration, refactoring.declarations):
            part = _at(methods, path, span) if its_side == side else None
            apart = take_apart(tokens_of(part.tokens), part.key.name) if part and part.key != itself.key else None
            if part is not None and apart is not None:
                found[part.key] = apart
    return list(found.values())


def _connects(refactoring: Refactoring, old: MethodText, new: MethodText) -> bool:
    return has_declaration(refactoring, "L", old.path, old.span) and has_declaration(
        refactoring, "R", new.path, new.span
    )


def _is_part(part: MethodText, detected: DetectedRefactorings, *, old_side: bool) -> bool:
    """Whether a method came into being, or went, by extractions or inlinings that explain all methods they touch."""
    kind, side = ("Inline", "L") if old_side else ("Extract", "R")
    found = [
        r for r in detected.refactorings
        if r.kind.startswith(kind) and has_declaration(r, side, part.path, part.span)
    ]
    return bool(found) and all(_whole_is_explained(refactoring, part, detected) for refactoring in found)


def _whole_is_explained(refactoring: Refactoring, part: MethodText, detected: DetectedRefactorings) -> bool:
    places = [read_declaration(declaration) for declaration in refactoring.declarations]
    olds = [_at(detected.old_methods, path, span) for side, path, span in places if side == "L"]
    news = [_at(detected.new_methods, path, span) for side, path, span in places if side == "R"]
    return any(
        old is not None and new is not None and part.key not in (old.key, new.key) and _explains(old, new, detected)
        for old in olds
        for new in news
    )
