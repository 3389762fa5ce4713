"""Tests whose only changed callee is gone, by what they still call at the new revision."""

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
