"""pyproject.toml declares what is imported, and nothing else."""

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def test_declared_dependencies_are_those_imported() -> None:
    """`deptry` names each import that is not declared, and each declaration that is not imported."""
    command = [sys.executable, "-m", "deptry", "--no-ansi", "."]
    finished = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=300, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "No dependency issues found" in finished.stdout + finished.stderr
