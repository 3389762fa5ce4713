"""Every table and figure can be asked for by its name (TEB-R01 to R08)."""

import subprocess
import sys
from pathlib import Path

from snapshots import PROJECT, jobs_of


def test_single_tables_and_figures_are_targets(tmp_path: Path) -> None:
    targets = [
        tmp_path / "paper/aggregate/tables/results_update_macro.tex",
        tmp_path / "paper/aggregate/figures/funnel.svg",
        tmp_path / "paper/reproduction/tables/table_3_generation.csv",
        tmp_path / "paper/reproduction/figures/figure_2.png",
    ]
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "--dry-run",
        "--cores",
        "1",
        "--configfile",
        "config/snapshots/paper.yaml",
        "--config",
        f"results={tmp_path}",
        "--",
        *map(str, targets),
    ]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    jobs = jobs_of(done.stdout + done.stderr)
    assert jobs.count("aggregate") == jobs.count("reproduce_tables") == 1
