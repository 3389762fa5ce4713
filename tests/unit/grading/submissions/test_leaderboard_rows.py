"""Rows of the leaderboard, and the released file read as a board."""

import json
import os
from datetime import date
from pathlib import Path

import pytest
from graded_factories import graded, method

from testevo.grading.leaderboard.board import board_file, read_board
from testevo.grading.leaderboard.rows import board_rows
from testevo.packaging.exports.released_export import TRACK_KEYS
from testevo.records.evaluation.grading import NOT_HERE, Grade, GradedTask
from testevo.records.evaluation.predictions import DefectKind
from testevo.records.evaluation.submissions import BoardEntry
from testevo.records.tasks import Track
from testevo.runtime.errors import UserError
from testevo.runtime.files.project import PROJECT

RELEASED = Path(os.environ.get("TESTEVO_ORACLE", PROJECT.parent / "shared" / "oracle")) / "leaderboard.json"
GENERATION = [
    graded(
        "b",
        method(Grade.SUCCESS, covered=10, killed=1),
        method(Grade.REDUNDANT, 1, covered=5),
        method(Grade.EXEC_FAIL, 2, covered=0),
        track=Track.GENERATION,
        day=1,
    ),
    graded("a", method(Grade.HARNESS_FAIL), track=Track.GENERATION, day=1),
    graded("c", method(Grade.COMPILE_FAIL), method(Grade.SUCCESS, 1), track=Track.GENERATION),
]


def rows(graded_tasks: list[GradedTask], track: Track) -> list[dict[str, object]]:
    """As a board file has them."""
    board = {
        track: [BoardEntry(agent="A", model="M", submission_date=date(2026, 1, 2), tasks=found)]
        for track, found in board_rows(graded_tasks).items()
    }
    tracks = json.loads(board_file([board], {}))["tracks"]
    return [row for entry in tracks[TRACK_KEYS[track]] for row in entry["tasks"]]


def test_rows_are_shares_and_means_over_passing_methods() -> None:
    """By hand: two of three methods of `b` pass, covering 10 and 5 of 10 lines; one was measured by mutants, 1 of 4."""
    none = {"cov": None, "mut": None}
    assert rows(GENERATION, Track.GENERATION) == [
        {"d": "2020-01-01", "pass": 0.5, "exec": 0.0, "cmpl": 0.5, "hrns": 0.0, "disc": 0.5} | none,
        {"d": "2020-01-02", "pass": 0.0, "exec": 0.0, "cmpl": 0.0, "hrns": 1.0, "disc": 0.0} | none,
        {
            "d": "2020-01-02",
            "pass": 0.6667,
            "exec": 0.3333,
            "cmpl": 0.0,
            "hrns": 0.0,
            "disc": 0.3333,
            "cov": 0.75,
            "mut": 0.25,
        },
    ]
    assert rows(GENERATION, Track.UPDATE) == []


def test_a_task_without_a_prediction_is_no_failure_of_the_harness() -> None:
    """As in the report, where it is missing and `hrns` stays 0."""
    absent = graded("a", method(Grade.HARNESS_FAIL), defect=DefectKind.MISSING_TASK)
    ((row,),) = board_rows([absent]).values()
    assert (row.pass_, row.exec, row.cmpl, row.hrns) == (0, 0, 0, 0)


def test_rows_of_updates_have_no_discrimination() -> None:
    made = rows([graded("a", method(Grade.SUCCESS))], Track.UPDATE)
    assert [list(row) for row in made] == [["d", "pass", "exec", "cmpl", "hrns", "cov", "mut"]]


def test_quarantined_tasks_are_left_out_and_infrastructure_failures_refused() -> None:
    good, bad = graded("a", method(Grade.SUCCESS)), graded("q", method(Grade.EXEC_FAIL), quarantined="wavers")
    assert len(board_rows([good, bad])[Track.UPDATE]) == 1
    with pytest.raises(UserError, match=r"failed on 1 tasks, such as i.+Grade them again"):
        board_rows([good, graded("i", method(Grade.HARNESS_FAIL), infrastructure="full")])


def test_a_task_that_this_machine_cannot_prove_does_not_shrink_the_board() -> None:
    """It counts for the others, who were graded elsewhere."""
    here = graded(
        "h", method(Grade.EXEC_FAIL), quarantined=f"{NOT_HERE}ATest#adds: new_test_new_code ends as timed_out."
    )
    with pytest.raises(UserError, match=r"1 tasks, such as h, do not hold on this machine.+Grade them again"):
        board_rows([graded("a", method(Grade.SUCCESS)), here])


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "is not a leaderboard file"),
        ("[]", "is not a leaderboard file"),
        ('{"tracks": {}}', "is not a leaderboard file"),
        ('{"tracks": {"test_update": [{"agent": 1}], "test_generation": []}}', "entry of another shape"),
    ],
)
def test_another_file_is_refused(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "leaderboard.json"
    path.write_text(content)
    with pytest.raises(UserError, match=says):
        read_board(path)


@pytest.mark.skipif(not RELEASED.is_file(), reason="set TESTEVO_ORACLE to the folder of the released data")
def test_the_released_leaderboard_comes_back_key_for_key() -> None:
    """Behind its keys an entry has those of ours."""
    released = json.loads(RELEASED.read_bytes())["tracks"]
    written = json.loads(board_file([read_board(RELEASED)], {}))["tracks"]
    shortened = {
        key: [dict(list(ours.items())[: len(theirs)]) for ours, theirs in zip(written[key], found, strict=True)]
        for key, found in released.items()
    }
    assert json.dumps(shortened) == json.dumps(released)
