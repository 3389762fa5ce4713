"""A program that must run without a network leaves it, or says why it cannot."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import socket
from testevo.runtime.errors import MachineError
from testevo.runtime.no_network import leave_network
try:
    leave_network()
except MachineError as error:
    raise SystemExit(str(error))
print(*sorted(name for _, name in socket.if_nameindex()))
"""


def run(folder: Path, unshare: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the program; with `unshare`, the text of a shell script that stands in for it."""
    program = folder / "program.py"
    program.write_text(PROGRAM)
    path = "/usr/bin:/bin"
    if unshare is not None:
        stand_in = folder / "unshare"
        stand_in.write_text(f"#!/bin/sh\n{unshare}\n")
        stand_in.chmod(0o755)
        path = f"{folder}:{path}"
    return subprocess.run(
        [sys.executable, str(program)], env={"PATH": path}, capture_output=True, text=True, check=False
    )


def test_it_goes_on_with_loopback_alone_or_says_why_not(tmp_path: Path) -> None:
    finished = run(tmp_path)
    if finished.returncode == 0:
        assert finished.stdout.split() == ["lo"]
    else:
        assert "makes no name space" in finished.stderr


@pytest.mark.parametrize(
    ("unshare", "reason"),
    [
        ("exit 1", "exit status 1"),
        ("echo Operation not permitted >&2; exit 1", "Operation not permitted"),
        ('shift 2; exec "$@"', "is seen in it"),
    ],
)
def test_a_name_space_that_is_none_is_named(unshare: str, reason: str, tmp_path: Path) -> None:
    if [name for _, name in socket.if_nameindex()] == ["lo"]:
        pytest.skip("this machine has no network to leave")
    finished = run(tmp_path, unshare)
    assert finished.returncode != 0
    assert reason in finished.stderr
