"""What runs say of candidates whose texts differ by refactoring alone."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from mined_texts import Behaviour, Detection, mine

from testevo.java.syntax import parse_java
from testevo.records.labels import DropReason, LabelKind, Refactoring
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome

CODE, TEST = "src/main/java/p/Code.java", "src/test/java/p/ATest.java"


def version(name: str) -> dict[str, str]:
    code = f"package p;\npublic class Code {{\n    static int {name}() {{ return 1; }}\n}}\n"
    works = f"    @Test public void works() {{ int {name}Result = Code.{name}(); }}\n"
    return {CODE: code, TEST: f"package p;\n\nimport org.junit.Test;\n\npublic class ATest {{\n{works}}}\n"}


def renamed(before: Mapping[str, str], after: Mapping[str, str]) -> Detection:
    """The method, as RefactoringMiner would report it."""
    places = []
    for side, files in (("L", before), ("R", after)):
        (method,) = parse_java(files[CODE].encode(), CODE).methods
        places.append(f"{side}:{CODE}:{method.span.first_line}-{method.span.last_line}")
    text = "Rename Method\tpackage first() : int renamed to package second() : int in class p.Code"
    return Detection((Refactoring(kind="Rename Method", description=text, declarations=tuple(places)),))


@pytest.mark.parametrize(
    ("swapped", "label", "reason"),
    [
        (Outcome.COMPILE_ERROR_IN_METHOD, LabelKind.NONE, DropReason.CODE_REFACTORED),
        (Outcome.ASSERTION_FAILED, LabelKind.UPDATE, None),
    ],
)
def test_an_assertion_that_fails_on_renamed_code_outweighs_the_equal_texts(
    swapped: Outcome, label: LabelKind, reason: DropReason | None, tmp_path: Path
) -> None:
    """Where only names differ, the old test does not compile with the new code; it cannot compile and fail."""

    def outcome(tree: str, test: TestKey, repeat: int) -> Outcome:
        return swapped if "+" in tree else Outcome.PASSED

    mined = mine([version("first"), version("second")], tmp_path, "strict", Behaviour(outcome, detected=renamed))
    found = mined.label("ATest#works", "0", "1")
    assert (found.label, found.reason) == (label, reason)
    assert len(mined.tasks) == (label is LabelKind.UPDATE)
