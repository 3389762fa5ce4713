"""What counts as changed (TEB-X02)."""

import pytest

from testevo.java.changes import ChangedMeans, PlacedMethod, compare_methods
from testevo.java.syntax import parse_java
from testevo.records.methods import MethodKey


def methods(source: str) -> dict[MethodKey, PlacedMethod]:
    file = parse_java(source.encode(), "A.java")
    return {method.key: PlacedMethod(file.path, method) for method in file.methods}


OLD = methods("class A { void text() { a(); } void both() { a(); } void same() {} void code() {} void gone() {} }")
NEW = methods("class A { void text() { (a()); } void both() { b(); } void same() { } void code() {} void come() {} }")
OLD_CODE = dict.fromkeys(OLD, "1")
NEW_CODE = {key: "2" if key.name in ("both", "code") else "1" for key in NEW}


@pytest.mark.parametrize(
    ("meaning", "modified"),
    [("text", {"text", "both"}), ("byte_code", {"code", "both"}), ("text_and_byte_code", {"both"})],
)
def test_a_method_is_modified_in_the_configured_meaning(meaning: ChangedMeans, modified: set[str]) -> None:
    deltas = {delta.key.name: delta for delta in compare_methods(OLD, NEW, OLD_CODE, NEW_CODE, meaning)}
    assert {name for name, delta in deltas.items() if delta.kind == "modified"} == modified
    assert (deltas["gone"].kind, deltas["come"].kind, deltas["same"].kind) == ("removed", "inserted", "unchanged")
    assert (deltas["text"].text_differs, deltas["text"].byte_code_differs) == (True, False)
    assert deltas["gone"].new is None and deltas["come"].old is None


def test_without_byte_code_the_text_decides() -> None:
    deltas = {delta.key.name: delta for delta in compare_methods(OLD, NEW, OLD_CODE, None, "text_and_byte_code")}
    assert {name for name, delta in deltas.items() if delta.kind == "modified"} == {"text", "both"}
    assert deltas["both"].byte_code_differs is None
    assert deltas["gone"].byte_code_differs is True


def test_deltas_come_in_the_order_of_their_keys() -> None:
    deltas = compare_methods(dict(reversed(OLD.items())), NEW, None, None, "text")
    assert [delta.key.name for delta in deltas] == ["both", "code", "come", "gone", "same", "text"]
