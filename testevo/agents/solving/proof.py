"""Does the sandbox keep the answer away? Asked once per process, before the first task, from inside.

A program of our own (`probe.py`) runs as a system would, and tries to read the dataset and a file of another run, to
write outside its workspace and to the settings of the kernel, and to reach the network. This process looks from
outside, too. A sandbox that leaks lets no system run.
"""

import contextlib
import secrets
import socket
import tempfile
from collections.abc import Sequence
from pathlib import Path

from testevo.agents.solving import probe
from testevo.agents.systems.python import plain_python
from testevo.runtime.errors import MachineError
from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.sandbox import Sandbox
from testevo.sandboxes.watching import ProcessLimits, Watched

_SECONDS = 60.0
_MEMORY_MB, _DISK_MB = 256, 64
_MOST_FILES = 50
_SETTINGS = (Path("/proc/sys/kernel/core_pattern"), Path("/proc/sys/vm/drop_caches"))
_proven: set[tuple[str, Path]] = set()


def prove(sandbox: Sandbox, dataset: Path, scratch: Path) -> None:
    """Refuse to let systems work in a sandbox that leaks.

    `none`, which needs the user's yes and warns, is let pass; of `unshare` nothing is asked about files.

    Args:
        scratch: where workspaces are made.

    Raises:
        MachineError: it leaks, or runs no program.
    """
    key = (sandbox.identity, dataset)
    if sandbox.name == "none" or key in _proven:
        return
    leaks = leaks_of(sandbox, dataset, scratch)
    if leaks:
        raise MachineError(
            f"The sandbox `{sandbox.name}` does not keep the answer from systems: {'; '.join(leaks)}. No system was "
            "started. Compare with docs/sandboxes.md what this machine allows, or choose another `execution.sandbox`."
        )
    _proven.add(key)


def leaks_of(sandbox: Sandbox, dataset: Path, scratch: Path) -> list[str]:
    """What a program in the sandbox can do and must not; [] when the sandbox holds.

    Raises:
        MachineError: it cannot run a program that writes to its own folder.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as end:
        own, other = (
            Path(end.enter_context(tempfile.TemporaryDirectory(dir=scratch, prefix="probe-"))).resolve()
            for _ in range(2)
        )
        secret = other / "secret"
        secret.write_text("of another run\n", encoding="utf-8")
        name = f"testevo-probe-{secrets.token_hex(8)}"
        written = [folder.resolve() / name for folder in (dataset, other, scratch, Path.home(), Path.cwd())]
        for path in written:
            end.callback(path.unlink, missing_ok=True)
        read = [secret, *(path.resolve() for path in sorted(dataset.rglob("*")) if path.is_file())][:_MOST_FILES]
        listener = end.enter_context(socket.create_server(("127.0.0.1", 0)))
        tries = [("read", path) for path in read] + [("write", path) for path in written]
        tries += [("open", path) for path in _SETTINGS if path.exists()]
        said = _said(sandbox, own, listener.getsockname()[1], tries if sandbox.isolates_files else [])
        found = ["its listener on this machine's loopback interface was reached"] if "reached" in said else []
        found += [f"there is a route to the network ({line})" for line in said if line.startswith("interface ")]
        read_files = [line.split(" ", 1)[1] for line in said if line.startswith("read ")]
        found += [f"{len(read_files)} files were read, {read_files[0]} first"] if read_files else []
        # A file that only the program inside sees, as in a folder in memory, is no leak.
        found += [f"a file appeared in {path.parent}" for path in written if path.exists()]
        found += [f"{line.split(' ', 1)[1]} could be opened for writing" for line in said if line.startswith("open ")]
        return found


def _said(sandbox: Sandbox, own: Path, port: int, tries: Sequence[tuple[str, Path]]) -> list[str]:
    python, readable = plain_python()
    program = Path(probe.__file__).resolve()
    words = [str(word) for one in tries for word in one]
    confinement = Confinement(own, (program, *readable), (own,), memory_mb=_MEMORY_MB, disk_mb=_DISK_MB)
    watched = sandbox.run(
        lambda _: [*python, str(program), str(port), str(own), *words],
        confinement,
        {"HOME": str(own), "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        ProcessLimits(_SECONDS, 2**20),
    )
    lines = watched.stdout.decode("utf-8", "replace").splitlines()
    if lines[-1:] != ["end"] or "own" not in lines:
        raise MachineError(
            f"The sandbox `{sandbox.name}` cannot run a program that writes to its own folder below {own.parent}: "
            f"{_reason(watched)}. No system was started; see docs/sandboxes.md."
        )
    return lines


def _reason(watched: Watched) -> str:
    words = (watched.stderr or watched.stdout).decode("utf-8", "replace").strip().splitlines()
    return "it took too long" if watched.timed_out else words[-1][:300] if words else "it said nothing"
