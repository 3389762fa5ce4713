"""`testevo report`, and what the stage `aggregate` refuses."""

import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from grading_factories import graded, lines, method
from released_files import write_released

from testevo.analysis.reporting.run_folder import not_graded_once
from testevo.cli.grading.report import report
from testevo.cli.inspecting.graded import chosen_with_grades
from testevo.cli.places import dataset_of_run
from testevo.cli.selection import Choice
from testevo.config.load import load_config
from testevo.config.resolved import write_resolved
from testevo.config.snapshot.layout import Layout
from testevo.records.base import write_records
from testevo.records.evaluation.grading import Grade, Undefined
from testevo.records.evaluation.predictions import Defect, DefectKind
from testevo.records.labels import LabelKind
from testevo.records.tasks import Track
from testevo.runtime.errors import ExitStatus, NotFoundError, UserError
from tests.unit.grading.prediction_factories import ID
from tests.unit.grading.small_dataset import small_dataset

PROJECT = Path(__file__).resolve().parents[4]
S, R, E = Grade.SUCCESS, Grade.REDUNDANT, Grade.EXEC_FAIL


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of a system and a control, whose dataset has gone."""
    folder = tmp_path / "run"
    evaluation = {"dataset": str(tmp_path / "gone"), "predictions": {"mine": "mine.jsonl"}, "controls": ["gold"]}
    write_resolved(load_config({"snapshot": "run", "evaluation": evaluation}), folder / "config.json")
    ours = [
        graded("a", method(S, coverage=lines(1, 2)), method(E, "t1", message="expected 1"), system="mine"),
        graded("b", method(R), system="mine", track=Track.GENERATION),
        graded("c", method(S), system="mine", quarantined="gold wavers"),
    ]
    write_records(folder / "evaluate" / "mine" / "o+r.jsonl", ours)
    write_records(folder / "evaluate" / "gold" / "o+r.jsonl", [graded("a", method(S), system="gold")])
    return folder


def test_the_summary_tells_both_averages_the_glossary_and_what_is_left_out(run: Path, capsys) -> None:
    report(run)
    said = capsys.readouterr().out
    assert "The dataset" in said and "is not there" in said
    assert "1 quarantined" in said
    assert "Per cent, macro / micro" in said
    assert "Redundant: passes on the new code and on the old code too" in said
    assert "mine on generation: tests pass, but not one of them has a coverage value" in said
    row = next(line for line in said.splitlines() if line.startswith("mine"))
    assert row.split()[:4] == ["mine", "1", "2", "50.0"]


def test_every_task_comes_with_its_reason(run: Path, capsys) -> None:
    report(run, tasks=True, system=["mine"])
    said = capsys.readouterr().out
    assert "mine  a  update  success 50 %" in said
    assert "ATest#t1: exec_fail, assertion_failed, expected 1" in said
    assert "mine  c  update  quarantined: gold wavers" in said
    assert "gold  a" not in said


def test_the_dataset_of_a_run_is_found_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path is one from where the run was started: a folder above the run, wherever the reader stands."""
    config = load_config({"snapshot": "run", "evaluation": {"dataset": "data/mined"}})
    started, elsewhere = tmp_path / "started", tmp_path / "elsewhere"
    for folder in (started / "data" / "mined", elsewhere):
        folder.mkdir(parents=True)
    (started / "data" / "mined" / "snapshot.json").write_text("{}")
    run = Layout(started / "results" / "run")
    monkeypatch.chdir(elsewhere)
    assert dataset_of_run(config, run) == started / "data" / "mined"
    assert dataset_of_run(load_config({"snapshot": "run"}), run) == run.dataset
    monkeypatch.chdir(started)
    assert dataset_of_run(config, Layout(Path("results/run"))) == Path("data/mined")
    assert dataset_of_run(config, Layout(elsewhere / "run")) == Path("data/mined")


def test_an_unknown_system_is_not_found(run: Path) -> None:
    """A typing mistake is told from a system without tasks."""
    with pytest.raises(NotFoundError, match="The nearest names are: "):
        report(run, system=["nosuch"])


