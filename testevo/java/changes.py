"""Find the methods that differ between two revisions (TEB-M16, X02), by text, by byte code, or by both."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal, TypeVar

from testevo.java.declarations import JavaMethod
from testevo.records.methods import ChangeKind, MethodKey

Declared = TypeVar("Declared")
ChangedMeans = Literal["text", "byte_code", "text_and_byte_code"]
ByteCode = Mapping[MethodKey, str]
"""A digest of each method's byte code without debug data and annotations, lambda bodies included."""


@dataclass(frozen=True)
class PlacedMethod:
    """A method and the repository-relative path of the file that declares it."""

    path: str
    method: JavaMethod


@dataclass(frozen=True)
class MethodDelta:
    """The change of a method between two revisions."""

    key: MethodKey
    kind: ChangeKind
    text_differs: bool
    """True for inserted and removed methods."""
    byte_code_differs: bool | None
    """None when an end has no byte code for it; True for inserted and removed methods that have."""
    old: PlacedMethod | None
    new: PlacedMethod | None
    key_is_shared: bool = False
    """Another method of the same file has this key at the new revision, or at the old one if this is removed: their
    parameter types differ in package or outer class alone."""

    @property
    def changed_tokens(self) -> int:
        """How large the change is: comment-free tokens that one end has and the other has not, wherever they stand."""
        old, new = (Counter(end.method.tokens.split(" ") if end else []) for end in (self.old, self.new))
        return ((old - new) + (new - old)).total()


def compare_methods(
    old: Iterable[PlacedMethod],
    new: Iterable[PlacedMethod],
    old_byte_code: ByteCode | None,
    new_byte_code: ByteCode | None,
    meaning: ChangedMeans,
) -> list[MethodDelta]:
    """Every method of either revision with what became of it, sorted by key, then by path.

    A method of both revisions is modified when what `meaning` names differs; where byte code is asked for and an end
    has none (abstract methods, code that was not compiled), or several methods share the key of the digests, the text
    alone decides.

    Source: TEB-X02.
    """
    old_code, new_code = old_byte_code or {}, new_byte_code or {}
    before, after = _by_key(old), _by_key(new)
    deltas = []
    for key in sorted(before.keys() | after.keys(), key=str):
        for lefts, rights in paired(before.get(key, {}), after.get(key, {})):
            shared_before, shared_after = len(lefts or ()) > 1, len(rights or ()) > 1
            told_apart = not (shared_before or shared_after)
            old_digest, new_digest = (old_code.get(key), new_code.get(key)) if told_apart else (None, None)
            for left, right in _overloads(lefts or [], rights or []):
                delta = compare_declarations(key, left, right, old_digest, new_digest, meaning)
                is_shared = shared_after if right else shared_before
                deltas.append(replace(delta, key_is_shared=True) if is_shared else delta)
    return deltas


def paired(old: Mapping[str, Declared], new: Mapping[str, Declared]) -> list[tuple[Declared | None, Declared | None]]:
    """Pair declarations of one key, given by their paths: those at the same path, and the rest in
    the order of their paths. Classes of one name in several modules give a key several paths."""
    both = sorted(old.keys() & new.keys())
    left, right = sorted(old.keys() - new.keys()), sorted(new.keys() - old.keys())
    moved = zip_longest(left, right)
    return [
        *((old[path], new[path]) for path in both),
        *((old.get(before or ""), new.get(after or "")) for before, after in moved),
    ]


def _by_key(methods: Iterable[PlacedMethod]) -> dict[MethodKey, dict[str, list[PlacedMethod]]]:
    found: dict[MethodKey, dict[str, list[PlacedMethod]]] = {}
    for method in methods:
        found.setdefault(method.method.key, {}).setdefault(method.path, []).append(method)
    return found


def _overloads(
    old: list[PlacedMethod], new: list[PlacedMethod]
) -> list[tuple[PlacedMethod | None, PlacedMethod | None]]:
    """Pair the methods of one key in one file: several where parameter types differ in package or outer class only."""
    left, right, equal = list(old), list(new), []
    for one in old:
        same = next((other for other in right if other.method.tokens == one.method.tokens), None)
        if same is not None:
            equal.append((one, same))
            left.remove(one)
            right.remove(same)
    return [*equal, *zip_longest(left, right)]


def compare_declarations(
    key: MethodKey,
    old: PlacedMethod | None,
    new: PlacedMethod | None,
    old_digest: str | None,
    new_digest: str | None,
    meaning: ChangedMeans,
) -> MethodDelta:
    """The change of one method, which may be declared in another class at the other end.

    Args:
        key: names the delta.
        old, new: the declarations; None at an end that has none.
        old_digest, new_digest: of their byte code, as far as there is any.
    """
    byte_code_differs = _byte_code_differs(old, new, old_digest, new_digest)
    if old is None or new is None:
        kind = ChangeKind.INSERTED if old is None else ChangeKind.REMOVED
        return MethodDelta(key, kind, True, byte_code_differs, old, new)
    text_differs = old.method.tokens != new.method.tokens
    modified = _modified(text_differs, byte_code_differs, meaning)
    kind = ChangeKind.MODIFIED if modified else ChangeKind.UNCHANGED
    return MethodDelta(key, kind, text_differs, byte_code_differs, old, new)


def _modified(text_differs: bool, byte_code_differs: bool | None, meaning: ChangedMeans) -> bool:
    if meaning == "text" or byte_code_differs is None:
        return text_differs
    if meaning == "byte_code":
        return byte_code_differs
    return text_differs and byte_code_differs


def _byte_code_differs(
    old: PlacedMethod | None, new: PlacedMethod | None, old_digest: str | None, new_digest: str | None
) -> bool | None:
    digests = {digest for method, digest in ((old, old_digest), (new, new_digest)) if method is not None}
    if None in digests:
        return None
    return old is None or new is None or len(digests) > 1
