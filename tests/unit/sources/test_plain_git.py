"""Git as a program: what its ends mean."""

from pathlib import Path

import pytest

from testevo.runtime.errors import MachineError
from testevo.sources.git_clone import run_git


@pytest.mark.parametrize(("number", "name"), [("KILL", "SIGKILL"), ("40", "signal 40")])
def test_a_git_that_is_killed_says_nothing_about_the_repository(
    number: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for lack of memory: the job fails and is done again, and no record blames the history."""
    program = tmp_path / "git"
    program.write_text(f"#!/bin/sh\nkill -{number} $$\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(MachineError, match=f"git ls-tree was ended by {name}, maybe"):
        run_git(["ls-tree", "HEAD"], repository=tmp_path)
