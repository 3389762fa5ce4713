"""A snapshot is judged by what control submissions reach on it."""

import pytest
from grading_factories import evidence, graded, lines, method, task

from testevo.analysis.reporting.validation import Validation, validated
from testevo.config.model import CONTROLS
from testevo.grading.verdicts.impossible import Impossible
from testevo.records.evaluation.grading import Grade, GradedTask, MethodResult, Weakening
from testevo.records.tasks import Track

EXPECTED = {
    "gold": Grade.SUCCESS,
    "empty": Grade.HARNESS_FAIL,
    "unchanged": Grade.EXEC_FAIL,
    "trivial": Grade.REDUNDANT,
    "broken": Grade.COMPILE_FAIL,
    "sabotage": Grade.EXEC_FAIL,
}


def judged(
    changed: dict[str, MethodResult],
    track: Track = Track.GENERATION,
    quarantined: str | None = None,
    infrastructure: str | None = None,
) -> Validation:
    """A snapshot of one task in which all controls do as they should, but for those `changed`."""
    records = [
        graded(
            "t",
            changed.get(name, method(grade)),
            system=name,
            track=track,
            infrastructure=infrastructure if name == "sabotage" else None,
        )
        for name, grade in EXPECTED.items()
    ]
    return validated(records, [task("t", evidence(), track=track, quarantined=quarantined)], CONTROLS)


def test_a_snapshot_whose_controls_do_as_they_should_is_publishable() -> None:
    validation = judged({})
    assert validation.publishable
    titles = [column.title for column in validation.tasks.columns]
    row = dict(zip(titles, validation.tasks.rows[0], strict=True))
    assert row["gold, Success"] == 1
    assert {row[f"{name}, Success"] for name in CONTROLS if name != "gold"} == {0}


@pytest.mark.parametrize(
    ("control", "grade"),
    [
        ("gold", Grade.EXEC_FAIL),
        ("gold", Grade.REDUNDANT),
        ("trivial", Grade.SUCCESS),
        ("sabotage", Grade.SUCCESS),
        ("empty", Grade.SUCCESS),
        ("broken", Grade.SUCCESS),
        ("unchanged", Grade.SUCCESS),
    ],
)
def test_gold_below_all_and_others_above_nothing_refuse_the_snapshot(control: str, grade: Grade) -> None:
    validation = judged({control: method(grade)})
    assert [(one.task_id, one.control) for one in validation.complaints] == [("t", control)]


def test_quarantined_tasks_do_not_decide_and_are_shown() -> None:
    validation = judged({"gold": method(Grade.EXEC_FAIL)}, quarantined="wavers")
    assert validation.publishable
    assert "wavers" in validation.tasks.rows[0]


def test_a_task_that_cannot_be_judged_on_this_machine_refuses_the_snapshot() -> None:
    """Its dataset does not know of it: the developer's test fails here."""
    here = graded("t", method(Grade.SUCCESS), system="gold", quarantined="fails here")
    only = validated([here], [task("t", evidence())], ["gold", "empty"]).complaints
    assert "t: gold is not judged: fails here" in map(str, only)


def test_a_trivial_update_that_is_seen_through_is_no_success_of_its_own() -> None:
    """It passes on the new code, which is all that the paper's Success asks of an update."""
    passing = method(Grade.SUCCESS)
    weakened = passing.model_copy(update={"weakening": (Weakening.NO_ASSERTION,)})
    elsewhere = passing.model_copy(update={"coverage": lines(0, 4), "coverage_undefined": None})
    exercised = passing.model_copy(update={"coverage": lines(1, 4), "coverage_undefined": None})
    publishable = {
        name: judged({"trivial": result}, Track.UPDATE).publishable
        for name, result in (
            ("plain", passing),
            ("weakened", weakened),
            ("elsewhere", elsewhere),
            ("exercised", exercised),
        )
    }
    assert publishable == {"plain": False, "weakened": True, "elsewhere": True, "exercised": False}
    assert not judged({"trivial": weakened}, Track.GENERATION).publishable


def test_a_trivial_update_counts_as_seen_through_in_its_own_column() -> None:
    hollow = method(Grade.SUCCESS).model_copy(update={"weakening": (Weakening.NO_ASSERTION,)})
    table = judged({"trivial": hollow}, Track.UPDATE).tasks
    assert table.rows[0][[column.title for column in table.columns].index("trivial, hollow")] == 1


def test_what_was_not_graded_or_could_not_be_is_no_evidence() -> None:
    assert "could not be graded: no JDK" in str(judged({}, infrastructure="no JDK").complaints[0])
    missing = validated([graded("t", method(Grade.SUCCESS), system="gold")], [task("t", evidence())], ("gold",))
    assert {one.control for one in missing.complaints} == set(CONTROLS) - {"gold"}
    absent = validated([], [task("t", evidence())], CONTROLS)
    assert {one.control for one in absent.complaints} == set(CONTROLS)


def test_other_systems_do_not_matter() -> None:
    records: list[GradedTask] = [
        graded("t", method(grade), system=name, track=Track.GENERATION) for name, grade in EXPECTED.items()
    ]
    records.append(graded("t", method(Grade.SUCCESS), system="tool", track=Track.GENERATION))
    assert validated(records, [task("t", evidence(), track=Track.GENERATION)], CONTROLS).publishable


@pytest.mark.parametrize(("system", "named"), [("sabotage", "sabotage"), (None, "the dataset")])
def test_an_impossible_outcome_of_a_control_or_a_task_refuses_the_snapshot(system: str | None, named: str) -> None:
    records = [graded("t", method(grade), system=name, track=Track.GENERATION) for name, grade in EXPECTED.items()]
    impossible = [Impossible(system, "t", Track.GENERATION, "kills a mutant that it does not enter")]
    found = validated(records, [task("t", evidence(), track=Track.GENERATION)], CONTROLS, impossible).complaints
    assert list(map(str, found)) == [f"t: {named} has an impossible outcome: kills a mutant that it does not enter"]
