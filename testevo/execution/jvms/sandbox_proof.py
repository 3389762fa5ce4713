"""Does the sandbox hold? Asked once per process, before any untrusted code runs.

A program of our own (`jvm/launcher`, `SandboxProbe`) tries inside what must not work, and this process looks from
outside: whether its listener was reached, whether a file appeared. No address but that of the loopback interface is
ever contacted. A sandbox that leaks runs nothing.
"""

import contextlib
import secrets
import socket
import tempfile
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.inputs.jvm_config import SERIAL
from testevo.builds.project.jdks import Jdk
from testevo.execution.jvms.environment import QUICK_START, JvmEnvironment, environment
from testevo.runtime.errors import MachineError
from testevo.runtime.files.files import require_space
from testevo.runtime.files.jars import tool_jar
from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.sandbox import Sandbox
from testevo.sandboxes.watching import ProcessLimits, Watched

_MAIN = "testevo.launcher.SandboxProbe"
_SECONDS = 60.0
_MEMORY_MB = 64
_proven: set[str] = set()


def prove(sandbox: Sandbox, jdk: Jdk, work: Path) -> None:
    """Refuse to go on in a sandbox that leaks; `none`, which warns by itself, is let pass.

    Of a sandbox that leaves files in reach nothing is asked about files.

    Args:
        work: the folder for private folders of runs.

    Raises:
        MachineError: it leaks, or runs no JVM at all.
    """
    if sandbox.name == "none" or sandbox.identity in _proven:
        return
    leaks = leaks_of(sandbox, jdk, work, files=sandbox.isolates_files)
    if leaks:
        raise MachineError(
            f"The sandbox `{sandbox.name}` leaks: {'; '.join(leaks)}. No untrusted code was run. Compare with "
            "docs/sandboxes.md what this machine allows, or choose another `execution.sandbox`."
        )
    _proven.add(sandbox.identity)


@dataclass(frozen=True)
class _Trial:
    """The files, processes and addresses that the probe tries to reach."""

    private: Path
    """Its own folder."""
    given: Path
    """A folder it may read."""
    other: Path
    """A folder of somebody else, with a secret."""
    word: str

    @property
    def secret(self) -> Path:
        return self.other / "secret"

    def written(self, folder: Path) -> Path:
        return folder / "written"

    def was_written(self, folder: Path) -> bool:
        file = self.written(folder)
        return file.is_file() and file.read_text(encoding="utf-8") == self.word


def leaks_of(sandbox: Sandbox, jdk: Jdk, work: Path, *, files: bool = True) -> list[str]:
    """List what a program in the sandbox can do and must not; [] when the sandbox holds.

    Args:
        files: whether files of others must be out of reach, too.

    Raises:
        MachineError: it cannot run a JVM, hides the folder that is the run's own, or the disk is full.
    """
    work.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as end:
        own, given, other = (
            Path(end.enter_context(tempfile.TemporaryDirectory(dir=work, prefix=f"probe-{name}-"))).resolve()
            for name in ("own", "given", "other")
        )
        trial = _Trial(own, given, other, secrets.token_hex(16))
        trial.secret.write_text(trial.word, encoding="utf-8")
        listener = end.enter_context(socket.create_server(("127.0.0.1", 0)))
        watched = _run(sandbox, jdk, trial, listener.getsockname()[1])
        require_space(work)  # what fails on a full disk says nothing of the sandbox
        said = _said(watched, sandbox)
        if not trial.was_written(trial.private):
            raise MachineError(
                f"The sandbox `{sandbox.name}` does not let a run write to its own folder below {work}. Put the work "
                "folder on a disk that it may use; see docs/sandboxes.md."
            )
        return _judged(said, trial, reached=_was_reached(listener), files=files)


def _run(sandbox: Sandbox, jdk: Jdk, trial: _Trial, port: int) -> Watched:
    jvm_environment = JvmEnvironment.made_in(trial.private)
    jar = tool_jar("launcher")
    files = [str(trial.written(folder)) for folder in (trial.private, trial.given, trial.other)]
    confinement = Confinement(
        jvm_environment.home, (jdk.home, jar.parent, trial.given), (trial.private,), _MEMORY_MB, disk_mb=_MEMORY_MB
    )
    return sandbox.run(
        lambda channel: [
            str(jdk.home / "bin" / "java"),
            SERIAL,
            *QUICK_START,
            f"-Xmx{_MEMORY_MB}m",
            "-cp",
            str(jar),
            _MAIN,
            channel,
            str(port),
            str(trial.secret),
            trial.word,
            *files,
        ],
        confinement,
        environment(jdk, jvm_environment, {}),
        ProcessLimits(_SECONDS, 2**16),
    )


def _said(watched: Watched, sandbox: Sandbox) -> list[str]:
    lines = watched.channel.decode("utf-8", "replace").splitlines()
    if not lines or lines[-1] != "end":
        output = (watched.stderr or watched.stdout).decode("utf-8", "replace").strip().splitlines()
        reason = "it took too long" if watched.timed_out else output[-1][:300] if output else "it said nothing"
        raise MachineError(
            f"The sandbox `{sandbox.name}` cannot run a JVM here: {reason}. See docs/sandboxes.md for what it needs, "
            "or choose another `execution.sandbox`."
        )
    return lines


def _judged(said: list[str], trial: _Trial, *, reached: bool, files: bool) -> list[str]:
    found = []
    interfaces = sorted({line.split(" ", 1)[1] for line in said if line.startswith("interface ")})
    if interfaces:
        found.append(f"it has the network interface {', '.join(interfaces)}")
    if reached or "listener reached" in said:
        found.append("a listener on this machine's loopback interface was reached")
    if not files:
        return found
    if f"secret {trial.word}" in said:
        found.append(f"a file of another run below {trial.other.parent} was read")
    for folder, whose in ((trial.given, "a folder it may only read"), (trial.other, "the folder of another run")):
        if trial.was_written(folder):
            found.append(f"{whose} below {folder.parent} was written to")
    return found


def _was_reached(listener: socket.socket) -> bool:
    listener.setblocking(False)
    try:
        listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True
