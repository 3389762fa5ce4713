"""Every verb with every wrong selection: a clear message, its status, nothing printed and no file touched."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from testevo.cli import main
from testevo.config.load import load_config
from testevo.config.resolved import write_resolved
from testevo.records.base import write_records
from testevo.records.evaluation.grading import Grade
from testevo.records.evaluation.predictions import Defect, DefectKind
from testevo.runtime.errors import ExitStatus, UserError
from testevo.runtime.files.files import canonical_json
from tests.unit.analysis.grading_factories import graded, method
from tests.unit.grading.prediction_factories import GOLD, ID, OLD, diff, text
from tests.unit.grading.small_dataset import small_dataset

USAGE, NOT_FOUND = ExitStatus.USAGE, ExitStatus.NOT_FOUND
OTHER = f"{ID}0"

VERBS = {
    "lint": ["lint", "--dataset", "dataset", "--predictions", "combined.jsonl"],
    "evaluate": ["evaluate", "--dataset", "dataset", "--predictions", "combined.jsonl", "--output", "graded"],
    "report": ["report", "run"],
    "task list": ["task", "list", "--snapshot", "run"],
    "task show": ["task", "show", "*", "--snapshot", "run"],
    "task brief": ["task", "brief", "--dataset", "dataset"],
    "task checkout": ["task", "checkout", "*", "copies", "--dataset", "dataset"],
    "task run": ["task", "run", "*", "--dataset", "dataset", "--predictions", "combined.jsonl"],
    "solve": ["solve", "--dataset", "dataset", "--configuration", "agents.yaml", "--output", "solved"],
}
"""How a verb is called, but for what it selects."""
TASKS_ALONE = {"task brief", "task checkout", "solve"}
"""Those that look at no predictions."""

OF_TASKS: list[tuple[list[str], ExitStatus, str]] = [
    (["--task", "nosuch"], NOT_FOUND, "No task of .+ matches 'nosuch'. The nearest names are: "),
    (["--task", ""], USAGE, "--task.+names no task"),
    (["--task", " , ,"], USAGE, "--task.+names no task"),
    (["--task", "[x-"], NOT_FOUND, "matches '\\[x-'"),
    (["--task", "Ω*"], NOT_FOUND, "matches 'Ω\\*'"),
    (["--task", f"{ID},nosuch"], NOT_FOUND, "matches 'nosuch'"),
    (["--task", ID, "--task", "nosuch"], NOT_FOUND, "matches 'nosuch'"),
    (["--task", ID.upper()], NOT_FOUND, f"The nearest names are: .*{ID}"),
    (["--task", "@nowhere.txt"], USAGE, "nowhere.txt cannot be read"),
    (["--task", "@"], USAGE, "cannot be read"),
    (["--task", ",".join([ID, "long" * 200])], NOT_FOUND, "matches 'longlong"),
    (["--task", "@" + "long" * 200], USAGE, "cannot be read"),
    (["--task", "@folder"], USAGE, "folder cannot be read"),
    (["--task", "@bytes.txt"], USAGE, "bytes.txt cannot be read"),
    (["--task", "@empty.txt"], USAGE, "--task @empty.txt names no task"),
    (["--task", "@remarks.txt"], USAGE, "--task @remarks.txt names no task"),
    (["--task", "@unknown.txt"], NOT_FOUND, "matches 'nosuch'"),
    (["--task", "unknown.txt"], NOT_FOUND, "matches 'nosuch'"),
    (["--track", "both ways"], USAGE, "--track: there is no track 'both ways'. Known ones: update, generation"),
    (["--track", ""], USAGE, "--track: there is no track ''"),
    (["--track", "Update"], USAGE, "--track: there is no track 'Update'"),
    (["--track", "both"], USAGE, "--track: there is no track 'both'"),
    (["--track", "generation"], USAGE, r"None of the 2 tasks .+ \(track generation\)"),
    (["--since", "yesterday"], USAGE, "--since.+yesterday"),
    (["--since", ""], USAGE, "--since"),
    (["--since", "2020-02-30"], USAGE, "--since.+2020-02-30"),
    (["--since", "01/02/2020"], USAGE, "--since.+01/02/2020"),
    (["--since", "0000-01-01"], USAGE, "--since.+0000-01-01"),
    (["--since", "2030-01-01"], USAGE, r"None of the 2 tasks .+ \(since 2030-01-01\)"),
    (["--until", "tomorrow"], USAGE, "--until.+tomorrow"),
    (["--until", "2020-13-01"], USAGE, "--until.+2020-13-01"),
    (["--until", "1971-01-01"], USAGE, r"None of the 2 tasks .+ \(until 1971-01-01\)"),
    (["--since", "2020-01-02", "--until", "2020-01-01"], USAGE, "is not before --until 2020-01-01"),
    (["--since", "2020-01-02", "--until", "2020-01-02"], USAGE, "is not before --until 2020-01-02"),
    (["--after-cutoff-of", "no model"], NOT_FOUND, "No training cutoff of 'no model' is known. Known ones: "),
    (["--after-cutoff-of", ""], NOT_FOUND, "No training cutoff of '' is known"),
    (["--after-cutoff-of", "Opus 4.7"], USAGE, r"None of the 2 tasks .+ \(since 2026-02-01\)"),
    (["--after-cutoff-of", "gpt-4o", "--until", "2023-11-01"], USAGE, "is not before --until 2023-11-01"),
    (["--task", ID, "--since", "2030-01-01"], USAGE, "None of the 2 tasks"),
    (["--task"], USAGE, "--task"),
    (["--after-cutoff"], USAGE, "--after-cutoff"),
]
OF_SYSTEMS: list[tuple[list[str], ExitStatus, str]] = [
    (["--system", "on"], NOT_FOUND, "There is no system 'on' here. The nearest names are: one, two"),
    (["--system", ""], NOT_FOUND, "There is no system '' here"),
    (["--system", "ONE"], NOT_FOUND, "There is no system 'ONE' here"),
    (["--system", "one,two"], NOT_FOUND, "There is no system 'one,two' here"),
    (["--system", "one", "--system", "three"], NOT_FOUND, "There is no system 'three' here"),
    (["--system"], USAGE, "--system"),
]
OF_PREDICTIONS: list[tuple[list[str], ExitStatus, str]] = [
    (["--only-predicted", "--task", OTHER], USAGE, "prediction of"),
    (["--only-predicted=yes"], USAGE, "--only-predicted"),
]


def calls() -> Iterator[tuple[str, list[str], ExitStatus, str]]:
    """Each verb with each wrong selection; options that a verb does not have are unknown to it."""
    for verb in VERBS:
        yield from ((verb, *one) for one in OF_TASKS)
        has_systems = verb not in TASKS_ALONE or verb == "solve"
        for asked, status, says in OF_SYSTEMS:
            yield (verb, asked, status, says) if has_systems else (verb, asked, USAGE, "No such option: --system")
        for asked, status, says in OF_PREDICTIONS:
            unknown = "No such option: --only-predicted"
            yield (verb, asked, status, says) if verb not in TASKS_ALONE else (verb, asked, USAGE, unknown)


@pytest.fixture(scope="module", autouse=True)
def built_once() -> Iterator[None]:
    """Typer would build the commands anew for each call."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(main, "app", typer.main.get_command(main.app))
        yield


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of two tasks, a run of two systems on it, of which one has no prediction for the second task."""
    place = tmp_path_factory.mktemp("selections")
    dataset = small_dataset(place)
    rows = [("one", ID), ("one", OTHER), ("two", ID)]
    patch = text(diff(OLD, GOLD))
    lines = [{"instance_id": task, "model_name_or_path": system, "model_patch": patch} for system, task in rows]
    (place / "combined.jsonl").write_text("".join(canonical_json(line) + "\n" for line in lines))
    systems = {name: {"program": "command", "model": "gpt-5-mini", "address": "http://x"} for name in ("one", "two")}
    command = {"command": ["true"], "version": "1"}
    (place / "agents.yaml").write_text(
        json.dumps({"solving": {"systems": {name: {**one, "command": command} for name, one in systems.items()}}})
    )
    given = {"snapshot": "run", "evaluation": {"dataset": str(dataset), "controls": []}}
    write_resolved(load_config(given), place / "run" / "config.json")
    absent = Defect(kind=DefectKind.MISSING_TASK, message="There is no prediction.")
    records = [graded(task, method(Grade.SUCCESS), system=system) for system, task in rows]
    records.append(graded(OTHER, method(Grade.HARNESS_FAIL), system="two").model_copy(update={"defects": (absent,)}))
    for system in ("one", "two"):
        file = place / "run" / "evaluate" / system / "o+r.jsonl"
        write_records(file, [record for record in records if record.system == system])
    (place / "folder").mkdir()
    for name, content in {
        "bytes.txt": b"\xff\xfe",
        "empty.txt": b"",
        "remarks.txt": b"# none\n\n  \n",
        "unknown.txt": b"nosuch\n",
    }.items():
        (place / name).write_bytes(content)
    return place


def tree(place: Path) -> dict[str, bytes | None]:
    """Every file below a folder with its content."""
    return {
        str(path.relative_to(place)): path.read_bytes() if path.is_file() else None
        for path in sorted(place.rglob("*"))
        if ".git/" not in f"{path}/"
    }


@pytest.mark.parametrize(
    ("verb", "asked", "status", "says"), [pytest.param(*one, id=f"{one[0]} {' '.join(one[1]):.60}") for one in calls()]
)
def test_a_wrong_selection_ends_with_a_message(
    world: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    verb: str,
    asked: list[str],
    status: ExitStatus,
    says: str,
) -> None:
    """What `run_main` prints is the `UserError`; any other exception would be shown as a bug."""
    monkeypatch.chdir(world)
    monkeypatch.setattr(sys, "argv", ["testevo", *VERBS[verb], *asked])
    before = tree(world)
    with pytest.raises(UserError, match=says) as caught:
        main.invoke()
    assert caught.value.status is status
    assert str(caught.value).endswith((".", "`")) and len(str(caught.value)) < 2000
    assert capsys.readouterr().out == ""
    assert tree(world) == before


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb not in ("evaluate", "task run", "solve")])
def test_a_right_selection_is_none_of_these_errors(
    world: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], verb: str, tmp_path: Path
) -> None:
    """The world of this file is one in which the verbs work."""
    monkeypatch.chdir(world)
    command = [part if part != "copies" else str(tmp_path / "copies") for part in VERBS[verb]]
    monkeypatch.setattr(sys, "argv", ["testevo", *command, "--task", ID, "--since", "1970-01-01", "--track", "update"])
    main.invoke()
    assert capsys.readouterr().out


@pytest.mark.parametrize("asked", [["--system", "one"], ["--only-predicted"]])
@pytest.mark.parametrize("verb", ["list", "show"])
def test_a_dataset_has_no_systems(world: Path, monkeypatch: pytest.MonkeyPatch, verb: str, asked: list[str]) -> None:
    monkeypatch.chdir(world)
    named = ["*"] if verb == "show" else []
    monkeypatch.setattr(sys, "argv", ["testevo", "task", verb, *named, "--dataset", "dataset", *asked])
    with pytest.raises(UserError, match="holds no grades of systems") as caught:
        main.invoke()
    assert caught.value.status is USAGE
