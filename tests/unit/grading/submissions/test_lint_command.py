"""`testevo lint`, `testevo submit` and `testevo task checkout` as a user meets them, on a small dataset folder."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from graded_factories import graded, method
from prediction_factories import GOLD, ID, OLD, PATH, diff, text
from small_dataset import seal, small_dataset

from testevo.cli import main
from testevo.cli.grading.evaluate import settings_of
from testevo.config.load import load_config
from testevo.config.snapshot.layout import Layout
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.records.base import write_records
from testevo.records.evaluation.grading import Grade, Undefined
from testevo.runtime.errors import ExitStatus, UsageError, UserError
from testevo.runtime.files.files import canonical_json


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    return small_dataset(tmp_path)


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
    assert capsys.readouterr().out == "m: 2 of 2 tasks can be graded (2 by exact); 0 predictions for unknown tasks.\n"


def test_every_defect_is_a_row_and_fatal_ones_set_the_status(
    dataset: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = predictions(dataset.parent, **{ID: f"```\n{GOOD}```\n", "[red]nowhere": GOOD})
    assert call(monkeypatch, "lint", "--dataset", dataset, "--predictions", given) == ExitStatus.INPUT
    rows = [line.split(None, 4) for line in capsys.readouterr().out.splitlines()]
    assert [row[:3] for row in rows[1:4]] == [
        [ID, "repaired", "fenced"],
        [f"{ID}0", "missing", "missing_task"],
        ["[red]nowhere", "fatal", "unknown_task"],
    ]


@pytest.mark.parametrize("name", ["gold", "../m", "m" * 101])
def test_a_name_that_evaluate_refuses_is_refused(dataset: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    given = predictions(dataset.parent, **{ID: GOOD})
    with pytest.raises(UsageError, match=r"is the name of a control|cannot name a system"):
        call(monkeypatch, "lint", "--dataset", dataset, "--predictions", f"{name}={given}")


def test_a_repository_that_the_dataset_does_not_name_is_told(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (dataset / "repositories.jsonl").write_text("")
    seal(dataset)
    given = predictions(dataset.parent, **{ID: GOOD})
    with pytest.raises(UserError, match=r"repositories.jsonl does not name o/r\. Fetch or package the dataset again"):
        call(monkeypatch, "lint", "--dataset", dataset, "--predictions", given)


def test_a_dataset_without_tasks_says_so(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file in dataset.glob("*s/update.jsonl"):
        file.write_text("")
    given = predictions(dataset.parent, **{ID: GOOD})
    with pytest.raises(UserError, match=r"dataset has no task at all\. `testevo builds`"):
        call(monkeypatch, "lint", "--dataset", dataset, "--predictions", given)


def test_a_task_that_does_not_fit_its_history_is_a_message(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file in dataset.glob("*s/update.jsonl"):
        text = re.sub(r'("new_span":\{"first_line":)\d+', r"\g<1>1", file.read_text())
        file.write_text(re.sub(r'("last_line":)\d+', r"\g<1>9", text))
    seal(dataset)
    given = predictions(dataset.parent, **{ID: GOOD})
    with pytest.raises(UserError, match=r"not found where the task says\. Fetch or package the dataset again"):
        call(monkeypatch, "lint", "--dataset", dataset, "--predictions", given)


@pytest.mark.parametrize("changed", ["histories/o+r.bundle", "mutants.jsonl"])
def test_a_file_that_is_not_as_it_was_packaged_is_named(
    dataset: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    """Start states of another history would be another task."""
    with (dataset / changed).open("ab") as file:
        file.write(b"\n")
    given = predictions(dataset.parent, **{ID: GOOD})
    for verb in (["lint", "--predictions", given], ["task", "checkout", ID, dataset.parent / "copy"]):
        with pytest.raises(UserError, match=rf"{re.escape(changed)} is missing or differs from checksums\.sha256"):
            call(monkeypatch, *verb, "--dataset", dataset)
    assert not (dataset.parent / "copy").exists()


def test_a_task_that_is_written_twice_is_refused(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would count twice in every number."""
    file = dataset / "tasks" / "update.jsonl"
    file.write_text(file.read_text() * 2)
    with pytest.raises(UserError, match=rf"holds the task {ID} of track update twice\. Fetch or package"):
        call(monkeypatch, "task", "list", "--dataset", dataset)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("task_id", "../elsewhere"),
        ("task_id", ".."),
        ("test_file", "../../.profile"),
        ("test_file", "/home/me/.profile"),
        ("old_test_file", "a/.git/hooks/x"),
        ("module", "../.."),
        ("old_revision", "--output=elsewhere"),
        ("new_revision", "HEAD"),
        ("new_time", 10**18),
    ],
)
def test_a_task_that_names_other_places_of_the_machine_is_refused(
    dataset: Path, monkeypatch: pytest.MonkeyPatch, key: str, value: object
) -> None:
    """Such names become paths that are written to, and words of git's command line."""
    for file in dataset.glob("*s/update.jsonl"):
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        file.write_text("".join(json.dumps(line | ({key: value} if key in line else {})) + "\n" for line in lines))
    with pytest.raises(UserError, match=rf"update\.jsonl:1 is not an? \w+ record \({key}"):
        call(monkeypatch, "task", "list", "--dataset", dataset)


