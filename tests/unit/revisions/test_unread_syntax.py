"""Candidates whose labels could follow from a misread file are dropped with the reason."""

from pathlib import Path

import pytest
from mined_texts import mine

from testevo.records.labels import DropReason, LabelKind

CODE, OTHER = "src/main/java/p/Code.java", "src/main/java/p/Other.java"
TEST, HELPER = "src/test/java/p/ATest.java", "src/test/java/p/Helper.java"
UNKNOWN = r"\u0069nt[] hidden(\u0069nt[] a) { return a; }"
"""The parser does not translate Unicode escapes."""


def tree(value: int, **unread: str) -> dict[str, str]:
    """A method and its test that change with `value`; further members by the name of the class that has them."""
    members = {name: f"{text} int at() {{ return {value}; }}" for name, text in unread.items()}
    code = f"public class Code {{ {members.get('Code', '')} public static int m0() {{ return {value}; }} }}"
    test = f"@org.junit.jupiter.api.Test void works() {{ Code.m0(); int i = {value}; }}"
    return {
        CODE: f"package p; {code}",
        OTHER: f"package p; class Other {{ {members.get('Other', '')} }}",
        TEST: f"package p; class ATest {{ {members.get('ATest', '')} {test} }}",
        HELPER: f"package p; class Helper {{ {members.get('Helper', '')} }}",
    }


@pytest.mark.parametrize("ends", ["old", "new", "both"])
@pytest.mark.parametrize("name, path", [("Code", CODE), ("ATest", TEST), ("Helper", HELPER)])
def test_a_candidate_near_an_unread_file_that_differs_is_dropped(
    name: str, path: str, ends: str, tmp_path: Path
) -> None:
    old, new = tree(1, **{name: UNKNOWN}), tree(2, **{name: UNKNOWN})
    mined = mine([tree(1) if ends == "new" else old, tree(2) if ends == "old" else new], tmp_path, "strict")
    label = mined.label("ATest#works", "0", "1")
    assert (label.label, label.reason, label.detail) == (LabelKind.NONE, DropReason.SYNTAX_UNREAD, path)


def test_a_test_that_seems_to_be_gone_is_dropped_with_that_reason(tmp_path: Path) -> None:
    mined = mine([tree(1), tree(2) | {TEST: r"package p; class ATest { \u007d"}], tmp_path, "strict")
    assert mined.label("ATest#works", "0", "1").reason is DropReason.SYNTAX_UNREAD


@pytest.mark.parametrize("name", ["Other", "same"])
def test_an_unread_file_that_the_test_does_not_enter_or_that_stays_drops_nothing(name: str, tmp_path: Path) -> None:
    trees = [tree(1, Other=UNKNOWN), tree(2, Other=UNKNOWN)]
    if name == "same":
        trees = [one | {HELPER: f"package p; class Helper {{ {UNKNOWN} }}"} for one in (tree(1), tree(2))]
    mined = mine(trees, tmp_path, "strict")
    label = mined.label("ATest#works", "0", "1")
    assert (label.label, label.reason) == (LabelKind.UPDATE, None)
