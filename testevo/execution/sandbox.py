"""Where strangers' code runs: one interface, `none` and `bubblewrap` behind it (design section 8).

A sandbox turns the command of a test JVM into a command that runs it with less power. Time limits and output limits
are kept outside (`testevo.execution.processes`), for all sandboxes alike.
"""

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from testevo.ground.errors import MachineError, UsageError
from testevo.ground.processes import run_command

MAX_PROCESSES = 4096
MAX_OPEN_FILES = 8192
MAX_FILE_BYTES = 2 * 2**30
_MEMORY_BESIDE_HEAP = 4 * 2**30
"""Room for class metadata, code, thread stacks and direct buffers beside twice the heap."""

_NAME_SPACES = (
    "--unshare-all", "--die-with-parent", "--new-session", "--hostname", "localhost", "--cap-drop", "ALL")
_SYSTEM_FOLDERS = ("usr", "bin", "sbin", "lib", "lib32", "lib64")
_SYSTEM_FILES = (
    "alternatives", "fonts", "group", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types",
    "nsswitch.conf", "passwd", "ssl", "timezone")


@dataclass(frozen=True)
class Confinement:
    """What a run may see and change. All paths are absolute and keep their names inside the sandbox."""

    working_folder: Path
    readable: tuple[Path, ...]
    """Files and folders it may read."""
    writable: tuple[Path, ...]
    """Folders it may change: the private folder of the run, with its home and temporary folder."""
    memory_mb: int
    working_copy: Path | None = None
    """Shown, writable, in the place of `copied_folder`, so that the real one stays as it is."""
    copied_folder: Path | None = None


class Sandbox(Protocol):
    """Turns a command into one that runs confined."""

    name: str
    hides_working_folder: bool
    """Whether the private copy of the module folder is seen in the place of the real one."""
    inputs_are_read_only: bool
    """Whether class trees and jars can only be read inside."""

    def command(self, command: Sequence[str], confinement: Confinement) -> list[str]:
        """The command that runs `command` inside, and that the kernel ends when the process that starts it ends."""


class NoSandbox:
    """No confinement beyond limits; says so once, loudly."""

    name = "none"
    hides_working_folder = False
    inputs_are_read_only = False
    _warned = False

    def command(self, command: Sequence[str], confinement: Confinement) -> list[str]:
        if not NoSandbox._warned:
            NoSandbox._warned = True
            print(
                "WARNING: tests run WITHOUT A SANDBOX: code of strangers can read your files and use the network. "
                "Set `execution.sandbox: bubblewrap` to confine it.", file=sys.stderr)
        return [*_ends_with_parent(), *_limits(confinement), *command]


class Bubblewrap:
    """No network, own process and user name spaces, inputs read-only, private home and temporary folder.

    It ends with its parent by its own option alone. A signal that comes earlier, between making the name spaces and
    releasing the process inside, would leave that process waiting for ever, and nothing but its end ends it.

    Raises:
        MachineError: `bwrap` is not installed.
    """

    name = "bubblewrap"
    hides_working_folder = True
    inputs_are_read_only = True

    def __init__(self, program: str | None = None) -> None:
        found = program or shutil.which("bwrap")
        if found is None:
            raise MachineError(
                "bubblewrap (bwrap) is not installed. Install the package `bubblewrap`, or set "
                "`execution.sandbox: none` to run tests unconfined.")
        self._program = found

    def command(self, command: Sequence[str], confinement: Confinement) -> list[str]:
        argv = [self._program, *_NAME_SPACES]
        argv += _system_mounts()
        argv += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/dev/shm"]
        for outermost in _outermost(confinement.readable):
            argv += ["--ro-bind", outermost, outermost]
        if confinement.working_copy is not None and confinement.copied_folder is not None:
            argv += ["--bind", str(confinement.working_copy), str(confinement.copied_folder)]
            # What lies inside the folder (class trees of an in-place build) must stay the real, read-only one.
            for path in confinement.readable:
                if confinement.copied_folder in path.parents:
                    argv += ["--ro-bind", str(path), str(path)]
        for path in confinement.writable:
            argv += ["--bind", str(path), str(path)]
        argv += ["--chdir", str(confinement.working_folder), "--"]
        return [*argv, *_limits(confinement), *command]


@cache
def bubblewrap_works() -> bool:
    """Whether `bwrap` is installed and may make the name spaces that `Bubblewrap` needs; tried once."""
    program = shutil.which("bwrap")
    if program is None:
        return False
    mounts = [*_system_mounts(), "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    done = run_command([program, *_NAME_SPACES, *mounts, "--", "/bin/sh", "-c", ":"], seconds=20)
    return done.ok


def sandbox_named(name: str) -> Sandbox:
    """The sandbox of the configuration key `execution.sandbox`; `auto` is bubblewrap where it works, else none.

    Raises:
        UsageError: there is no sandbox of that name.
        MachineError: it is not installed.
    """
    if name == "auto":
        name = "bubblewrap" if bubblewrap_works() else "none"
    if name == "none":
        return NoSandbox()
    if name == "bubblewrap":
        return Bubblewrap()
    raise UsageError(f"`{name}` is no sandbox. Set `execution.sandbox` to `auto`, `bubblewrap` or `none`.")


def _limits(confinement: Confinement) -> list[str]:
    program = _limiter()
    if program is None:
        return []
    data = 2 * confinement.memory_mb * 2**20 + _MEMORY_BESIDE_HEAP
    return [program, f"--nproc={MAX_PROCESSES}", f"--nofile={MAX_OPEN_FILES}", f"--fsize={MAX_FILE_BYTES}",
            f"--data={data}", "--core=0", "--"]


@cache
def _limiter() -> str | None:
    return shutil.which("prlimit")


@cache
def _ends_with_parent() -> tuple[str, ...]:
    """A command that lets the next one end with its parent; () where it is not installed.

    Asked of the kernel by another program, not by code of ours between fork and exec, for which the kernel copies the
    memory map of this process: 20 milliseconds when it has grown to 200 MiB.
    """
    program = shutil.which("setpriv")
    trial = [program, "--pdeathsig", "KILL", "--"] if program is not None else []
    works = bool(trial) and run_command([*trial, "/bin/sh", "-c", ":"], seconds=20).ok
    return tuple(trial) if works else ()


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


def _outermost(paths: Sequence[Path]) -> list[str]:
    """The paths that lie in no other of them and that the system mounts do not show already, sorted.

    Each costs the start of every run a third of a millisecond, so jars of a Maven repository are shown with all of it.
    """
    chosen: list[str] = []
    for path in sorted({f"{_repository(path) or path.absolute()}" for path in paths}, key=lambda path: path.split("/")):
        inside = path.startswith("/usr/") or (bool(chosen) and path.startswith(f"{chosen[-1]}/"))
        if not inside and path not in chosen[-1:] and Path(path).exists():
            chosen.append(path)
    return chosen


@cache
def _repository(path: Path) -> Path | None:
    """The local Maven repository (`repository/<group>/<artifact>/<version>/<artifact>-<version>.jar`) of a jar.

    It holds nothing but what repositories publish. Everything else is shown alone.
    """
    folders = path.absolute().parents
    if path.suffix != ".jar" or len(folders) < 6 or not path.name.startswith(f"{folders[1].name}-{folders[0].name}"):
        return None
    return next((folder for folder in folders if folder.name == "repository"), None)
