"""Whether renames, extractions and inlinings explain all that is changed in a method, and around it.

A changed method is *explained* when its new token text equals its old one

1. after replacing the identifiers that reported refactorings rename (methods, classes, fields; variables and parameters
   within their own method), or
2. after also replacing, on the new side, every call of a method that was extracted from it by that method's body, or,
   on the old side, every call of a method that was inlined into it.

An inserted method is explained when it is such a copy of a removed one, which a reported refactoring or a moved or
renamed class connects with it, or when it is the extracted method of an explained extraction; a removed method the same
way round.

What lies around it is explained when the constructors of its file are, the types are the same but for renames
(`type_texts`), as a changed constant is no refactoring, and imported names stand for the same (`imports`).
"""

from collections.abc import Collection, Iterable, Sequence

from testevo.labels.refactorings.detected import (
    Change,
    DetectedRefactorings,
    MethodPlaces,
    MethodText,
    Place,
    declared_places,
    place_of,
)
from testevo.labels.refactorings.imports import imports_kept
from testevo.labels.refactorings.inlining import MethodTokens, inlined, take_apart
from testevo.labels.refactorings.renames import equal_after_renames, tokens_of
from testevo.labels.refactorings.type_texts import types_kept
from testevo.records.labels import Refactoring
from testevo.records.methods import ChangeKind, MethodKey

CONSTRUCTOR = "<init>"
MAXIMUM_INLININGS = 4
"""Extractions from one method that are undone together; every further one doubles the texts to compare."""


def is_explained(change: Change, detected: DetectedRefactorings) -> bool:
    """Whether refactorings explain the change of a method."""
    if change not in detected.explained:
        detected.explained[change] = _judge_change(change, detected)
    return detected.explained[change]


def _judge_change(change: Change, detected: DetectedRefactorings) -> bool:
    if change.kind == ChangeKind.REMOVED:
        old = detected.old_by_place.at(place_of(change), change.key)
        if old is None:
            return False
        copies = _connected(old, detected, old_side=True)
        return any(explains(old, new, detected) for new in copies) or _is_part(old, detected, old_side=True)
    new = detected.new_by_place.at(place_of(change), change.key)
    if new is None:
        return False
    if change.kind == ChangeKind.MODIFIED:
        olds = [old for old in detected.old_methods if old.key == new.key]
        at_place = [old for old in olds if old.path == new.path]
        return any(explains(old, new, detected) for old in at_place or olds)
    copies = _connected(new, detected, old_side=False)
    return any(explains(old, new, detected) for old in copies) or _is_part(new, detected, old_side=False)


def _connected(method: MethodText, detected: DetectedRefactorings, *, old_side: bool) -> list[MethodText]:
    """Methods on the other side that a refactoring or a moved class connects with a removed or an inserted one."""
    here, there = ("L", "R") if old_side else ("R", "L")
    others = detected.new_by_place if old_side else detected.old_by_place
    places = [
        place
        for refactoring in detected.by_declaration.get((here, place_of(method)), [])
        if not _splits(refactoring)
        for side, place in declared_places(refactoring)
        if side == there
    ]
    found = _methods_at(others, places)
    old_types = detected.old_types
    if old_types:
        found += [o for o in others if _same_but_type(method.key, o.key, old_types, old_side=old_side)]
    return found


def surroundings_kept(path: str, detected: DetectedRefactorings) -> bool:
    """Whether the types of a file, its imports and its constructors, differ in nothing but refactorings."""
    if path not in detected.surroundings:
        new_paths, old_paths = _files_around(path, detected)
        old = [one for one in detected.old_type_texts if one.path in old_paths]
        new = [one for one in detected.new_type_texts if one.path in new_paths]
        detected.surroundings[path] = (
            types_kept(old, new, detected.old_types, detected.renames)
            and _imports_kept(old_paths, new_paths, detected)
            and all(is_explained(change, detected) for change in _changed_constructors(old_paths, new_paths, detected))
        )
    return detected.surroundings[path]


def _imports_kept(old_paths: Collection[str], new_paths: Collection[str], detected: DetectedRefactorings) -> bool:
    before = [one for one in detected.old_imports if one.path in old_paths]
    after = [one for one in detected.new_imports if one.path in new_paths]
    return all(imports_kept(old, new, detected.old_types) for old in before for new in after)


def _files_around(path: str, detected: DetectedRefactorings) -> tuple[set[str], set[str]]:
    """The files at the new revision and at the old one that hold the types of a file of either."""
    before = {one.name: one.path for one in detected.old_type_texts}
    after = {one.name: one.path for one in detected.new_type_texts}
    pairs = {(detected.old_types.get(name, name), path_) for name, path_ in after.items()}
    new_paths = {path} & set(after.values()) | {p for name, p in pairs if before.get(name) == path}
    old_paths = {path} & set(before.values()) | {before[name] for name, p in pairs if p == path and name in before}
    return new_paths, old_paths


def _methods_at(methods: MethodPlaces, places: Iterable[Place]) -> list[MethodText]:
    return [method for place in places if (method := methods.at(place)) is not None]


def _changed_constructors(
    old_paths: Collection[str], new_paths: Collection[str], detected: DetectedRefactorings
) -> list[Change]:
    """Constructors that differ between the files, written ones only: fields are the business of types."""
    old = {one.key: one for one in detected.old_methods if one.path in old_paths and one.key.name == CONSTRUCTOR}
    new = {one.key: one for one in detected.new_methods if one.path in new_paths and one.key.name == CONSTRUCTOR}
    found = []
    for key in sorted(old.keys() | new.keys(), key=str):
        before, after = old.get(key), new.get(key)
        if before is None and after is not None:
            found.append(Change(key, ChangeKind.INSERTED, after.path, after.span))
        elif after is None and before is not None:
            found.append(Change(key, ChangeKind.REMOVED, before.path, before.span))
        elif before is not None and after is not None and before.tokens != after.tokens:
            found.append(Change(key, ChangeKind.MODIFIED, after.path, after.span))
    return found


def _splits(refactoring: Refactoring) -> bool:
    """Extractions and inlinings connect a method with another one, not with its copy."""
    return refactoring.kind.startswith(("Extract", "Inline"))


def _same_but_type(method: MethodKey, other: MethodKey, old_types: dict[str, str], *, old_side: bool) -> bool:
    old, new = (method, other) if old_side else (other, method)
    if (old.name, len(old.parameters)) != (new.name, len(new.parameters)):
        return False
    return old_types.get(new.type_name.replace("$", ".")) == old.type_name.replace("$", ".")


def explains(old: MethodText, new: MethodText, detected: DetectedRefactorings) -> bool:
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
    at_new = detected.by_declaration.get(("R", place_of(new)), [])
    found: dict[MethodKey, MethodTokens] = {}
    for refactoring in detected.by_declaration.get(("L", place_of(old)), []):
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
    found = [r for r in detected.by_declaration.get((side, place_of(part)), []) if r.kind.startswith(kind)]
    return bool(found) and all(_whole_is_explained(refactoring, part, detected) for refactoring in found)


def _whole_is_explained(refactoring: Refactoring, part: MethodText, detected: DetectedRefactorings) -> bool:
    places = declared_places(refactoring)
    olds = _methods_at(detected.old_by_place, [place for side, place in places if side == "L"])
    news = _methods_at(detected.new_by_place, [place for side, place in places if side == "R"])
    return any(part.key not in (old.key, new.key) and explains(old, new, detected) for old in olds for new in news)
