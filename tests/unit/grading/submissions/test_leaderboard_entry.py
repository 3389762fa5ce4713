"""Entries of the released leaderboard: emitted from graded tasks, and read back as they were."""

import json
import os
from pathlib import Path

import pytest
from graded_factories import graded, method

from testevo.grading.exports.leaderboard_entry import Submitter, entries, leaderboard_document, read_leaderboard
from testevo.records.evaluation.grading import Grade
from testevo.records.evaluation.predictions import DefectKind
from testevo.records.tasks import Track
from testevo.runtime.errors import UserError
from testevo.runtime.files.project import PROJECT

RELEASED = Path(os.environ.get("TESTEVO_ORACLE", PROJECT.parent / "shared" / "oracle")) / "leaderboard.json"
WHO = Submitter(agent="A", model="M", organization="O", submission_date="2026-01-02")
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


def rows(document: dict[str, object], key: str) -> list[dict[str, object]]:
    tracks = json.loads(json.dumps(document))["tracks"]
    return [row for entry in tracks[key] for row in entry["tasks"]]


def test_rows_are_shares_and_means_over_passing_methods() -> None:
    """By hand: two of three methods of `b` pass, covering 10 and 5 of 10 lines; one was measured by mutants, 1 of 4."""
    document = leaderboard_document({track: [entry] for track, entry in entries(GENERATION, WHO).items()}, "2026-01-02")
    none = {"cov": None, "mut": None}
    assert rows(document, "test_generation") == [
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
    assert rows(document, "test_update") == []


def test_a_task_without_a_prediction_is_no_failure_of_the_harness() -> None:
    """As in the report, where it is missing and `hrns` stays 0."""
    absent = graded("a", method(Grade.HARNESS_FAIL), defect=DefectKind.MISSING_TASK)
    ((row,),) = (entry.tasks for entry in entries([absent], WHO).values())
    assert (row.pass_, row.exec, row.cmpl, row.hrns) == (0, 0, 0, 0)


def test_rows_of_updates_have_no_discrimination() -> None:
    made = entries([graded("a", method(Grade.SUCCESS))], WHO)
    document = leaderboard_document({track: [entry] for track, entry in made.items()}, "")
    assert [list(row) for row in rows(document, "test_update")] == [["d", "pass", "exec", "cmpl", "hrns", "cov", "mut"]]


def test_quarantined_tasks_are_left_out_and_infrastructure_failures_refused() -> None:
    good, bad = graded("a", method(Grade.SUCCESS)), graded("q", method(Grade.EXEC_FAIL), quarantined="wavers")
    assert len(entries([good, bad], WHO)[Track.UPDATE].tasks) == 1
    with pytest.raises(UserError, match=r"failed on 1 tasks, such as i.+Grade them again"):
        entries([good, graded("i", method(Grade.HARNESS_FAIL), infrastructure="full")], WHO)


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    written = {track: (entry,) for track, entry in entries(GENERATION, WHO).items()}
    path = tmp_path / "leaderboard.json"
    path.write_text(json.dumps(leaderboard_document({track: list(of) for track, of in written.items()}, "")))
    assert read_leaderboard(path) == written | {Track.UPDATE: ()}


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
        read_leaderboard(path)


@pytest.mark.skipif(not RELEASED.is_file(), reason="set TESTEVO_ORACLE to the folder of the released data")
def test_the_released_leaderboard_comes_back_key_for_key() -> None:
    document = leaderboard_document({track: list(of) for track, of in read_leaderboard(RELEASED).items()}, "")
    assert json.dumps(document["tracks"]) == json.dumps(json.loads(RELEASED.read_bytes())["tracks"])
