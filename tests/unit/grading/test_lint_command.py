"""`testevo lint` and `testevo task checkout` as a user meets them, on a small dataset folder."""

import json
import sys
from pathlib import Path

import pytest
from prediction_factories import GOLD, ID, OLD, PATH, diff, task, text

from testevo.cli import main
from testevo.history.git import GitRepository
from testevo.history.revision_bundle import bundle_of_revisions
from testevo.packaging.dataset.dataset_folder import SCHEMA_VERSION
from testevo.records.repository import Repository, SourceKind
from testevo.records.tasks import Task
from testevo.runtime.errors import ExitStatus, UserError
from testevo.runtime.files.files import canonical_json
from testevo.sources.embedded.made_history import MadeCommit, MadeFile, make_history


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Two update tasks between two revisions of one file."""
    trees = [{PATH: MadeFile(source.encode()), "pom.xml": MadeFile(b"<project/>")} for source in (OLD, GOLD)]
    commits = [MadeCommit("old", "old", 1, 1, (), trees[0]), MadeCommit("new", "new", 2, 2, ("old",), trees[1])]
    made = make_history(tmp_path / "origin.git", commits, {})
    revisions = {"old_revision": made.revisions["old"], "new_revision": made.revisions["new"]}
    folder = tmp_path / "dataset"
    (folder / "histories").mkdir(parents=True)
    bundle = bundle_of_revisions(GitRepository(made.folder), made.revisions.values())
    (folder / "histories" / "o+r.bundle").write_bytes(bundle)
    repository = Repository(name="o/r", source=SourceKind.LIST, address="o/r", start="new")
    (folder / "repositories.jsonl").write_text(repository.line() + "\n")
    tasks: list[Task] = [task(task_id=name).model_copy(update=revisions) for name in (ID, f"{ID}0")]
    (folder / "update.jsonl").write_text("".join(one.line() + "\n" for one in tasks))
    (folder / "generation.jsonl").write_text("")
    description = {"schema": SCHEMA_VERSION, "preset": "strict", "rules": {}, "config": {}, "versions": {}}
    (folder / "snapshot.json").write_text(json.dumps(description))
    return folder


def call(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int | None:
    monkeypatch.setattr(sys, "argv", ["testevo", *map(str, arguments)])
    return main.invoke()


def predictions(folder: Path, **patches: str) -> Path:
    path = folder / "predictions.jsonl"
    path.write_text(
        "".join(
            canonical_json({"instance_id": name, "model_name_or_path": "m", "model_patch": patch}) + "\n"
            for name, patch in patches.items()
        )
    )
    return path


GOOD = text(diff(OLD, GOLD))


def test_good_predictions_pass(
    dataset: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = predictions(dataset.parent, **{ID: GOOD, f"{ID}0": GOOD})
    assert call(monkeypatch, "lint", "--dataset", dataset, "--predictions", given) == ExitStatus.OK
    assert capsys.readouterr().out == "2 of 2 tasks can be graded (2 by exact); 0 predictions for unknown tasks.\n"


def test_every_defect_is_a_row_and_fatal_ones_set_the_status(
    dataset: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = predictions(dataset.parent, **{ID: f"```\n{GOOD}```\n", "[red]nowhere": GOOD})
    assert call(monkeypatch, "lint", "--dataset", dataset, "--predictions", given) == ExitStatus.INPUT
    rows = [line.split(None, 4) for line in capsys.readouterr().out.splitlines()]
    assert [row[:3] for row in rows[1:4]] == [
        [ID, "fatal", "fenced"],
        [f"{ID}0", "fatal", "missing_task"],
        ["[red]nowhere", "fatal", "unknown_task"],
    ]
    assert call(monkeypatch, "lint", "--dataset", dataset, "--predictions", given, "--tasks", ID, "--repair") == 3
    assert "repaired" in capsys.readouterr().out


def test_a_pattern_without_tasks_is_a_mistake(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = predictions(dataset.parent, **{ID: GOOD})
    with pytest.raises(UserError, match=r"No task of .+ matches 'x'"):
        call(monkeypatch, "lint", "--dataset", dataset, "--predictions", given, "--tasks", "x")


def test_the_same_as_json(dataset: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    given = predictions(dataset.parent, **{ID: GOOD.strip(), "nowhere": GOOD})
    call(monkeypatch, "lint", "--dataset", dataset, "--predictions", given, "--system", "mine", "--json")
    printed = json.loads(capsys.readouterr().out)
    assert printed["system"] == "mine"
    assert [(one["task_id"], one["gradable"], one["applied_by"]) for one in printed["tasks"]] == [
        (ID, True, "exact"),
        (f"{ID}0", False, None),
        ("nowhere", False, None),
    ]
    assert [defect["kind"] for defect in printed["tasks"][0]["defects"]] == ["no_final_newline"]


def test_a_task_is_checked_out_and_what_is_to_be_done_printed(
    dataset: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call(monkeypatch, "task", "checkout", ID, dataset.parent / "copy", "--dataset", dataset)
    assert (dataset.parent / "copy" / PATH).read_text() == OLD
    printed = capsys.readouterr().out
    assert f"target file {PATH}, to be changed" in printed and "ATest#divides" in printed and "JDK 17" in printed
    with pytest.raises(UserError, match="is not empty"):
        call(monkeypatch, "task", "checkout", ID, dataset.parent / "copy", "--dataset", dataset)
    with pytest.raises(UserError, match="names 2 tasks"):
        call(monkeypatch, "task", "checkout", "ATest", dataset.parent / "other", "--dataset", dataset)
