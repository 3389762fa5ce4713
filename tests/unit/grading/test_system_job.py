"""Jobs of one system on one repository, started by hand."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from small_dataset import small_dataset

from testevo.cli.grading.evaluate import files_to_make_again
from testevo.config.load import load_config
from testevo.config.resolved import write_resolved
from testevo.config.snapshot.layout import Layout
from testevo.runtime.errors import ExitStatus
from testevo.runtime.files.project import PROJECT


def test_a_system_that_is_not_graded_is_told_with_the_known_ones(tmp_path: Path) -> None:
    dataset = small_dataset(tmp_path)
    given = {"snapshot": "run", "results": str(tmp_path), "evaluation": {"controls": ["gold"]}}
    write_resolved(load_config(given), tmp_path / "config.json")
    command = [sys.executable, str(PROJECT / "scripts" / "evaluate_repository.py"), "--system", "nosuch"]
    command += ["--config", str(tmp_path / "config.json"), "--dataset", str(dataset / "checksums.sha256")]
    command += ["--slug", "o+r", "--graded", str(tmp_path / "graded.jsonl")]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    said = "error: There is no system 'nosuch' in the configuration. Known ones: gold.\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (ExitStatus.NOT_FOUND, "", said)


@pytest.mark.parametrize("changed", ["predictions", "settings", "dataset", "no note"])
def test_grades_that_were_made_from_something_else_are_made_again(tmp_path: Path, changed: str) -> None:
    """Whatever the times of the files, and wherever the command was started."""
    dataset, predictions = small_dataset(tmp_path), tmp_path / "m.jsonl"
    predictions.write_text("one")
    chosen = {"dataset": str(dataset), "predictions": {"m": str(predictions)}, "until": "1970-01-01"}  # no task
    config = load_config({"snapshot": "run", "results": str(tmp_path), "evaluation": chosen})
    layout = Layout.of(config)
    files = layout.of_system("m", "o+r")
    write_resolved(config, layout.config)
    command = [sys.executable, str(PROJECT / "scripts" / "evaluate_repository.py"), "--system", "m"]
    command += ["--config", str(layout.config), "--dataset", str(dataset / "checksums.sha256")]
    command += ["--slug", "o+r", "--graded", str(files.graded), "--predictions", str(predictions)]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(PROJECT)}, timeout=120, check=True)
    assert files_to_make_again(config, layout, dataset, ["o+r", "o+s"]) == []
    if changed == "predictions":
        predictions.write_text("two")
        os.utime(predictions, (0, 0))
    elif changed == "settings":
        config = load_config({**config.model_dump(), "evaluation": {**chosen, "coverage": False}})
    elif changed == "dataset":
        (dataset / "checksums.sha256").write_text("")
    else:
        files.made_from.unlink()
    assert files_to_make_again(config, layout, dataset, ["o+r", "o+s"]) == [files.graded]
