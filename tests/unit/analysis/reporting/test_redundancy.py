"""Redundant % by kind of old-code tree."""

import pytest
from grading_factories import graded, method, test_key

from testevo.analysis.reporting.redundancy import compare_grades, compare_labels
from testevo.records.evaluation.grading import Grade
from testevo.records.labels import Label, LabelKind
from testevo.records.methods import ChangeKind, TestKind
from testevo.records.tasks import Track

S, R, E = Grade.SUCCESS, Grade.REDUNDANT, Grade.EXEC_FAIL


def generated(task_id: str, *grades: Grade, **more):
    methods = (method(grade, f"t{place}") for place, grade in enumerate(grades))
    return graded(task_id, *methods, track=Track.GENERATION, **more)


def test_methods_that_are_redundant_only_with_added_files_are_artefacts() -> None:
    """A test of a class that only the new revision has passes on the "old" side once the class is left there."""
    clean = [generated("a", S, R), generated("b", S, S), generated("c", E)]
    kept = [generated("a", R, R), generated("b", S, S), generated("c", E)]
    study = compare_grades(clean, kept)
    assert (study.tasks, study.methods) == (3, 5)
    assert (study.clean_macro, study.kept_macro) == (pytest.approx(0.5 / 3), pytest.approx(1 / 3))
    assert (study.clean_micro, study.kept_micro) == (pytest.approx(0.2), pytest.approx(0.4))
    assert [(one.task_id, one.test.name, one.clean) for one in study.artefacts] == [("a", "t0", "success")]
    assert study.unexplained == ()


def test_a_method_that_is_redundant_only_with_a_clean_tree_is_unexplained() -> None:
    study = compare_grades([generated("a", R)], [generated("a", S)])
    assert (len(study.artefacts), len(study.unexplained)) == (0, 1)


def test_tasks_that_only_one_grading_has_and_updates_take_no_part() -> None:
    study = compare_grades(
        [generated("a", S), generated("b", R), graded("u", method(S))], [generated("a", S), graded("u", method(S))]
    )
    assert (study.tasks, study.clean_macro) == (1, 0.0)


def test_infrastructure_failures_take_no_part() -> None:
    assert compare_grades([generated("a", S)], [generated("a", S, infrastructure="disk full")]).tasks == 0


def test_gradings_of_different_edits_are_refused() -> None:
    other = generated("a", S).model_copy(update={"edit": "another"})
    with pytest.raises(ValueError, match="two different edits"):
        compare_grades([generated("a", S)], [other])


def label(name: str, kind: LabelKind) -> Label:
    return Label(
        repository="o/r",
        old_revision="a" * 40,
        new_revision="b" * 40,
        test=test_key(name),
        test_kind=TestKind.JUNIT4,
        change=ChangeKind.INSERTED,
        label=kind,
        reason=None,
    )


def test_two_minings_can_be_compared_by_their_labels() -> None:
    discriminating, redundant = LabelKind.DISCRIMINATING, LabelKind.REDUNDANT
    study = compare_labels(
        [label("x", discriminating), label("y", redundant), label("z", LabelKind.UPDATE)],
        [label("x", redundant), label("y", redundant), label("z", LabelKind.UPDATE)],
    )
    assert (study.methods, study.clean_micro, study.kept_micro) == (2, 0.5, 1.0)
    assert [one.test.name for one in study.artefacts] == ["x"]
