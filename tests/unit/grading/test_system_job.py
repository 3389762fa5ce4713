"""Jobs of one system on one repository, started by hand."""

import os
import subprocess
import sys
from pathlib import Path

from small_dataset import small_dataset

from testevo.config.load import load_config
from testevo.config.resolved import write_resolved
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