@pytest.mark.parametrize(
    ("asked", "systems"),
    [
        ({"task": ["a"]}, ["gold", "mine"]),
        ({"task": ["a"], "system": ["mine"]}, ["mine"]),
        ({"track": "generation"}, ["mine"]),
        ({"since": datetime(2020, 3, 1), "until": datetime(2020, 3, 2)}, ["gold", "mine"]),
    ],
)
def test_a_part_of_a_run_is_reported(run: Path, capsys, asked: dict, systems: list[str]) -> None:
    report(run, as_json=True, **asked)
    document = json.loads(capsys.readouterr().out)
    assert sorted({one["system"] for one in document["summaries"]}) == systems


@pytest.mark.parametrize("asked", [{"task": ["x"]}, {"since": datetime(2031, 1, 1)}, {"track": "none"}])
def test_a_part_without_tasks_is_an_error(run: Path, asked: dict) -> None:
    with pytest.raises(UserError):
        report(run, **asked)


def test_missing_predictions_are_missing_and_no_suspects(tmp_path: Path, capsys) -> None:
    """Of three tasks one is predicted: no harness failure, and nobody is told to look at the tasks."""
    absent = Defect(kind=DefectKind.MISSING_TASK, message="There is no prediction.")
    records = [
        graded(name, method(Grade.HARNESS_FAIL), system=system).model_copy(update={"defects": (absent,)})
        for name in "bc"
        for system in ("one", "two")
    ]
    file = tmp_path / "graded.jsonl"
    write_records(file, [*records, *(graded("a", method(S), system=system) for system in ("one", "two"))])
    report(file, as_json=True)
    document = json.loads(capsys.readouterr().out)
    macro = document["summaries"][0]["macro"]
    assert (macro["missing"]["value"], macro["harness_fail"]["value"]) == (pytest.approx(2 / 3), 0)
    assert document["suspects"] == []
    report(file, as_json=True, only_predicted=True)
    assert json.loads(capsys.readouterr().out)["summaries"][0]["tasks"] == 1


def test_all_numbers_are_there_as_json(run: Path, capsys) -> None:
    report(run, as_json=True)
    document = json.loads(capsys.readouterr().out)
    assert document["systems"] == ["mine"]
    assert document["controls"] == ["gold"]
    assert document["impossible"] == []


def test_any_cap_can_be_applied_to_a_run(tmp_path: Path, capsys) -> None:
    file = tmp_path / "graded.jsonl"
    write_records(file, [graded(name, method(S), cost=cost) for name, cost in (("a", 0.8), ("b", 0.7))])
    report(file, cap=0.75, as_json=True)
    document = json.loads(capsys.readouterr().out)
    assert document["summaries"][0]["macro"]["harness_fail"]["value"] == 0.5


def test_a_single_file_of_graded_tasks_can_be_reported(run: Path, capsys) -> None:
    report(run / "evaluate" / "mine" / "o+r.jsonl")
    assert "the developer's values are unknown" in capsys.readouterr().out


def test_a_folder_without_grades_says_what_to_do(tmp_path: Path, run: Path) -> None:
    with pytest.raises(UserError, match="not a folder of a grading run"):
        report(tmp_path)
    for file in run.glob("evaluate/*/*.jsonl"):
        file.unlink()
    with pytest.raises(UserError, match="Run `testevo evaluate` first"):
        report(run)


@pytest.mark.parametrize(
    ("choice", "tasks", "systems"),
    [
        (Choice(), ["a", "b", "c"], []),
        (Choice(system=["gold"]), ["a"], ["gold"]),
        (Choice(system=["mine"], track="generation"), ["b"], ["mine"]),
        (Choice(only_predicted=True), ["a", "b", "c"], ["gold", "mine", "mine", "mine"]),
    ],
)
def test_tasks_of_a_run_are_chosen_by_system(run: Path, choice: Choice, tasks: list[str], systems: list[str]) -> None:
    from grading_factories import evidence, task

    known = [task(name, evidence(), track=Track.GENERATION if name == "b" else Track.UPDATE) for name in "abc"]
    chosen, records = chosen_with_grades(Layout(run), known, choice)
    assert sorted(one.task_id for one in chosen) == tasks
    assert [one.system for one in records] == systems


