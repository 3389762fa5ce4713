"""Scripts of stages that are started by hand with what they cannot use."""

import errno
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
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


WORKFLOW = """
import subprocess, sys
sys.exit(subprocess.run([sys.executable, *sys.argv[1:]]).returncode)
"""


def test_a_job_on_a_whole_snapshot_ends_with_the_workflow_that_started_it(tmp_path: Path) -> None:
    """It reads a pipe into which nobody writes while its parent is killed."""
    pipe = tmp_path / "verdict.json"
    os.mkfifo(pipe)
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-c", WORKFLOW, str(PROJECT / "scripts" / "validate.py"), "--verdict", str(pipe)]
    workflow = subprocess.Popen(command, env=environment)
    held = opened_by_a_reader(pipe, workflow)
    jobs = psutil.Process(workflow.pid).children()
    workflow.kill()
    workflow.wait()
    gone, alive = psutil.wait_procs(jobs, timeout=60)
    os.close(held)
    assert len(gone) == 1 and not alive


def opened_by_a_reader(pipe: Path, child: "subprocess.Popen[bytes]") -> int:
    """A named pipe opened for writing, as soon as the other end is open."""
    while child.poll() is None:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            assert error.errno == errno.ENXIO
            time.sleep(0.02)
    raise AssertionError("it ended before it read")
