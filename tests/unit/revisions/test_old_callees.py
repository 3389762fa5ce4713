"""Tests whose only changed callee is one of the old test: it is gone, or the new test no longer calls it."""

from pathlib import Path

import pytest
from mined_texts import Tree, mine

from testevo.records.labels import DropReason, LabelKind

GETTER = "public int speed() { return value; }"


def tree(members: str, test: str) -> Tree:
    code = f"public int value; public int other() {{ return 1; }} {members}"
    works = f"@org.junit.Test public void works() {{ {test} }}"
    return {
        "src/main/java/p/Code.java": f"package p; public class Code {{ {code} }}",
        "src/test/java/p/ATest.java": f"package p; public class ATest {{ {works} }}",
    }


@pytest.mark.parametrize(
    "preset, still_calls, label, reason",
    [
        ("released", "", LabelKind.NONE, DropReason.LOST_DEPENDENCY),
        ("released", "code.other();", LabelKind.UPDATE, None),
        ("strict", "", LabelKind.UPDATE, None),
    ],
)
def test_a_removed_callee_is_lost_in_released_where_nothing_else_is_called(
    preset: str, still_calls: str, label: LabelKind, reason: DropReason | None, tmp_path: Path
) -> None:
    old = tree(GETTER, f"Code code = null; {still_calls} int found = code.speed();")
    new = tree("", f"Code code = null; {still_calls} int found = code.value;")
    found = mine([old, new], tmp_path, preset).label("ATest#works", "0", "1")
    assert (found.label, found.reason) == (label, reason)


@pytest.mark.parametrize(
    "preset, label, reason, dependencies",
    [("released", LabelKind.UPDATE, None, ["speed"]), ("strict", LabelKind.NONE, DropReason.NO_DEPENDENCY, [])],
)
def test_a_modified_method_that_only_the_old_test_calls_is_a_dependency_in_released(
    preset: str, label: LabelKind, reason: DropReason | None, dependencies: list[str], tmp_path: Path
) -> None:
    old = tree(GETTER, "Code code = null; int found = code.speed();")
    new = tree(GETTER.replace("value", "2 * value"), "Code code = null; int found = code.other();")
    found = mine([old, new], tmp_path, preset).label("ATest#works", "0", "1")
    assert (found.label, found.reason) == (label, reason)
    assert [one.method.name for one in found.dependencies] == dependencies
