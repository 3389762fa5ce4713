"""Submissions: what a check finds, that only grades made here are listed, and the board with imported entries."""

import json
import os
import re
import sys
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import yaml
from graded_factories import graded, method
from prediction_factories import GOLD, ID, PATH, target, task

from testevo.cli import main
from testevo.cli.grading.submit import rows_after
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.grading.leaderboard.board import graded_entries, imported_entries, keep, read_board
from testevo.grading.leaderboard.folder import findings, open_submission
from testevo.packaging.dataset.dataset_folder import DatasetFolder
from testevo.records.evaluation.grading import Grade, GradedTask
from testevo.records.evaluation.submissions import SubmissionDefect
from testevo.records.tasks import Track
from testevo.runtime.errors import NotFoundError, UserError
from testevo.runtime.files.project import PROJECT

METADATA: dict[str, Any] = {
    "schema_version": 1,
    "system": "mine",
    "agent": "A",
    "models": [{"name": "gpt-4o"}],
    "submitted": date(2026, 2, 3),
    "contact": "a@example.org",
    "licence": "CC-BY-4.0",
    "tracks": ["update"],
    "cost": {"usd": 1.5},
}
IDS = [f"{ID}{number}" for number in range(6)]
OTHER = GOLD.replace("(3, ", "(4, ")


def handed_in(folder: Path, files: dict[str, str] | None = None, rows: list[dict[str, Any]] = [], **more: Any) -> Path:  # noqa: B006
    """A submission with a whole file for each task, further rows, and changed metadata."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "submission.yaml").write_text(yaml.safe_dump({**METADATA, **more}))
    contents = dict.fromkeys(IDS, OTHER) if files is None else files
    lines = [
        {"instance_id": name, "model_name_or_path": "mine", "files": {PATH: text}} for name, text in contents.items()
    ]
    (folder / "predictions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in [*lines, *rows]))
    return folder


def found(folder: Path) -> dict[str, bool]:
    """Defects and whether they are fatal, against a dataset of six update tasks."""
    tasks = [task(task_id=name) for name in IDS]
    histories = SimpleNamespace(tasks=tasks, target_of=target)
    return {one.defect.value: one.fatal for one in findings(open_submission(folder), cast(DatasetHistories, histories))}


@pytest.mark.parametrize(
    ("system", "says"),
    [
        ("gold", "'gold' is the name of a control"),
        ("../../x", "cannot name a system"),
        ("a\nb", "cannot name a system"),
        ("honest@2", "is the name of an attempt"),
    ],
)
def test_a_name_that_cannot_be_graded_is_refused(tmp_path: Path, system: str, says: str) -> None:
    """Also that of a further attempt, which would count as one of somebody else's."""
    with pytest.raises(UserError, match=rf"submission\.yaml: .*{says}"):
        open_submission(handed_in(tmp_path, system=system))


def test_a_whole_submission_has_no_defect(tmp_path: Path) -> None:
    assert found(handed_in(tmp_path)) == {}


@pytest.mark.parametrize(
    ("given", "defects"),
    [
        ({"files": dict.fromkeys(IDS[:-1], OTHER)}, {"missing_task": True}),
        ({"rows": [{"instance_id": "x", "model_name_or_path": "mine", "model_patch": ""}]}, {"unknown_task": True}),
        (
            {"rows": [{"instance_id": IDS[0], "model_name_or_path": "mine", "model_patch": ""}]},
            {"duplicate_task": True},
        ),
        (
            {"rows": [{"instance_id": IDS[0], "model_name_or_path": "mine", "model_patch": "", "track": "update"}]},
            {"duplicate_task": True},
        ),
        ({"files": dict.fromkeys(IDS, GOLD)}, {"copied": True}),
        ({"files": {**dict.fromkeys(IDS, OTHER), IDS[0]: GOLD}}, {}),
        ({"models": [{"name": "gpt-4o", "cutoff": "2022-01", "cutoff_source": "https://h.example"}]}, {"cutoff": True}),
        ({"models": [{"name": "unheard of"}]}, {"unknown_cutoff": False}),
        (
            {
                "files": dict.fromkeys(IDS[1:], OTHER),
                "rows": [{"instance_id": IDS[0], "model_name_or_path": "mine", "model_patch": "no diff"}],
            },
            {"harness_failure": False},
        ),
        ({"cost": {}}, {"no_cost": False}),
    ],
)
def test_every_defect_is_found(tmp_path: Path, given: dict[str, Any], defects: dict[str, bool]) -> None:
    assert found(handed_in(tmp_path, **given)) == defects


