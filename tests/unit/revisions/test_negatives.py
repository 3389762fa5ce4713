"""Some unchanged tests run as often as kept candidates, so that their labels say whether they are stable (TEB-K03)."""

from pathlib import Path

import pytest
from mined_texts import Behaviour, Mined, Tree, mine, told_by_text

from testevo.records.executions import Execution
from testevo.records.labels import DropReason, Label, LabelKind
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome

CODE, TEST = "src/main/java/p/Code.java", "src/test/java/p/ATest.java"
NAMES = [f"test{number}" for number in range(6)]


def version(value: int) -> Tree:
    """Six tests that stay as they are, and what they call."""
    code = f"package p;\npublic class Code {{\n    static int m() {{ return {value}; }}\n}}\n"
    tests = "".join(f"    @Test public void {name}() {{ Code.m(); }}\n" for name in NAMES)
    return {CODE: code, TEST: f"package p;\n\nimport org.junit.Test;\n\npublic class ATest {{\n{tests}}}\n"}


def mined_with(number: int, folder: Path, do: Behaviour | None = None) -> Mined:
    return mine([version(1), version(2)], folder, "strict", do, repeated_negatives=number)


def of_test(mined: Mined, name: str) -> tuple[Label, list[Execution]]:
    return mined.label(f"ATest#{name}", "0", "1"), [one for one in mined.executions if one.test.name == name]


@pytest.mark.parametrize("number", [0, 2, 20])
def test_drawn_negatives_run_as_often_as_kept_candidates(number: int, tmp_path: Path) -> None:
    mined = mined_with(number, tmp_path)
    found = [of_test(mined, name) for name in NAMES]
    assert {label.label for label, _ in found} == {LabelKind.UNCHANGED}
    repeated = [executions for label, executions in found if label.stable]
    assert len(repeated) == min(number, len(NAMES))
    assert all(one.outcomes == (Outcome.PASSED,) * 2 and one.varied for runs in repeated for one in runs)
    once = [(label.stable, runs) for label, runs in found if not label.stable]
    assert all(stable is None for stable, _ in once)
    assert all(one.outcomes == (Outcome.PASSED,) for _, runs in once for one in runs)


def test_a_drawn_negative_that_ends_in_two_ways_is_dropped(tmp_path: Path) -> None:
    def outcome(tree: str, test: TestKey, repeat: int) -> Outcome:
        return Outcome.EXCEPTION if test.name == "test3" and repeat > 0 else told_by_text(tree, test, repeat)

    mined = mined_with(20, tmp_path, Behaviour(outcome))
    label, _ = of_test(mined, "test3")
    assert (label.label, label.reason, label.stable) == (LabelKind.NONE, DropReason.UNSTABLE, False)
    assert of_test(mined, "test2")[0].label is LabelKind.UNCHANGED
