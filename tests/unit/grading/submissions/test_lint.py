"""Exactly one edit for each task, whatever the file holds; unknown ids apart."""

from hypothesis import given
from hypothesis import strategies as st
from prediction_factories import GOLD, PATH, fatal, prediction, target, task

from testevo.grading.lint import edits_for, unknown_tasks
from testevo.records.evaluation.predictions import DefectKind, Edit, Prediction
from testevo.records.tasks import Task, Track

TASKS = [task(task_id=name) for name in ("t3", "t1", "t2")]


def edits(predictions: list[Prediction], tasks: list[Task] = TASKS) -> list[Edit]:
    return edits_for(predictions, "s", tasks, target, repair=False)


def given_for(task_id: str, **fields: object) -> Prediction:
    return prediction(task_id=task_id, files={PATH: GOLD}, **fields)


def test_missing_and_duplicate_predictions_are_defects_of_their_tasks() -> None:
    found = edits([given_for("t2", file_line=1), given_for("t1", file_line=4), given_for("t2", file_line=9)])
    assert [(edit.task_id, fatal(edit)) for edit in found] == [
        ("t1", []),
        ("t2", [DefectKind.DUPLICATE_TASK]),
        ("t3", [DefectKind.MISSING_TASK]),
    ]
    assert "lines 1, 9" in found[1].defects[0].message and found[1].content is None


def test_unknown_tasks_are_told_apart_and_change_no_edit() -> None:
    predictions = [given_for("t1"), given_for("nowhere", file_line=2)]
    [unknown] = unknown_tasks(predictions, TASKS)
    assert fatal(unknown) == [DefectKind.UNKNOWN_TASK] and unknown.defects[0].line == 2
    assert edits(predictions) == edits(predictions[:1])


def test_a_task_that_is_not_graded_this_time_is_not_unknown() -> None:
    predictions = [given_for("t1"), given_for("t2")]
    assert unknown_tasks(predictions, TASKS) == []
    assert [edit.task_id for edit in edits(predictions, TASKS[1:2])] == ["t1"]


def test_a_prediction_for_another_track_is_unknown() -> None:
    predictions = [given_for("t1", track="generation")]
    [unknown] = unknown_tasks(predictions, TASKS)
    assert "track update, not generation" in unknown.defects[0].message
    assert fatal(edits(predictions)[0]) == [DefectKind.MISSING_TASK]


def test_tasks_of_one_id_on_both_tracks_are_two() -> None:
    both = [task(task_id="t", targets=["adds"]), task(Track.GENERATION, task_id="t", targets=["divides"])]
    by_track = [given_for("t", track="update"), given_for("t", track="generation")]
    assert [fatal(edit) for edit in edits(by_track, both)] == [[], []]
    assert [fatal(edit) for edit in edits(by_track[:1], both)] == [[DefectKind.MISSING_TASK], []]


def test_costs_are_kept_also_when_nothing_can_be_run() -> None:
    [edit] = edits([prediction(task_id="t1", cost_usd=2.5, tokens_in=7, exit_status="limit")], TASKS[1:2])
    assert fatal(edit) == [DefectKind.EMPTY]
    assert (edit.cost_usd, edit.tokens_in, edit.exit_status) == (2.5, 7, "limit")


def test_the_name_of_the_run_is_that_of_every_edit() -> None:
    found = edits_for([given_for("t1")], "other", TASKS, target, repair=False)
    assert {edit.system for edit in found} == {"other"}


@given(st.lists(st.tuples(st.sampled_from(["t1", "t2", "t3", "x"]), st.sampled_from([None, "", "garbage"]))))
def test_there_is_one_edit_for_each_task_and_every_prediction_is_accounted_for(
    given_pairs: list[tuple[str, str | None]],
) -> None:
    predictions = [prediction(task_id=name, patch=patch) for name, patch in given_pairs]
    found = edits(predictions)
    assert [edit.task_id for edit in found] == ["t1", "t2", "t3"]
    assert all((edit.content is None) is bool(fatal(edit)) for edit in found)
    assert len(unknown_tasks(predictions, TASKS)) == sum(one.task_id == "x" for one in predictions)
