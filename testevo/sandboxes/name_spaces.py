"""Name spaces made by `unshare`: processes, and if asked for the network, of a run's own. Files stay in reach.

For machines without bubblewrap and containers: a test can neither see nor signal a process outside, and whatever it
starts ends with it. What it may do with files is what the user may.
"""

import os
import shutil
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from testevo.runtime.errors import MachineError
from testevo.runtime.processes.processes import run_command
from testevo.sandboxes import name_space_init
from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.sandbox import CommandSandbox, ends_with_parent, process_limits, warn_once

_PROCESSES = ("--pid", "--fork", "--kill-child", "--mount-proc")
_NETWORK = ("--net", "--ipc", "--uts")
_AS_USER = ("--user", "--map-root-user")
_SHOW = "import os; print(*(os.readlink(f'/proc/self/ns/{name}') for name in ('pid', 'net')))"


class NameSpaces(CommandSandbox):
    """A sandbox `unshare`, or with `network=False` the sandbox `none` where name spaces can be made.

    Raises:
        MachineError: the kernel gives this user no such name spaces, or `unshare` is not installed.
    """

    hides_working_folder = False
    inputs_are_read_only = False
    isolates_files = False
    sets_environment = True

    def __init__(self, *, network: bool = True) -> None:
        self._own_network = network
        self.name = "unshare" if network else "none"
        starter = _starter(network)
        if starter is None:
            raise MachineError(
                "`unshare` makes no name spaces here: it is not installed, or the kernel does not let this user make "
                "them. Install util-linux, allow unprivileged user name spaces, or choose another `execution.sandbox`."
            )
        self._starter = starter

    @property
    def identity(self) -> str:
        return self.name if self._own_network else f"{self.name}, own processes"

    def command(self, command: Sequence[str], confinement: Confinement) -> list[str]:
        if not self._own_network:
            warn_once()
        return [*ends_with_parent(), *process_limits(confinement), *self._starter, *command]


def name_spaces_work(*, network: bool = True) -> bool:
    """Whether a program started by `unshare` here has processes, and with `network` a network, of its own."""
    return _starter(network) is not None


def with_own_processes(command: Sequence[str]) -> list[str]:
    """The command with a name space of processes of its own, where this machine makes them; else as it is."""
    return [*(_starter(False) or ()), *command]


def _starter(network: bool) -> tuple[str, ...] | None:
    """The command before a command that runs it in name spaces; None where none can be made."""
    program = shutil.which("unshare")
    return _tried(program, network) if program is not None and sys.executable else None


@cache
def _tried(program: str, network: bool) -> tuple[str, ...] | None:
    """As `_starter`, asked once of each program: another PATH may find another.

    Root tries it as a user first: a user name space of its own gives power over nothing outside.
    """
    options = (*_PROCESSES, *(_NETWORK if network else ()))
    user, group = os.getuid(), os.getgid()
    first = (
        sys.executable,
        "-I",
        "-S",
        str(Path(name_space_init.__file__).resolve()),
        "loopback" if network else "-",
        str(user),
        str(group),
    )
    kinds = (_AS_USER, ()) if user == 0 else (_AS_USER,)
    starters = [(program, *kind, *options, "--", *first) for kind in kinds]
    return next((starter for starter in starters if _isolates(starter, network=network)), None)


def _isolates(starter: Sequence[str], *, network: bool) -> bool:
    done = run_command([*starter, sys.executable, "-I", "-S", "-c", _SHOW], seconds=20)
    inside = done.stdout.decode("ascii", "replace").split()
    try:
        outside = [str(Path("/proc/self/ns", name).readlink()) for name in ("pid", "net")]
    except OSError:
        return False
    if not done.ok or len(inside) != len(outside):
        return False
    return inside[0] != outside[0] and (not network or inside[1] != outside[1])
