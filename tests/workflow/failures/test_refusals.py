"""On a machine without any sandbox: histories of others are refused, embedded ones are mined, with a note."""

import os
import subprocess
from pathlib import Path

import pytest
from histories import POM, git_folder
from snapshots import LONGEST_RUN, Snapshot, command_line, one_message, warm_cache

from testevo.packaging.dataset.dataset_folder import read_tasks

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("consent")]

HIDDEN = {"bwrap", "podman", "docker", "apptainer", "singularity", "unshare"}


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """The environment of a machine whose PATH has everything but sandboxes."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).glob("*"):
            if program.name not in HIDDEN and not (programs / program.name).is_symlink():
                (programs / program.name).symlink_to(program)
    return {name: value for name, value in os.environ.items() if name != "DOCKER_HOST"} | {"PATH": str(programs)}


def run(folder: Path, environment: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command_line(*arguments),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LONGEST_RUN,
        check=False,
    )


def test_the_history_of_others_is_refused_before_anything_is_written(tmp_path: Path, bare: dict[str, str]) -> None:
    history = git_folder(tmp_path / "history", [{"pom.xml": POM}])
    message = one_message(run(tmp_path, bare, "mine", str(history), "--name", "some/thing"), 4)
    assert "The code of some/thing is untrusted" in message and "--sandbox none" in message
    assert not (tmp_path / "results").exists()


def test_an_embedded_history_is_mined_without_any_sandbox(
    tmp_path: Path, bare: dict[str, str], shared_cache: Path
) -> None:
    snapshot = Snapshot.made(
        tmp_path,
        warm_cache(shared_cache, tmp_path / "cache"),
        {"worlds": ["savings"]},
        build={"certify": False},
        evaluation={"gold_runs": 1, "coverage": False, "mutation": {"enabled": False}},
    )
    finished = run(tmp_path, bare, "mine", "--configuration", "snapshot.yaml", "--cores", "1")
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert read_tasks(snapshot.layout.dataset)
    assert "no sandbox works here" in finished.stderr


def test_tests_that_are_handed_in_need_a_yes(tmp_path: Path, bare: dict[str, str], mined: Snapshot) -> None:
    """`evaluate` and `task run` refuse; a dataset mined here is a dataset like any other. `--sandbox` says yes."""
    given = ("--dataset", str(mined.layout.dataset))
    message = one_message(run(tmp_path, bare, "evaluate", *given, "--controls", "gold"), 4)
    assert "what is submitted for it is untrusted" in message and "--sandbox none" in message
    task = read_tasks(mined.layout.dataset)[0].task_id
    message = one_message(run(tmp_path, bare, "task", "run", task, *given), 4)
    assert "is untrusted" in message
    assert not (tmp_path / "results").exists()