def test_a_trajectory_must_lie_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s")
    row = {"instance_id": IDS[0], "model_name_or_path": "mine", "files": {PATH: OTHER}, "trajectory": "../secret"}
    folder = handed_in(tmp_path / "s", dict.fromkeys(IDS[1:], OTHER), [row])
    assert found(folder) == {"trajectory": True}
    (folder / "predictions.jsonl").write_text(
        (folder / "predictions.jsonl").read_text().replace("../secret", "one.log")
    )
    (folder / "one.log").write_text("what happened")
    assert found(folder) == {}


@pytest.mark.parametrize(
    "name",
    ["a\0b", "x" * 5000, "/".join(["x" * 200] * 40), "loop/x", "fifo", "."],
    ids=["no path", "too long a name", "too long a path", "a circle", "a pipe", "a folder"],
)
def test_a_trajectory_that_is_no_file_is_a_defect_of_its_submission(tmp_path: Path, name: str) -> None:
    row = {"instance_id": IDS[0], "model_name_or_path": "mine", "files": {PATH: OTHER}, "trajectory": name}
    folder = handed_in(tmp_path / "s", dict.fromkeys(IDS[1:], OTHER), [row])
    (folder / "loop").symlink_to("loop")
    os.mkfifo(folder / "fifo")
    assert found(folder) == {"trajectory": True}


def test_predictions_that_are_no_file_are_not_waited_for(tmp_path: Path) -> None:
    folder = handed_in(tmp_path)
    (folder / "predictions.jsonl").unlink()
    os.mkfifo(folder / "predictions.jsonl")
    with pytest.raises(UserError, match=r"predictions\.jsonl is not a file"):
        open_submission(folder)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"licence": "secret"}, "licence: "),
        ({"contact": ""}, "contact: "),
        ({"extra": 1}, "extra: "),
        ({"tracks": ["update", "update"]}, "tracks: a track is there twice"),
        ({"cost": {"usd": float("inf")}}, "cost.usd: "),
        ({"cost": {"hours": float("inf")}}, "cost.hours: "),
        ({"models": [{"name": "m", "cutoff": "2024-01"}]}, "cutoff and cutoff_source belong together"),
        ({"schema_version": 2}, "schema_version: "),
    ],
)
def test_wrong_metadata_is_named(tmp_path: Path, more: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=re.escape(said)):
        open_submission(handed_in(tmp_path, **more))


def test_metadata_that_says_a_thing_twice_is_refused(tmp_path: Path) -> None:
    folder = handed_in(tmp_path)
    (folder / "submission.yaml").open("a").write("cost: {usd: 0}\n")
    with pytest.raises(UserError, match=r"submission\.yaml is not valid YAML: .*'cost' is there twice"):
        open_submission(folder)


def board_of(tmp_path: Path, *records: GradedTask, **more: Any) -> Path:
    """A board with one graded submission."""
    dataset = tmp_path / "dataset"
    dataset.mkdir(exist_ok=True)
    (dataset / "checksums.sha256").write_text("")
    opened = DatasetFolder(dataset, {"config": {"snapshot": "2026-02-01"}})
    keep(tmp_path / "board", open_submission(handed_in(tmp_path / "s", **more)), records, opened)
    return tmp_path / "board"


def test_only_grades_that_were_made_here_are_listed(tmp_path: Path) -> None:
    board = board_of(tmp_path, graded("a", method(Grade.SUCCESS)), graded("b", method(Grade.EXEC_FAIL)))
    [entry] = graded_entries(board)[Track.UPDATE]
    assert (entry.origin, entry.system, entry.cutoff, entry.dataset) == ("graded", "mine", "2023-10", "2026-02-01")
    assert sorted(row.success for row in entry.tasks) == [0, 1]
    grades = board / "mine" / "graded.jsonl"
    grades.write_text(grades.read_text().replace("exec_fail", "success"))
    with pytest.raises(UserError, match="is not what was graded"):
        graded_entries(board)
    (board / "mine" / "graded.json").write_text("")
    with pytest.raises(UserError, match=r"not graded here: graded\.json holds 0 records"):
        graded_entries(board)
    (board / "mine" / "graded.json").unlink()
    with pytest.raises(UserError, match="not graded here"):
        graded_entries(board)
    (board / "mine" / "submission.yaml").write_text("sytem: mine")
    with pytest.raises(UserError, match=r"submission\.yaml: .*docs/submissions\.md lists the keys"):
        graded_entries(board)


