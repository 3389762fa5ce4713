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

    Source: TEB-X02; "Changed" in compatibility section 3.
    """
    deltas = []
    for key in old.keys() | new.keys():
        byte_code_differs = _byte_code_differs(key, old, new, old_byte_code, new_byte_code)
        deltas.append(_delta(key, old.get(key), new.get(key), byte_code_differs, meaning))
    return sorted(deltas, key=lambda delta: str(delta.key))


def _delta(
    key: MethodKey,
    old: PlacedMethod | None,
    new: PlacedMethod | None,
    byte_code_differs: bool | None,
    meaning: ChangedMeans,
) -> MethodDelta:
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
    key: MethodKey,
    old: Mapping[MethodKey, PlacedMethod],
    new: Mapping[MethodKey, PlacedMethod],
    old_byte_code: ByteCode | None,
    new_byte_code: ByteCode | None,
) -> bool | None:
    digests = {
        (byte_code or {}).get(key)
        for methods, byte_code in ((old, old_byte_code), (new, new_byte_code))
        if key in methods
    }
    if None in digests:
        return None
    return key not in old or key not in new or len(digests) > 1
