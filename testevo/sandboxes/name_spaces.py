"""Name spaces made by `unshare`: processes, and if asked for the network, of a run's own. Files stay in reach.

For machines without bubblewrap and containers: a test can neither see nor signal a process outside, and whatever it
starts ends with it. What it may do with files is what the user may.
"""

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
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
_WORDS = 300
"""Characters of what a program says in a message."""
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
        self.has_own_network = network
        self.name = "unshare" if network else "none"
        starter = _starter(network)
        if starter.fault:
            raise MachineError(
                f"`unshare` makes no name spaces here: {starter.fault}. Install util-linux, allow unprivileged user "
                "name spaces, or choose another `execution.sandbox`."
            )
        self._starter = starter.command

    @property
    def identity(self) -> str:
        return self.name if self.has_own_network else f"{self.name}, own processes"

    def command(self, command: Sequence[str], confinement: Confinement) -> list[str]:
        if not self.has_own_network:
            warn_once()
        return [*ends_with_parent(), *process_limits(confinement), *self._starter, *command]


def name_spaces_work(*, network: bool = True) -> bool:
    """Whether a program started by `unshare` here has processes, and with `network` a network, of its own."""
    return not _starter(network).fault


def with_own_processes(command: Sequence[str]) -> list[str]:
    """The command with a name space of processes of its own, where this machine makes them; else as it is."""
    return [*_starter(False).command, *command]


@dataclass(frozen=True)
class _Starter:
    """The command before a command that runs it in name spaces."""

    command: tuple[str, ...]
    fault: str = ""
    """Why there is none, in words."""


def _starter(network: bool) -> _Starter:
    program = shutil.which("unshare")
    if program is None:
        return _Starter((), "it is not installed")
    return _tried(program, network) if sys.executable else _Starter((), "Python does not know its own program")


@cache
def _tried(program: str, network: bool) -> _Starter:
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
    faults = []
    for kind in kinds:
        starter = (program, *kind, *options, "--", *first)
        fault = _fault_of(starter, network=network)
        if not fault:
            return _Starter(starter)
        faults.append(fault)
    return _Starter((), faults[-1])


def _fault_of(starter: Sequence[str], *, network: bool) -> str:
    """Why what it starts has no name spaces of its own; '' where it has."""
    done = run_command([*starter, sys.executable, "-I", "-S", "-c", _SHOW], seconds=20)
    inside = done.stdout.decode("ascii", "replace").split()
    if not done.ok:
        said = " ".join(done.stderr.decode("utf-8", "replace").split())[:_WORDS].rstrip(".")
        return f"{said or 'it said nothing'} (exit status {done.status})"
    try:
        outside = [str(Path("/proc/self/ns", name).readlink()) for name in ("pid", "net")]
    except OSError:
        return "/proc tells nothing of name spaces"
    asked = zip(("processes", "the network"), inside, outside, strict=False)
    shared = [name for name, within, without in list(asked)[: 2 if network else 1] if within == without]
    if len(inside) != len(outside) or shared:
        return f"what it starts shares {' and '.join(shared) or 'them'} with this machine"
    return ""
