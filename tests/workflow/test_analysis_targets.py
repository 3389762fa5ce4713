"""Every table and figure can be asked for by its name (TEB-R01 to R08)."""

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("target", "job"),
    [
        ("paper/aggregate/tables/results_update_macro.tex", "aggregate"),
        ("paper/aggregate/figures/funnel.svg", "aggregate"),
        ("paper/reproduction/tables/table_3_generation.csv", "reproduce_tables"),
        ("paper/reproduction/figures/figure_2.png", "reproduce_tables"),
    ],
)
def test_one_table_or_figure_is_a_target(tmp_path: Path, target: str, job: str) -> None:
    command = [
        sys.executable, "-m", "snakemake", "--dry-run", "--cores", "1", "--configfile", "config/snapshots/paper.yaml",
        "--config", f"results={tmp_path}", "--", str(tmp_path / target),
    ]  # fmt: skip
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    assert f"rule {job}:" in done.stdout + done.stderr
