"""Scripts of stages that are started by hand with what they cannot use."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from testevo.config.load import load_config
from testevo.config.resolved import write_resolved
from testevo.runtime.errors import ExitStatus
from testevo.runtime.files.project import PROJECT


def started(script: str, *arguments: object) -> tuple[int, str]:
    """The status and what was said on stderr."""
    command = [sys.executable, str(PROJECT / "scripts" / script), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    return ended.returncode, ended.stderr


def test_a_repository_that_is_not_configured_is_told_with_the_known_ones(tmp_path: Path) -> None:
    given = {"snapshot": "s", "results": str(tmp_path), "sources": {"repositories": [{"name": "o/r", "address": "r"}]}}
    write_resolved(load_config(given), tmp_path / "config.json")
    files = [part for name in ("repository", "commits", "bundle", "failure") for part in (f"--{name}", tmp_path / name)]
    status, said = started("clone.py", "--config", tmp_path / "config.json", "--slug", "no+such", *files)
    assert status == ExitStatus.NOT_FOUND and "Traceback" not in said
    assert said.endswith("error: The configuration has no repository 'no+such'. Known ones: o+r.\n")


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe\x00", b"[]", b"{}", b'{"complaints": 5}'])
def test_a_file_that_is_no_verdict_is_told(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "verdict.json"
    if content is not None:
        file.write_bytes(content)
    status, said = started("validate.py", "--verdict", file)
    assert status == ExitStatus.INPUT and said.count("\n") == 1
    assert said.startswith(f"error: {file} is not a verdict (") and "Run the stage `validation` first." in said


def test_complaints_make_a_snapshot_unpublishable(tmp_path: Path) -> None:
    file = tmp_path / "verdict.json"
    file.write_text(json.dumps({"complaints": []}))
    assert started("validate.py", "--verdict", file) == (ExitStatus.OK, "")
    file.write_text(json.dumps({"complaints": ["gold: 1 task is no success"]}))
    status, said = started("validate.py", "--verdict", file)
    assert status == ExitStatus.NOT_PUBLISHABLE and "gold: 1 task is no success" in said
