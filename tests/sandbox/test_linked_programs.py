"""Programs that the PATH names by links: a sandbox does not show the folder of the links."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TELL_LIMITER = """
from pathlib import Path
from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.sandbox import process_limits
print(process_limits(Confinement(Path("/tmp"), (), (), 64))[0])
"""


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="prlimit is not installed")
def test_a_link_to_the_program_that_sets_limits_is_followed(tmp_path: Path) -> None:
    program = os.path.realpath(str(shutil.which("prlimit")))
    (tmp_path / "prlimit").symlink_to(program)
    environment = {**os.environ, "PATH": str(tmp_path)}
    command = [sys.executable, "-c", TELL_LIMITER]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == program