def test_a_folder_without_graded_submissions_makes_no_site(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = dataset.parent / "site"
    with pytest.raises(UserError, match=r"dataset holds no graded submission .+\. Give --graded with another folder"):
        call(monkeypatch, "site", "--dataset", dataset, "--graded", dataset, "--output", output)
    assert not output.exists()


@pytest.mark.parametrize(
    ("output", "folder"), [("graded", "here/graded"), (".", "here"), ("..", ""), ("../x/../y@1", "y@1"), ("", "here")]
)
def test_results_go_into_the_folder_that_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str, folder: str
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert Layout.of(load_config(settings_of(Path(output)))).root.resolve() == (tmp_path / folder).resolve()


@pytest.mark.parametrize("output", ["a b", "/", "x/café's"])
def test_a_folder_of_results_with_another_name_is_told_as_the_option_has_it(
    dataset: Path, monkeypatch: pytest.MonkeyPatch, output: str
) -> None:
    with pytest.raises(UsageError, match=r"--output .+ is no name of results\. Give a folder whose name"):
        call(monkeypatch, "evaluate", "--dataset", dataset, "--controls", "gold", "--output", output)


def combined(folder: Path) -> Path:
    """Predictions of two systems in one file: one for both tasks, one for the first."""
    path = folder / "combined.jsonl"
    rows = [("one", ID), ("one", f"{ID}0"), ("two", ID)]
    lines = [{"instance_id": task, "model_name_or_path": system, "model_patch": GOOD} for system, task in rows]
    path.write_text("".join(canonical_json(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ([], {"one": [ID, f"{ID}0"], "two": [ID, f"{ID}0"]}),
        (["--system", "two"], {"two": [ID, f"{ID}0"]}),
        (["--only-predicted"], {"one": [ID], "two": [ID]}),
        (["--only-predicted", "--system", "one"], {"one": [ID, f"{ID}0"]}),
        (["--task", ID, "--system", "one"], {"one": [ID]}),
        (["--task", "*0", "--task", ID, "--system", "one"], {"one": [ID, f"{ID}0"]}),
        (["--task", "@ids", "--system", "one"], {"one": [f"{ID}0"]}),
        (
            ["--track", "update", "--since", "1970-01-01", "--until", "2100-01-01", "--task", ID],
            {"one": [ID], "two": [ID]},
        ),
    ],
)
def test_every_selection_of_a_combined_file(
    dataset: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    asked: list[str],
    told: dict[str, list[str]],
) -> None:
    monkeypatch.chdir(dataset.parent)
    Path("ids").write_text(f"{ID}0\n")
    call(monkeypatch, "lint", "--dataset", dataset, "--predictions", combined(dataset.parent), *asked, "--json")
    documents = json.loads(capsys.readouterr().out)
    assert {one["system"]: [task["task_id"] for task in one["tasks"]] for one in documents} == told


@pytest.mark.parametrize(
    ("asked", "status", "says"),
    [
        (["show", "@nowhere"], ExitStatus.USAGE, "nowhere cannot be read"),
        (["run", "*", "--system", "one"], ExitStatus.USAGE, "--predictions FILE"),
        (["run", "*", "--test", "a.java"], ExitStatus.USAGE, "--test is the file of one task"),
    ],
)
def test_wrong_selections_of_tasks_are_errors(
    dataset: Path, monkeypatch: pytest.MonkeyPatch, asked: list[str], status: ExitStatus, says: str
) -> None:
    with pytest.raises(UserError, match=says) as caught:
        call(monkeypatch, "task", *asked, "--dataset", dataset)
    assert caught.value.status is status


def test_many_tasks_are_shown_at_once(
    dataset: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call(monkeypatch, "task", "show", "*", "--dataset", dataset)
    assert [line for line in capsys.readouterr().out.splitlines() if line.startswith(ID)] == [ID, f"{ID}0"]


@pytest.mark.parametrize("named", ["*", f"{ID}*", "@ids"])
def test_a_task_must_be_named_and_left_by_the_options(
    dataset: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], named: str
) -> None:
    """The argument and the options narrow each other; nothing is shown for having one of both."""
    monkeypatch.chdir(dataset.parent)
    Path("ids").write_text(f"{ID}\n{ID}0\n")
    call(monkeypatch, "task", "show", named, "--task", f"{ID}0", "--dataset", dataset)
    assert [line for line in capsys.readouterr().out.splitlines() if line.startswith(ID)] == [f"{ID}0"]
    call(monkeypatch, "task", "checkout", named, dataset.parent / "some", "--task", f"{ID}0", "--dataset", dataset)
    assert [folder.name for folder in (dataset.parent / "some").iterdir()] == [f"{ID}0"]
    for verb in (["show", f"{ID}0*"], ["run", f"{ID}0*"], ["checkout", f"{ID}0*", "none"]):
        with pytest.raises(UserError, match=r"leave none of the 1 tasks of .* names") as caught:
            call(monkeypatch, "task", *verb, "--task", ID, "--dataset", dataset)
        assert caught.value.status is ExitStatus.USAGE
    with pytest.raises(UserError, match=f"is called '{ID}0'"):
        call(monkeypatch, "task", "show", f"{ID}0", "--task", ID, "--dataset", dataset)


def test_the_same_as_json(dataset: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    given = predictions(dataset.parent, **{ID: GOOD.strip(), "nowhere": GOOD})
    call(monkeypatch, "lint", "--dataset", dataset, "--predictions", f"mine={given}", "--json")
    (printed,) = json.loads(capsys.readouterr().out)
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


def test_many_tasks_are_checked_out_below_one_folder(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copies = dataset.parent / "copies"
    call(monkeypatch, "task", "checkout", "*", copies, "--dataset", dataset, "--track", "update")
    assert sorted(folder.name for folder in copies.iterdir()) == [ID, f"{ID}0"]
    assert (copies / ID / PATH).read_text() == OLD
    with pytest.raises(UserError, match="None of the 2 tasks"):
        call(monkeypatch, "task", "checkout", "*", copies, "--dataset", dataset, "--track", "generation")


def test_a_brief_tells_what_to_do_and_not_how(
    dataset: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call(monkeypatch, "task", "brief", "--dataset", dataset)
    briefs = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["task_id"] for one in briefs] == [ID, f"{ID}0"]
    assert "ATest#divides" in briefs[0]["tests"] and briefs[0]["test_file"] == PATH and briefs[0]["exists"]
    tasks = json.loads((dataset / "tasks/update.jsonl").read_text().splitlines()[0])
    told = json.dumps(briefs)
    assert not any(tasks[name] in told for name in ("old_revision", "new_revision"))
    assert not any("source" in key for key in briefs[0])
    call(monkeypatch, "task", "brief", "--dataset", dataset, "--task", ID)
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_a_submission_is_checked_then_graded_then_put_on_the_board(
    dataset: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The grading itself, which `testevo evaluate` does, is stood in for."""
    top = dataset.parent
    metadata = {"schema_version": 1, "system": "m", "agent": "A", "models": [{"name": "gpt-4o"}], "contact": "a@b.org"}
    more = {"submitted": "2026-02-03", "licence": "MIT", "tracks": ["update"], "cost": {"usd": 1}}
    (top / "submission.yaml").write_text(json.dumps({**metadata, **more}))
    asked: list[dict[str, Any]] = []

    def stand_in(**given: Any) -> None:
        asked.append(given)
        off = dict.fromkeys(("coverage_undefined", "mutation_undefined"), Undefined.SWITCHED_OFF)
        success = method(Grade.SUCCESS).model_copy(update={**off, "behavioural_success": True})
        records = []
        for task in open_dataset(dataset).tasks:
            methods = [success.model_copy(update={"test": one.test}) for one in task.tests]
            records.append(graded(task.task_id, *methods).model_copy(update={"system": "m"}))
        write_records(given["output"] / "evaluate" / "m" / "o+r.jsonl", records)

    monkeypatch.setattr("testevo.cli.grading.submit.evaluate", stand_in)
    grade = ("submit", "grade", top, "--dataset", dataset, "--board", top / "board", "--output", top / "run")
    predictions(top, **{ID: GOOD})
    assert call(monkeypatch, *grade) == ExitStatus.INPUT
    assert "missing_task" in capsys.readouterr().out and not asked
    given = predictions(top, **{ID: GOOD, f"{ID}0": GOOD})
    assert call(monkeypatch, *grade) == ExitStatus.OK
    assert (asked[0]["predictions"], asked[0]["choice"].track) == ([f"m={given}"], "update")
    call(monkeypatch, "submit", "list", "--board", top / "board")
    assert "graded" in capsys.readouterr().out


@pytest.mark.parametrize("verb", [("evaluate", "--controls", "gold"), ("solve", "--configuration", "agents.yaml")])
def test_results_of_grading_and_solving_replace_no_mined_snapshot(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: tuple[str, ...]
) -> None:
    """The configuration of the folder became that of the grading run, without the sources of the snapshot."""
    monkeypatch.chdir(tmp_path)
    system = {"program": "command", "model": "m", "address": "http://127.0.0.1:1", "command": {"run": ["true"]}}
    Path("agents.yaml").write_text(json.dumps({"solving": {"systems": {"mine": system}}}))
    (tmp_path / "demo/clone").mkdir(parents=True)
    (tmp_path / "demo/given.yaml").write_text("of the snapshot")
    with pytest.raises(UsageError, match="a snapshot was mined there"):
        call(monkeypatch, *verb, "--dataset", dataset, "--output", "demo", "--sandbox", "none")
    assert (tmp_path / "demo/given.yaml").read_text() == "of the snapshot"
