"""What `testevo` shows of a mined snapshot: tasks, dropped candidates, status, the summary."""

import json
import subprocess
from pathlib import Path

import pytest
from snapshots import WORLDS, Snapshot, command_line, one_message

from testevo.history.bundle import open_bundle
from testevo.runtime.errors import ExitStatus

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("mined")]

ROOT = ("--snapshot", "results/small")


def shown(mined: Snapshot, *arguments: str) -> str:
    """What a command prints."""
    finished = mined.run(command_line(*arguments))
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_tasks_are_listed_and_shown_with_their_evidence(mined: Snapshot) -> None:
    """`task list --json` names the ids; `task show` gives diffs of test and code and the outcome of every run."""
    tasks = json.loads(shown(mined, "task", "list", *ROOT, "--json"))
    assert {task["track"] for task in tasks} == {"update", "generation"}
    table = shown(mined, "task", "list", *ROOT)
    assert all(task["task_id"] in table for task in tasks)
    update = next(task for task in tasks if "SavingsTest" in task["task_id"] and task["track"] == "update")
    text = shown(mined, "task", "show", update["task_id"], *ROOT)
    assert "--- old/src/test/java" in text and "+++ new/src/main/java" in text
    assert "old_test_old_code" in text and "new_test_new_code" in text and "passed" in text
    assert json.loads(shown(mined, "task", "show", update["task_id"], *ROOT, "--json")) == update


def test_a_piped_diff_applies_to_the_old_revision(mined: Snapshot, tmp_path: Path) -> None:
    """`git apply --check` accepts what `task show` prints; ids are printed whole."""
    for task in json.loads(shown(mined, "task", "list", *ROOT, "--json")):
        files = mined.files(task["repository"].replace("/", "+"))
        git = open_bundle(files.bundle, tmp_path / "histories")
        place = tmp_path / task["task_id"]
        git.export(task["old_revision"], place)
        for options in ([], ["--diff"]):
            command = command_line("task", "show", task["task_id"], *ROOT, *options)
            diff = subprocess.run(command, cwd=mined.folder, capture_output=True, check=True, timeout=60).stdout
            check = ["git", "apply", "--check", "--verbose"]
            applied = subprocess.run(check, cwd=place, input=diff, capture_output=True, check=False, timeout=60)
            assert applied.returncode == 0 and b"src/" in applied.stderr, applied.stderr


def test_a_pattern_chooses_tasks(mined: Snapshot) -> None:
    """`--id` takes a shell pattern over ids."""
    chosen = json.loads(shown(mined, "task", "list", *ROOT, "--task", "*Savings*", "--json"))
    assert len(chosen) == 2


def test_every_other_candidate_is_listed_with_its_one_reason(mined: Snapshot) -> None:
    """`task list --dropped` covers all labels that are not tasks (TEB-X16)."""
    dropped = json.loads(shown(mined, "task", "list", *ROOT, "--dropped", "--json"))
    labels = [
        json.loads(line) for name in WORLDS for line in mined.files(f"worlds+{name}").labels.read_text().splitlines()
    ]
    assert dropped == [label for label in labels if label["reason"] is not None]
    assert shown(mined, "task", "list", *ROOT, "--dropped").count("\n") >= len(dropped)


@pytest.mark.parametrize(
    ("wanted", "says"), [("Savings", "names 2 tasks"), ("SavingTest_paysInterst", "No task"), ("§", "No task")]
)
def test_an_id_that_names_no_single_task_suggests_some(mined: Snapshot, wanted: str, says: str) -> None:
    """An ambiguous or unknown id: a status of its own, and ids to choose from."""
    message = one_message(mined.run(command_line("task", "show", wanted, *ROOT)), ExitStatus.NOT_FOUND)
    assert says in message and "worlds" in message


@pytest.mark.parametrize("command", [("task", "list", "--snapshot", "nowhere"), ("status", "nowhere")])
def test_a_folder_that_is_no_snapshot_is_named(mined: Snapshot, command: tuple[str, ...]) -> None:
    """Both commands say what to do instead."""
    message = one_message(mined.run(command_line(*command)), 3)
    assert "nowhere" in message and ("results/demo" in message or "testevo mine" in message)


def test_every_walked_commit_is_listed(mined: Snapshot) -> None:
    """`builds` has a row for each commit record, with the verdict of its suite."""
    states = json.loads(shown(mined, "builds", *ROOT, "--json"))
    commits = [line for name in WORLDS for line in mined.files(f"worlds+{name}").commits.read_text().splitlines()]
    assert len(states) == len(commits)
    assert {one["suite"] for one in states if not one["reason"]} == {"green"}
    assert states[0]["revision"] in shown(mined, "builds", *ROOT, "--log", states[0]["revision"][:8])


def test_mining_a_finished_snapshot_again_prints_its_summary(mined: Snapshot) -> None:
    """Funnel, confusion matrix, tasks, the next commands; stderr holds no word of Snakemake."""
    finished = mined.run(mined.mine())
    assert finished.returncode == 0, finished.stderr
    assert "triple_execute" in finished.stdout and "Everything is as expected" in finished.stdout
    assert "testevo task list --snapshot results/small" in finished.stdout
    assert finished.stderr == ""
