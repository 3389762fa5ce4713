"""What is recorded of the developer's test, and when a task is quarantined (TEB-K06)."""

from pathlib import Path

import pytest

from testevo.grading.gold import quarantine_reason, require_coverage, shared_ids
from testevo.grading.mutation.mutant_archive import read_collection, write_collection
from testevo.records.evaluation.grading import Grade, GradedTask, MethodResult
from testevo.records.methods import TestKey
from testevo.records.tasks import Coverage, Track
from testevo.records.verdicts import Outcome
from testevo.runtime.errors import MachineError, UserError

GOOD, BAD = (Grade.SUCCESS, Outcome.PASSED), (Grade.EXEC_FAIL, Outcome.ASSERTION_FAILED)


def run(*grades: tuple[Grade, Outcome], infrastructure: str | None = None) -> GradedTask:
    """A graded run whose target methods are called m0, m1 and so on."""
    methods = [
        MethodResult(
            test=TestKey(module="", path="T.java", type_name="p.T", name=f"m{place}"), grade=grade, new_run=outcome
        )
        for place, (grade, outcome) in enumerate(grades)
    ]
    return GradedTask(
        system="gold",
        task_id="t",
        track=Track.UPDATE,
        repository="o/r",
        old_revision="a",
        new_revision="b",
        new_time=0,
        key="k",
        edit="e",
        methods=tuple(methods),
        infrastructure=infrastructure,
    )


def test_a_task_is_quarantined_unless_every_method_succeeds_every_time() -> None:
    """The sentence names method, grade, outcome and how often."""
    assert quarantine_reason([run(GOOD, GOOD), run(GOOD, GOOD)]) is None
    assert quarantine_reason([run(GOOD, GOOD), run(GOOD, BAD), run(GOOD, GOOD)]) == (
        "The developer's test does not reach success every time: T#m1 is exec_fail (assertion_failed) in 1 of 3 runs."
    )
    both = quarantine_reason([run(BAD, BAD), run(BAD, BAD)]) or ""
    assert "T#m0 is exec_fail (assertion_failed) in 2 of 2 runs; T#m1" in both


def test_a_failure_of_the_harness_is_named_as_such() -> None:
    """It says nothing about the test, but nobody can be graded on such a task either."""
    reason = quarantine_reason([run(GOOD), run(BAD, infrastructure="the JVM cannot be started")])
    assert reason == "The developer's test could not be graded: the JVM cannot be started"


def test_coverage_of_nothing_at_all_is_no_measurement() -> None:
    """A whole repository without a covered line stops the run; one test without one does not."""
    nothing = Coverage(covered=0, raw_lines=3, executable_lines=2)
    some = Coverage(covered=1, raw_lines=3, executable_lines=2)

    class Covered:
        def __init__(self, *coverage: Coverage | None) -> None:
            self.tests = [type("Evidence", (), {"gold_coverage": one}) for one in coverage]

    require_coverage([Covered(nothing, nothing, None), Covered(nothing, nothing)])  # type: ignore[list-item]
    require_coverage([Covered(*[nothing] * 9), Covered(some)])  # type: ignore[list-item]
    with pytest.raises(MachineError, match="None of 6 passing developers' tests covers"):
        require_coverage([Covered(*[nothing] * 6)])  # type: ignore[list-item]


def test_ids_of_several_tasks_are_found() -> None:
    class Named:
        def __init__(self, name: str) -> None:
            self.task_id = name

    assert shared_ids([Named("a"), Named("b"), Named("a")]) == {"a"}  # type: ignore[list-item]


def test_collected_archives_have_equal_bytes_and_come_back(tmp_path: Path) -> None:
    """Equal archives give an equal file, in whatever order they come (TEB-K09)."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.zip").write_bytes(name.encode() * 9)
    archives = {name: tmp_path / f"{name}.zip" for name in ("a", "b")}
    write_collection(tmp_path / "one.zip", archives)
    write_collection(tmp_path / "two.zip", dict(reversed(archives.items())))
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert read_collection(tmp_path / "one.zip") == {"a": b"a" * 9, "b": b"b" * 9}
    write_collection(tmp_path / "none.zip", {})
    assert read_collection(tmp_path / "none.zip") == {}
    (tmp_path / "none.zip").write_bytes(b"torn")
    with pytest.raises(UserError, match="holds no archives of mutants"):
        read_collection(tmp_path / "none.zip")
