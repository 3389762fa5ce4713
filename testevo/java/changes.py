"""Which methods differ between two revisions (TEB-M16, X02), by text, by byte code, or by both."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from testevo.java.declarations import JavaMethod
from testevo.records.methods import ChangeKind, MethodKey

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
    """What became of a method between two revisions."""

    key: MethodKey
    kind: ChangeKind
    text_differs: bool
    """True for inserted and removed methods."""
    byte_code_differs: bool | None
    """None when an end has no byte code for it; True for inserted and removed methods that have."""
    old: PlacedMethod | None
    new: PlacedMethod | None


def compare_methods(
    old: Mapping[MethodKey, PlacedMethod],
    new: Mapping[MethodKey, PlacedMethod],
    old_byte_code: ByteCode | None,
    new_byte_code: ByteCode | None,
    meaning: ChangedMeans,
) -> list[MethodDelta]:
    """Every method of either revision with what became of it, sorted by key.

    A method of both revisions is modified when what `meaning` names differs; where byte code is asked for and an end
    has none (abstract methods, code that was not compiled), the text alone decides.

    Source: TEB-X02.
    """
    old_code, new_code = old_byte_code or {}, new_byte_code or {}
    deltas = [
        compare_declarations(key, old.get(key), new.get(key), old_code.get(key), new_code.get(key), meaning)
        for key in old.keys() | new.keys()
    ]
    return sorted(deltas, key=lambda delta: str(delta.key))


def compare_declarations(
    key: MethodKey,
    old: PlacedMethod | None,
    new: PlacedMethod | None,
    old_digest: str | None,
    new_digest: str | None,
    meaning: ChangedMeans,
) -> MethodDelta:
    """What became of one method, which may be declared in another class at the other end.

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
