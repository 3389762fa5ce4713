"""`--sdm env-modules` with real environment modules: a job loads its stage's modules before it starts (TEB-E15)."""

import os
import subprocess
from pathlib import Path

import pytest

from testevo.deployment.stages import read_table
from tests.workflow.snapshots import Snapshot

PROJECT = Path(__file__).resolve().parents[2]
INIT = Path("/usr/share/modules/init/bash")


def modulefiles(folder: Path, notes: Path) -> None:
    """A module for each that the table names; a loaded one says so in `notes`."""
    for stage in read_table(PROJECT).stages.values():
        for module in stage.modules:
            (folder / module).parent.mkdir(parents=True, exist_ok=True)
            note = f'if {{ [module-info mode load] }} {{ exec sh -c "echo {module} >> {notes}" }}'
            (folder / module).write_text(f"#%Module1.0\n{note}\n")


@pytest.mark.skipif(not INIT.is_file(), reason="environment-modules is not installed")
def test_a_job_loads_the_modules_of_its_stage(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    modulefiles(tmp_path / "modulefiles", notes)
    snapshot = Snapshot.made(tmp_path / "snapshot", tmp_path / "cache", {"worlds": ["greetings"]})
    finished = subprocess.run(
        snapshot.workflow("results/small/clone/worlds+greetings/commits.jsonl", "--sdm", "env-modules"),
        cwd=snapshot.folder,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"BASH_ENV": str(INIT), "MODULEPATH": str(tmp_path / "modulefiles")},
    )
    assert finished.returncode == 0, finished.stderr[-3000:]
    assert notes.read_text().split() == list(read_table(PROJECT).stages["clone"].modules)
