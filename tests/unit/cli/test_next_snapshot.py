"""The script that keepers run every month: what it starts, what it reports, and how it ends."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "profiles" / "slurm" / "next_snapshot.sh"


@pytest.mark.parametrize(
    ("status", "ended", "said", "pruned"),
    [
        (0, 0, "git add config/snapshots/2026-02-01.yaml", True),
        (6, 6, "Some repositories failed", True),
        (4, 4, "No snapshot of 2026-02-01 yet (status 4)", False),
    ],
)
def test_a_month_is_made_reported_and_pruned(tmp_path: Path, status: int, ended: int, said: str, pruned: bool) -> None:
    command = tmp_path / "testevo"
    command.write_text(
        f'#!/bin/sh\necho "$@" >> calls\necho "task new  o_r-1"\n[ "$1" = cache ] && exit 0\nexit {status}\n'
    )
    command.chmod(0o755)
    done = subprocess.run(
        [SCRIPT, "2026-02-01", "--profile", "slurm"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "TESTEVO": str(command)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == ended
    assert "task new  o_r-1" in done.stdout and said in done.stdout
    assert (tmp_path / "results/reports/2026-02-01.txt").read_text() == "task new  o_r-1\n"
    calls = (tmp_path / "calls").read_text().splitlines()
    assert calls[0] == "snapshot new 2026-02-01 --profile slurm"
    assert calls[1:] == ["cache prune --older-than 90d"] * pruned