def test_a_run_that_was_broken_off_is_told_and_its_status_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where nothing at all of a system is graded yet, and where only numbers are printed."""
    folder = tmp_path / "run"
    evaluation = {
        "dataset": str(small_dataset(tmp_path)),
        "predictions": {"mine": "mine.jsonl"},
        "controls": ["trivial"],
    }
    write_resolved(load_config({"snapshot": "run", "evaluation": evaluation}), folder / "config.json")
    ours = [graded(name, method(S), system="mine") for name in (ID, f"{ID}0")]
    write_records(folder / "evaluate" / "mine" / "o+r.jsonl", ours)
    assert report(folder, as_json=True) == ExitStatus.PARTIAL
    said = capsys.readouterr()
    assert json.loads(said.out)["systems"] == ["mine"]
    assert f"WARNING trivial, {ID}: graded 0 times instead of once" in said.err
    assert "2 results are not there once" in said.err and "testevo evaluate" in said.err
    assert report(folder, choice=Choice(system=["mine"])) == ExitStatus.OK


def test_missing_and_repeated_grades_are_named() -> None:
    """Every task of every system ends in exactly one outcome."""
    from grading_factories import evidence, task

    tasks = [task("a", evidence()), task("b", evidence())]
    records = [graded("a", method(S), system="x"), graded("a", method(S), system="x")]
    assert not_graded_once(records, tasks, ["x"]) == [
        "x, a: graded 2 times instead of once",
        "x, b: graded 0 times instead of once",
    ]


def test_tasks_that_share_an_id_are_graded_once_each() -> None:
    from grading_factories import evidence, task

    tasks = [task("a", evidence()), task("a", evidence())]
    once = graded("a", method(S), system="x")
    assert not_graded_once([once, once], tasks, ["x"]) == []
    assert not_graded_once([once], tasks, ["x"]) == ["x, a: graded 1 times instead of 2"]


REPRODUCE = "scripts/reproduce_tables.py"


def script(file: str, *arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, str(PROJECT / file), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_the_paper_is_rebuilt_by_the_script_of_the_workflow(tmp_path: Path) -> None:
    released = write_released(tmp_path / "released")
    given = {"snapshot": "paper", "results": str(tmp_path), "reproduction": {"released": str(released)}}
    config = write_resolved(load_config(given), tmp_path / "config.json")
    made = tmp_path / "paper/reproduction"
    done = script(
        "scripts/reproduce_tables.py", "--config", str(config), "--differences", str(made / "differences.json")
    )
    assert done.returncode == 0, done.stderr
    assert "0 of 0 printed shares come out within 0.06 points" in done.stderr
    assert (made / "tables/table_3_update.csv").is_file()


def test_without_the_released_files_the_script_says_how_to_get_them(tmp_path: Path) -> None:
    config = write_resolved(load_config({"results": str(tmp_path)}), tmp_path / "config.json")
    done = script(
        "scripts/reproduce_tables.py", "--config", str(config), "--differences", str(tmp_path / "differences.json")
    )
    assert done.returncode == ExitStatus.USAGE
    assert "reproduction.released is not set" in done.stderr
    assert "Traceback" not in done.stderr


def test_old_code_trees_are_compared_by_the_script(tmp_path: Path) -> None:
    """On grades of the same edit against both trees."""
    for name, grade in (("clean", S), ("keep_added", R)):
        given = {"snapshot": name, "rules": {"swap": {"old_tree": name}}}
        write_resolved(load_config(given), tmp_path / name / "config.json")
        record = graded("a", method(grade, undefined=Undefined.NO_DATA), system="mine", track=Track.GENERATION)
        write_records(tmp_path / name / "evaluate" / "mine" / "o+r.jsonl", [record])
    done = script("tools/compare_old_trees.py", str(tmp_path / "clean"), str(tmp_path / "keep_added"))
    assert done.returncode == 0, done.stderr
    assert "| Redundant, added files kept | 100.0% | 100.0% |" in done.stdout
    assert "a ATest#adds (success on a clean tree)" in done.stdout
    wrong = script("tools/compare_old_trees.py", str(tmp_path / "keep_added"), str(tmp_path / "clean"))
    assert wrong.returncode == ExitStatus.USAGE
    assert LabelKind.REDUNDANT.value not in wrong.stdout
