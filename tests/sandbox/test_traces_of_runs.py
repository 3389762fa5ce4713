"""No run in bubblewrap leaves a trace that another one finds: a test could tell by it which of its runs it is in."""

import os
import sys
from pathlib import Path

import pytest

from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.sandbox import Bubblewrap, bubblewrap_works
from testevo.sandboxes.watching import ProcessLimits

pytestmark = pytest.mark.skipif(not bubblewrap_works(), reason="bubblewrap does not work on this machine")

CALLS = """
import ctypes, platform
first = {"x86_64": 248, "aarch64": 217}[platform.machine()]
system = ctypes.CDLL(None, use_errno=True)
session, search = -3, 10
for call in (
    (first, b"user", b"testevo", b"1", 1, session),
    (first + 1, b"user", b"testevo", None, 0),
    (first + 2, search, session, b"user", b"testevo", 0),
):
    print(system.syscall(*call), ctypes.get_errno())
"""


def run(folder: Path, script: str) -> list[str]:
    """What a Python program says inside."""
    python = (Path(sys.base_prefix), Path(sys.executable).resolve().parent)
    confinement = Confinement(folder, (folder, *python), (folder,), 64)
    program = str(Path(sys.executable).resolve())
    watched = Bubblewrap().run(
        lambda channel: (program, "-I", "-S", "-c", script, channel),
        confinement,
        {"PATH": os.defpath},
        ProcessLimits(60, 2**16),
    )
    assert watched.status == 0, watched.stderr
    return watched.stdout.decode().splitlines()


@pytest.mark.skipif(os.uname().machine not in ("x86_64", "aarch64"), reason="the numbers of the calls are not known")
def test_the_keyrings_of_the_kernel_are_out_of_reach(tmp_path: Path) -> None:
    """The session's keyring outlives a run wherever the user has logged in, and the next run would find a key in it."""
    assert run(tmp_path, CALLS) == ["-1 38"] * 3  # no such system call


def test_the_command_of_the_sandbox_is_the_same_in_all_runs(tmp_path: Path) -> None:
    """With the channel's name in it, whatever the harness has opened meanwhile, such as the compiler of old code."""
    tell = "print(open('/proc/1/cmdline').read().replace(chr(0), ' '))"
    first = run(tmp_path, tell)
    opened = [os.open(os.devnull, os.O_RDONLY) for _ in range(3)]
    try:
        assert run(tmp_path, tell) == first
    finally:
        for descriptor in opened:
            os.close(descriptor)
