"""The refactoring detector: what it reports, and that a failure never looks like "none found" (TEB-X10, X11)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from testevo.execution.refactoring_detector import RefactoringDetector
from testevo.records.labels import Purity
from testevo.runtime.files.jars import JARS

PATH = "src/test/java/p/ATest.java"

BEFORE = """\
package p;

public class ATest {
    /** Documentation. */
    @Test
    public void addsNumbers() {
        Calculator calculator = new Calculator();
        calculator.reset();
        int sum = calculator.add(20, 22);
        assertEquals(42, sum);
    }
}
"""


@pytest.fixture(scope="module")
def detector(jdk_home: Path) -> Iterator[RefactoringDetector]:
    if not (JARS / "refactoring.jar").is_file():
        pytest.skip("jvm/lib/refactoring.jar is not built (make setup)")
    with RefactoringDetector(jdk_home, seconds=120, memory_mb=512) as shared:
        yield shared


def test_a_renamed_method_is_reported_with_its_declaration_on_both_sides(detector: RefactoringDetector) -> None:
    """The first line is that of the documentation comment, unlike that of a `Span`."""
    found = detector.detect({PATH: BEFORE}, {PATH: BEFORE.replace("addsNumbers", "addsTwoNumbers")})
    assert found.failure is None
    assert [one.kind for one in found.refactorings] == ["Rename Method"]
    assert found.refactorings[0].declarations == (f"L:{PATH}:4-11", f"R:{PATH}:4-11")
    assert found.refactorings[0].purity is Purity.UNKNOWN


def test_an_extracted_method_without_other_edits_is_pure(detector: RefactoringDetector) -> None:
    after = BEFORE.replace("calculator.reset();", "prepare(calculator);").replace(
        "    }\n}", "    }\n\n    private void prepare(Calculator calculator) {\n        calculator.reset();\n    }\n}"
    )
    found = detector.detect({PATH: BEFORE}, {PATH: after})
    assert [(one.kind, one.purity) for one in found.refactorings] == [("Extract Method", Purity.PURE)]


def test_another_expected_value_is_no_refactoring(detector: RefactoringDetector) -> None:
    found = detector.detect({PATH: BEFORE}, {PATH: BEFORE.replace("42", "43")})
    assert (found.refactorings, found.failure) == ((), None)


def test_equal_and_foreign_files_are_not_looked_at(detector: RefactoringDetector) -> None:
    found = detector.detect({PATH: BEFORE, "README.md": "a"}, {PATH: BEFORE, "README.md": "b"})
    assert (found.refactorings, found.failure) == ((), None)


def test_a_detection_past_its_limit_is_a_failure_and_the_next_one_works(jdk_home: Path) -> None:
    after = {PATH: BEFORE.replace("addsNumbers", "addsTwoNumbers")}
    with RefactoringDetector(jdk_home, seconds=0, memory_mb=256) as impatient:
        assert impatient.detect({PATH: BEFORE}, after).failure == "the refactoring detector gave no answer within 0 s"


def test_a_detector_without_enough_memory_fails_with_a_reason(jdk_home: Path) -> None:
    after = {PATH: BEFORE.replace("addsNumbers", "addsTwoNumbers"), "B.java": "class B { /*" + "x" * 20_000_000 + "*/}"}
    with RefactoringDetector(jdk_home, seconds=60, memory_mb=16) as small:
        found = small.detect({PATH: BEFORE}, after)
    assert found.refactorings == ()
    assert found.failure is not None and "ended without an answer" in found.failure


def test_a_file_that_does_not_parse_does_not_end_the_detector(detector: RefactoringDetector) -> None:
    detector.detect({PATH: BEFORE}, {PATH: "package p; class {{{"})
    found = detector.detect({PATH: BEFORE}, {PATH: BEFORE.replace("addsNumbers", "addsTwoNumbers")})
    assert [one.kind for one in found.refactorings] == ["Rename Method"]
