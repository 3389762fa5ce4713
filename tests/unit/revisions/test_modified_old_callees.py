"""Tests that no longer call what was modified: the old test does, on the old code."""

from pathlib import Path

import pytest
from mined_texts import Tree, mine

from testevo.records.labels import DropReason, LabelKind


def tree(speed: str, test: str) -> Tree:
    code = f"public int other() {{ return 1; }} public int speed() {{ return {speed}; }}"
    works = f"@org.junit.Test public void works() {{ Code code = null; int found = {test}; }}"
    return {
        "src/main/java/p/Code.java": f"package p; public class Code {{ {code} }}",
        "src/test/java/p/ATest.java": f"package p; public class ATest {{ {works} }}",
    }


@pytest.mark.parametrize(
    "preset, label, reason",
    [("released", LabelKind.UPDATE, None), ("strict", LabelKind.NONE, DropReason.NO_DEPENDENCY)],
)
def test_what_only_the_old_test_calls_is_a_dependency_in_released(
    preset: str, label: LabelKind, reason: DropReason | None, tmp_path: Path
) -> None:
    old, new = tree("1", "code.speed()"), tree("2", "code.other()")
    found = mine([old, new], tmp_path, preset).label("ATest#works", "0", "1")
    assert (found.label, found.reason) == (label, reason)
    names = [one.method.name for one in found.dependencies]
    assert names == (["speed"] if label is LabelKind.UPDATE else [])
