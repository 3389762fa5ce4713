"""A submission on its way to the leaderboard: checked, built and run for real, listed."""

import json
from pathlib import Path
from statistics import fmean

import pytest
import yaml
from gradings import Grading, developers_files
from snapshots import Snapshot, command_line

from testevo.packaging.dataset.dataset_folder import read_tasks
from testevo.records.base import read_records
from testevo.records.evaluation.grading import Grade, GradedTask
from testevo.records.tasks import Track

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("mined")]

METADATA = {
    "schema_version": 1,
    "system": "mine",
    "agent": "A",
    "models": [{"name": "gpt-4o"}],
    "submitted": "2026-02-03",
    "contact": "a@example.org",
    "licence": "CC-BY-4.0",
    "tracks": ["update"],
    "cost": {"usd": 1.5},
}


def test_a_submission_is_graded_here_and_listed(mined: Snapshot, shared_cache: Path, tmp_path: Path) -> None:
    """One prediction passes, the others are empty: the grades are those of the real runs, and so is the board."""
    dataset = mined.layout.dataset
    updates = sorted(one.task_id for one in read_tasks(dataset) if one.track is Track.UPDATE)
    solved, *unsolved = updates
    files = {solved: developers_files(dataset)[solved], **dict.fromkeys(unsolved)}
    grading = Grading.of(tmp_path / "work", dataset, mined.folder / "cache", {"predictions": files})
    folder = grading.folder / "submission"
    folder.mkdir()
    lines = [json.loads(line) for line in (grading.folder / "predictions.jsonl").read_text().splitlines()]
    text = "".join(json.dumps({**line, "model_name_or_path": "mine"}) + "\n" for line in lines)
    (folder / "predictions.jsonl").write_text(text)
    (folder / "submission.yaml").write_text(yaml.safe_dump(METADATA))

    options = ("--dataset", "dataset", "--configuration", "machine.yaml", "--output", "out", "--workers", "1")
    finished = grading.run(command_line("submit", "grade", "submission", *options))
    assert finished.returncode == 0, finished.stdout[-3000:] + finished.stderr[-3000:]
    kept = grading.folder / "leaderboard" / "mine"
    graded = {one.task_id: one for one in read_records(kept / "graded.jsonl", GradedTask)}
    assert sorted(graded) == updates
    assert {method.grade for method in graded[solved].methods} == {Grade.SUCCESS}
    assert all(method.coverage is not None for method in graded[solved].methods)
    assert {method.grade for name in unsolved for method in graded[name].methods} == {Grade.HARNESS_FAIL}

    listed = grading.run(command_line("submit", "list", "--output", "board.json"))
    assert listed.returncode == 0, listed.stderr
    assert f"{100 * fmean(one.share(Grade.SUCCESS) for one in graded.values()):.1f}" in listed.stdout.split("mine")[1]
    [entry] = json.loads((grading.folder / "board.json").read_text())["tracks"]["test_update"]
    assert (entry["system"], entry["origin"]) == ("mine", "graded")

    (kept / "graded.jsonl").write_text("")
    refused = grading.run(command_line("submit", "list"))
    assert refused.returncode != 0 and "is not what was graded" in refused.stderr
