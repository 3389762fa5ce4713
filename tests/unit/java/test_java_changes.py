"""What counts as changed (TEB-X02)."""

import pytest

from testevo.java.changes import ChangedMeans, PlacedMethod, compare_methods
from testevo.java.syntax import parse_java


def methods(source: str, path: str = "A.java") -> list[PlacedMethod]:
    return [PlacedMethod(path, method) for method in parse_java(source.encode(), path).methods]


OLD = methods("class A { void text() { a(); } void both() { a(); } void same() {} void code() {} void gone() {} }")
NEW = methods("class A { void text() { (a()); } void both() { b(); } void same() { } void code() {} void come() {} }")
OLD_CODE = {one.method.key: "1" for one in OLD}
NEW_CODE = {one.method.key: "2" if one.method.key.name in ("both", "code") else "1" for one in NEW}


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
    deltas = compare_methods(reversed(OLD), NEW, None, None, "text")
    assert [delta.key.name for delta in deltas] == ["both", "code", "come", "gone", "same", "text"]


def test_classes_of_one_name_are_compared_file_by_file() -> None:
    """Those that left their file with those that came, in the order of the paths."""
    one, two = "class A { void f() { a(); } }", "class A { void f() { b(); } }"
    old = [*methods(one, "a/A.java"), *methods(one, "b/A.java"), *methods(two, "c/A.java")]
    new = [*methods(one, "a/A.java"), *methods(two, "b/A.java"), *methods(two, "d/A.java"), *methods(one, "e/A.java")]
    deltas = compare_methods(old, new, None, None, "text")
    places = [(delta.kind.value, delta.old and delta.old.path, delta.new and delta.new.path) for delta in deltas]
    assert places == [
        ("unchanged", "a/A.java", "a/A.java"),
        ("modified", "b/A.java", "b/A.java"),
        ("unchanged", "c/A.java", "d/A.java"),
        ("inserted", None, "e/A.java"),
    ]


def test_the_size_of_a_change_is_what_only_one_end_has() -> None:
    old = methods("class A { int same() { return 1; } int loop() { a(); b(); } int gone() { } }", "A.java")
    new = methods("class A { int same() { return 1; /* one */ } int loop() { b(); c(2); } int come() { } }", "A.java")
    sizes = {delta.key.name: delta.changed_tokens for delta in compare_methods(old, new, None, None, "text")}
    assert sizes == {"same": 0, "loop": 3, "gone": 6, "come": 6}


ONE, OTHER, CHANGED = "int f(A.B b) { return 1; }", "int f(C.B b) { return 2; }", "int f(A.B b) { return 9; }"


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [
        (ONE + OTHER, CHANGED + OTHER, ["modified", "unchanged"]),
        (ONE + OTHER, OTHER + ONE, ["unchanged", "unchanged"]),
        (ONE, OTHER + ONE, ["inserted", "unchanged"]),
        (ONE + OTHER, OTHER, ["removed", "unchanged"]),
    ],
)
def test_overloads_that_share_a_key_are_compared_one_by_one(old: str, new: str, kinds: list[str]) -> None:
    """Keys have no package and no outer class, so parameter types that differ there alone give one key."""
    deltas = compare_methods(methods(f"class D {{ {old} }}"), methods(f"class D {{ {new} }}"), None, None, "text")
    assert sorted(delta.kind.value for delta in deltas) == kinds


def test_byte_code_of_a_key_that_overloads_share_says_nothing_about_either() -> None:
    """There is one digest for a key: here that of the overload that did not change."""
    old, new = methods(f"class D {{ {ONE + OTHER} }}"), methods(f"class D {{ {CHANGED + OTHER} }}")
    code = {old[0].method.key: "digest"}
    deltas = compare_methods(old, new, code, code, "text_and_byte_code")
    assert sorted((delta.kind.value, delta.byte_code_differs) for delta in deltas) == [
        ("modified", None),
        ("unchanged", None),
    ]


@pytest.mark.parametrize(
    ("old", "new", "shared"),
    [
        (ONE + OTHER, CHANGED, {"modified": False, "removed": True}),
        (ONE, CHANGED + OTHER, {"modified": True, "inserted": True}),
        (ONE, CHANGED, {"modified": False}),
    ],
)
def test_a_delta_says_whether_calls_at_its_revision_tell_its_overloads_apart(
    old: str, new: str, shared: dict[str, bool]
) -> None:
    deltas = compare_methods(methods(f"class D {{ {old} }}"), methods(f"class D {{ {new} }}"), None, None, "text")
    assert {delta.kind.value: delta.key_is_shared for delta in deltas} == shared