def test_grades_of_datasets_that_differ_are_not_set_side_by_side(tmp_path: Path) -> None:
    board = board_of(tmp_path, graded("a", method(Grade.SUCCESS)))
    board_of(tmp_path, graded("a", method(Grade.SUCCESS)), system="other")
    assert len(graded_entries(board)[Track.UPDATE]) == 2
    made_from = board / "other" / "graded.json"
    document = json.loads(made_from.read_text())
    made_from.write_text(json.dumps({**document, "dataset_checksums": "0" * 64}))
    with pytest.raises(UserError, match=r"other and .*mine were graded on datasets 2026-02-01 that differ"):
        graded_entries(board)
    made_from.write_text(json.dumps({**document, "dataset_checksums": "0" * 64, "dataset": "2026-03-01"}))
    assert len(graded_entries(board)[Track.UPDATE]) == 2


def test_no_submission_takes_the_place_of_another_system(tmp_path: Path) -> None:
    """Both names have one folder."""
    board = board_of(tmp_path, graded("a", method(Grade.SUCCESS)), system="team/agent")
    with pytest.raises(UserError, match=r"team__agent holds the grades of team/agent, not of team agent\. Rename"):
        board_of(tmp_path, graded("a", method(Grade.EXEC_FAIL)), system="team agent")
    [entry] = graded_entries(board)[Track.UPDATE]
    assert (entry.system, [row.success for row in entry.tasks]) == ("team/agent", [1])


def test_the_cutoff_of_an_entry_is_the_latest_of_its_models(tmp_path: Path) -> None:
    own = {"name": "our-7b", "cutoff": "2019-12-31", "cutoff_source": "https://h.example"}
    board = board_of(tmp_path, graded("a", method(Grade.SUCCESS)), models=[own])
    [entry] = graded_entries(board)[Track.UPDATE]
    assert len(rows_after(entry)) == 1, "of 2020"
    board_of(tmp_path, graded("a", method(Grade.SUCCESS)), models=[own, {"name": "gpt-4o"}])
    [entry] = graded_entries(board)[Track.UPDATE]
    assert (entry.cutoff, rows_after(entry)) == ("2023-10", ())


def test_the_board_is_written_with_imported_entries_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    released = {"agent": "SWE-Agent", "model": "Opus 4.7", "submission_date": "2026-05-09", "paper_url": None}
    rates = {"pass": 1.0, "exec": 0, "cmpl": 0, "hrns": 0, "cov": None, "mut": None}
    entry = {**released, "tasks": [{"d": "2026-01-31", **rates}, {"d": "2026-02-01", **rates, "pass": 0.0}]}
    nothing = {**released, "agent": "Z", "tasks": []}
    (tmp_path / "released.json").write_text(
        json.dumps({"tracks": {"test_update": [entry, nothing], "test_generation": []}})
    )
    board = board_of(tmp_path, graded("a", method(Grade.SUCCESS)))
    output = tmp_path / "leaderboard.json"
    words = ["--board", str(board), "--imported", str(tmp_path / "released.json"), "--output", str(output)]
    monkeypatch.setattr(sys, "argv", ["testevo", "submit", "list", *words])
    main.invoke()
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[2] == ["mine", "gpt-4o", "graded", "2026-02-01", "1", "100.0", "2023-10", "0", "-"]
    assert rows[3] == ["SWE-Agent", "Opus", "4.7", "imported", "-", "2", "50.0", "2026-01", "1", "0.0"]
    assert rows[4][-5:] == ["0", "-", "2026-01", "0", "-"], "no task is no failure"
    assert [one.origin for one in read_board(output)[Track.UPDATE]] == ["graded", "imported", "imported"]
    assert imported_entries(output)[Track.UPDATE][0].origin == "imported"
    assert output.read_bytes().endswith(b"\n") and "a@example.org" not in output.read_text()


def test_a_board_that_is_not_there_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["testevo", "submit", "list", "--board", str(tmp_path / "nowhere")])
    with pytest.raises(NotFoundError):
        main.invoke()


def test_the_page_lists_the_defects_of_the_code() -> None:
    page = (PROJECT / "docs" / "submissions.md").read_text()
    listed = re.findall(r"^\| `(\w+)` \| (?:yes|no) \| (.+) \|$", page, re.MULTILINE)
    assert listed == [(one.value, one.doc) for one in SubmissionDefect]
