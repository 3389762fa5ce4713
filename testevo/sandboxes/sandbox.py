"""Sandboxes for untrusted code: one interface, and those that are commands of this machine.

Containers of an engine are in `testevo.sandboxes.sandbox_container`; `testevo.sandboxes.sandboxes` chooses.
"""

import contextlib
import fcntl
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

from testevo.runtime.errors import MachineError
from testevo.runtime.processes.processes import run_command
from testevo.runtime.processes.system_calls import without_keyrings
from testevo.sandboxes.mounts import Confinement, mounts_of
from testevo.sandboxes.processes import run_watched
from testevo.sandboxes.watching import ProcessLimits, Watched

MAX_PROCESSES = 4096
MAX_OPEN_FILES = 8192
MAX_FILE_BYTES = 2 * 2**30
_CHANNEL, _FILTER = 100, 101
"""Descriptors as a run sees them: the same in all runs, whatever the harness has opened before."""
_MEMORY_BESIDE_HEAP = 4 * 2**30
"""Room for class metadata, code, thread stacks and direct buffers beside twice the heap."""

_NAME_SPACES = ("--unshare-all", "--die-with-parent", "--new-session", "--hostname", "localhost", "--cap-drop", "ALL")
_SYSTEM_FOLDERS = ("usr", "bin", "sbin", "lib", "lib32", "lib64")
_SYSTEM_FILES = (
    "alternatives",
    "fonts",
    "group",
    "hosts",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "mime.types",
    "nsswitch.conf",
    "passwd",
    "ssl/certs",
    "ssl/openssl.cnf",
    "timezone",
)
_KERNEL_SETTINGS = ("sys", "sysrq-trigger", "acpi", "asound", "driver", "fs", "mtrr", "pressure", "scsi")
"""Below `/proc`."""

Command = Callable[[str], Sequence[str]]
"""A program and its arguments, given the path of the channel that it is to write to."""


class Sandbox(Protocol):
    """Runs programs with less power than this process has."""

    name: str
    hides_working_folder: bool
    """Whether the private copy of the module folder is seen in the place of the real one."""
    inputs_are_read_only: bool
    """Whether class trees and jars can only be read inside."""
    isolates_files: bool
    """Whether nothing of this machine but what a run is given can be read or written to inside."""
    has_own_network: bool
    """Whether the ports of a run are its own."""

    @property
    def identity(self) -> str:
        """Names everything about it that can change how a test ends: the name, and what a run finds inside."""

    def run(
        self,
        command: Command,
        confinement: Confinement,
        environment: Mapping[str, str],
        limits: ProcessLimits,
        key: bytes | None = None,
    ) -> Watched:
        """Run a program to its end, and end all that it started; it also ends when this process ends, however.

        Args:
            command: run in the working folder of the confinement, with exactly this environment.
            key: given on its standard input as soon as it says something on the channel.

        Raises:
            MachineError: it cannot be started.
        """


class CommandSandbox:
    """A sandbox that is a command before the command of the program."""

    name: str
    isolates_files = True
    has_own_network = True
    system_calls: bytes | None = None
    """A filter that the sandbox's own program loads (`--seccomp`)."""
    sets_environment = False
    """The environment is set inside, so that what a project puts into it says nothing to the sandbox's own programs."""

    @property
    def identity(self) -> str:
        return self.name

    def command(self, command: Sequence[str], confinement: Confinement) -> list[str]:
        """The command that runs `command` inside, and that the kernel ends when the process that starts it ends."""
        raise NotImplementedError

    def run(
        self,
        command: Command,
        confinement: Confinement,
        environment: Mapping[str, str],
        limits: ProcessLimits,
        key: bytes | None = None,
    ) -> Watched:
        if self.system_calls is None:
            return self._run(command, confinement, environment, limits, key, None)
        with _readable(self.system_calls, _FILTER) as descriptor:
            return self._run(command, confinement, environment, limits, key, descriptor)

    def _run(
        self,
        command: Command,
        confinement: Confinement,
        environment: Mapping[str, str],
        limits: ProcessLimits,
        key: bytes | None,
        system_calls: int | None,
    ) -> Watched:
        """As `run`; `system_calls` is the descriptor of the filter."""
        read_end, write_end = os.pipe()
        write_end = _numbered(write_end, _CHANNEL)
        inside = command(f"/dev/fd/{write_end}")
        if self.sets_environment:
            inside, environment = [*exactly(environment), *inside], {"PATH": os.defpath}
        program, *words = self.command(inside, confinement)
        filtered = () if system_calls is None else ("--seccomp", str(system_calls))
        return run_watched(
            [program, *filtered, *words],
            (read_end, write_end),
            folder=confinement.working_folder,
            environment=environment,
            limits=limits,
            key=key,
            quota=confinement.quota,
            inherited=() if system_calls is None else (system_calls,),
        )


class NoSandbox(CommandSandbox):
    """No confinement beyond limits; warns once."""

    name = "none"
    hides_working_folder = False
    inputs_are_read_only = False
    isolates_files = False
    has_own_network = False

    def command(self, command: Sequence[str], confinement: Confinement) -> list[str]:
        warn_once()
        return [*ends_with_parent(), *process_limits(confinement), *command]


_warned: set[str] = set()


def warn_once(
    warning: str = (
        "WARNING: tests run WITHOUT A SANDBOX: untrusted code can read and write your files and use the network. "
        "Set `execution.sandbox: bubblewrap` to confine it."
    ),
) -> None:
    """Say that nothing confines tests; the first words that a process says of it are the last."""
    if not _warned:
        _warned.add(warning)
        print(warning, file=sys.stderr)


