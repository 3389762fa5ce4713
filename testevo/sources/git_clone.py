"""Plain git, shielded from the settings of machine and user: no hooks, no prompts, no configuration but our own.

Used where pydriller has no way: making, cloning, packing and reading whole trees.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from testevo.runtime.errors import MachineError, UserError
from testevo.runtime.machine_faults import DISK
from testevo.runtime.processes.processes import name_of_signal, run_command
from testevo.runtime.stopwatch import timed

# Bounded output is for untrusted tests; a cut answer of git would be read as a smaller repository.
WHOLE_OUTPUT = -1
_SECONDS = 1800.0
"""How long git may take for one command."""

# Given on the command line, because only there git believes `safe.directory`; `*` lets folders of other owners be read.
SHIELD = (
    *("-c", "safe.directory=*"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.attributesFile=/dev/null"),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    *("-c", "pack.threads=1"),
    *("-c", "advice.detachedHead=false"),
)


class GitError(UserError):
    """git refused. `reason` is its own first complaint, without the rest of its output."""

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(f"git {what} failed: {reason}. Check the repository with `git fsck`, or clone it again.")
        self.reason = reason


def git_environment(repository: Path | None = None) -> dict[str, str]:
    """The environment every git process gets; `repository` pins GIT_DIR, so that no outer repository is found."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "LC_", "LANG", "SSH_ASKPASS"))
    }
    environment |= {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
        "TZ": "UTC",
    }
    if repository is not None:
        environment["GIT_DIR"] = str(repository)
    return environment


def init_bare(folder: Path, branch: str = "none", objects: Path | None = None) -> None:
    """Make an empty bare repository.

    Args:
        folder: where it goes.
        branch: the default one.
        objects: folder of the objects of another repository, which it shares.

    Raises:
        GitError, MachineError: as `run_git`.
    """
    run_git(["init", "--quiet", "--bare", "--template=", f"--initial-branch={branch}", str(folder)])
    if objects is not None:
        alternates = folder / "objects" / "info" / "alternates"
        alternates.parent.mkdir(exist_ok=True)
        alternates.write_text(f"{objects}\n", encoding="utf-8")


@timed("git")
def run_git(
    arguments: Sequence[str],
    *,
    repository: Path | None = None,
    stdin: bytes = b"",
    also_fine: Sequence[int] = (),
    environment: dict[str, str] | None = None,
) -> tuple[int, bytes]:
    """Run git and return its status and output.

    Raises:
        GitError: a status that is neither 0 nor in `also_fine`, or no end in time.
        MachineError: git is not installed, was killed, or found the disk full.
    """
    finished = run_command(
        ["git", *SHIELD, *arguments],
        environment=git_environment(repository) | (environment or {}),
        stdin=stdin,
        seconds=_SECONDS,
        output_bytes=WHOLE_OUTPUT,
    )
    if finished.timed_out:
        raise GitError(arguments[0], f"it did not end within {_SECONDS:g} seconds")
    if finished.status != 0 and DISK.sign(finished.stderr.decode("utf-8", "replace")):
        raise DISK.error(f"git {arguments[0]} found no space left on the disk")
    if finished.status < 0:
        raise MachineError(
            f"git {arguments[0]} was ended by {name_of_signal(-finished.status)}, maybe for lack of memory. Run "
            f"again; give the job more memory if it was that."
        )
    if finished.status != 0 and finished.status not in also_fine:
        raise GitError(arguments[0], _first_complaint(finished.stderr, finished.status))
    return finished.status, finished.stdout


def _first_complaint(stderr: bytes, status: int) -> str:
    lines = [line.strip() for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    complaints = [line for line in lines if line.startswith(("fatal:", "error:", "ERROR:"))]
    complaint = next(iter(complaints or lines), f"status {status}")
    return complaint.split(":", 1)[1].strip().rstrip(".") if complaints else complaint.rstrip(".")