class Bubblewrap(CommandSandbox):
    """No network, own process and user name spaces, inputs read-only, private home and temporary folder.

    It ends with its parent by its own option alone. A signal that comes earlier, between making the name spaces and
    releasing the process inside, would leave that process waiting for ever, and nothing but its end ends it.

    Raises:
        MachineError: `bwrap` is not installed.
    """

    name = "bubblewrap"
    hides_working_folder = True
    inputs_are_read_only = True
    system_calls = without_keyrings()

    def __init__(self, program: str | None = None) -> None:
        found = program or shutil.which("bwrap")
        if found is None:
            raise MachineError(
                "bubblewrap (bwrap) is not installed. Install the package `bubblewrap`, or set "
                "`execution.sandbox: none` to run tests unconfined."
            )
        self._program = found

    def command(self, command: Sequence[str], confinement: Confinement) -> list[str]:
        argv = [self._program, *_NAME_SPACES]
        argv += _system_mounts()
        size = (
            []
            if confinement.disk_mb is None or not _has_sizes(self._program)
            else ["--size", str(confinement.disk_mb * 2**20)]
        )
        argv += ["--proc", "/proc", *_kernel_settings(), "--dev", "/dev"]
        argv += [*size, "--tmpfs", "/tmp", *size, "--tmpfs", "/dev/shm"]
        for mount in mounts_of(confinement, shown="/usr/"):
            argv += ["--bind" if mount.writable else "--ro-bind", str(mount.source), str(mount.place)]
        argv += ["--chdir", str(confinement.working_folder), "--"]
        return [*argv, *process_limits(confinement), *command]


def _numbered(descriptor: int, number: int) -> int:
    """The descriptor under a number, or the next one that is free."""
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, number)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _readable(content: bytes, number: int) -> Iterator[int]:
    """A descriptor from which a program reads some bytes."""
    read_end, write_end = os.pipe()
    os.write(write_end, content)
    os.close(write_end)
    descriptor = _numbered(read_end, number)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def bubblewrap_works() -> bool:
    """Whether `bwrap` is installed, and may make the name spaces and load the filter that `Bubblewrap` needs."""
    program = shutil.which("bwrap")
    return program is not None and _confines(program)


@cache
def _confines(program: str) -> bool:
    """Asked once of each program: another PATH may find another."""
    mounts = [*_system_mounts(), "--proc", "/proc", *_kernel_settings(), "--dev", "/dev", "--tmpfs", "/tmp"]
    command = [program, *_NAME_SPACES, *mounts, "--seccomp", "0", "--", "/bin/sh", "-c", ":"]
    return run_command(command, seconds=20, stdin=without_keyrings()).ok


@cache
def _has_sizes(program: str) -> bool:
    """Whether folders in memory can be bounded; old versions of bubblewrap cannot."""
    return b"--size" in run_command([program, "--help"], seconds=20).stdout


def process_limits(confinement: Confinement) -> list[str]:
    """A command that gives the next one the limits of every run; [] where `prlimit` is not installed."""
    program = _limiter()
    if program is None:
        return []
    return [
        program,
        f"--nproc={MAX_PROCESSES}",
        f"--nofile={MAX_OPEN_FILES}",
        f"--fsize={file_bytes(confinement)}",
        f"--data={data_bytes(confinement)}",
        "--core=0",
        "--",
    ]


def exactly(environment: Mapping[str, str]) -> list[str]:
    """A command that runs the next one with this environment and nothing that a container adds."""
    return ["/usr/bin/env", "-i", *(f"{name}={value}" for name, value in environment.items())]


def data_bytes(confinement: Confinement) -> int:
    """How large the data of one process may grow."""
    return 2 * confinement.memory_mb * 2**20 + _MEMORY_BESIDE_HEAP


def file_bytes(confinement: Confinement) -> int:
    """How large a file may grow."""
    return MAX_FILE_BYTES if confinement.disk_mb is None else confinement.disk_mb * 2**20


@cache
def _limiter() -> str | None:
    """Where the program itself lies: a sandbox shows the folders of the system, and no link to it from elsewhere."""
    found = shutil.which("prlimit")
    return found and os.path.realpath(found)


@cache
def ends_with_parent() -> tuple[str, ...]:
    """A command that lets the next one end with its parent; () where it is not installed.

    Asked of the kernel by another program, not by code of ours between fork and exec, for which the kernel copies the
    memory map of this process: 20 milliseconds when it has grown to 200 MiB.
    """
    program = shutil.which("setpriv")
    trial = [program, "--pdeathsig", "KILL", "--"] if program is not None else []
    works = bool(trial) and run_command([*trial, "/bin/sh", "-c", ":"], seconds=20).ok
    return tuple(trial) if works else ()


@cache
def _kernel_settings() -> tuple[str, ...]:
    """Mounts that make settings of the kernel read-only for root, who owns their files with or without capabilities.

    Another user can change none of them.
    """
    if os.geteuid() != 0:
        return ()
    found = (f"/proc/{name}" for name in _KERNEL_SETTINGS if Path("/proc", name).exists())
    return tuple(word for path in found for word in ("--ro-bind", path, path))


@cache
def _system_mounts() -> tuple[str, ...]:
    mounts: list[str] = []
    for name in _SYSTEM_FOLDERS:
        folder = Path("/", name)
        if folder.is_symlink():
            mounts += ["--symlink", str(folder.readlink()), str(folder)]
        elif folder.is_dir():
            mounts += ["--ro-bind", str(folder), str(folder)]
    for name in _SYSTEM_FILES:
        if Path("/etc", name).exists():
            mounts += ["--ro-bind", f"/etc/{name}", f"/etc/{name}"]
    # Debian's JDKs keep their configuration below /etc/java-<version>-openjdk.
    for folder in sorted(Path("/etc").glob("java*")):
        mounts += ["--ro-bind-try", str(folder), str(folder)]
    return tuple(mounts)
