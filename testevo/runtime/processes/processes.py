"""Child processes in a group of their own, with a time limit and bounded output kept as bytes."""

import contextlib
import ctypes
import errno
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from testevo.runtime.errors import MachineError

MOST_CHARACTERS = 100_000
"""That one argument may have here; Linux takes 128 KiB."""
_PRCTL = getattr(ctypes.CDLL(None), "prctl", None)
_SIGNAL_WHEN_PARENT_ENDS = 1


def end_with_parent(parent: int | None = None) -> None:
    """Let the kernel kill this process as soon as its parent has ended, however that happened (Linux only).

    A parent killed by SIGKILL cleans up nothing: its Maven would go on writing into the local repository while the
    resumed run does the same. Made for `preexec_fn`, which is safe only while no other thread runs:
    nothing is started through here while a gateway of an agent is open.

    Args:
        parent: the parent's id, when known: it may have ended before the kernel was asked.
    """
    if _PRCTL is not None:
        _PRCTL(_SIGNAL_WHEN_PARENT_ENDS, signal.SIGKILL)
    if parent is not None and os.getppid() != parent:
        os._exit(1)


def name_of_signal(number: int) -> str:
    """`SIGKILL`, or `signal 40` where Python has no name, as for most real-time signals."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


@dataclass(frozen=True)
class Finished:
    """How a child process ended. `status` is negative for a signal, as in `subprocess`."""

    command: tuple[str, ...]
    status: int
    stdout: bytes
    stderr: bytes
    timed_out: bool

    @property
    def ok(self) -> bool:
        return self.status == 0 and not self.timed_out

    @property
    def text(self) -> str:
        """What it wrote to both streams, one after the other, decoded with replacement."""
        return (self.stdout + b"\n" + self.stderr).decode("utf-8", "replace")

    def tail(self, lines: int = 15) -> str:
        """The last lines of both streams, for messages."""
        return "\n".join([line for line in self.text.splitlines() if line.strip()][-lines:])


def run_command(
    command: Sequence[str],
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    seconds: float = 600.0,
    output_bytes: int = 64 * 2**20,
    stdin: bytes = b"",
) -> Finished:
    """Run `command` to its end, or kill its whole process group after `seconds`.

    Output beyond `output_bytes` per stream is cut when read, the file itself lives in a temporary folder.

    Raises:
        MachineError: the program is not installed, or cannot be started.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as given:
        given.write(stdin)
        given.seek(0)
        try:
            child = subprocess.Popen(
                list(command),
                cwd=folder,
                env=environment,
                stdin=given,
                stdout=out,
                stderr=err,
                start_new_session=True,
                preexec_fn=partial(end_with_parent, os.getpid()),  # noqa: PLW1509 - see there
            )
        except FileNotFoundError as error:
            if folder is not None and not folder.is_dir():
                raise MachineError(f"{folder} is not a folder; {command[0]} cannot run in it.") from error
            raise MachineError(f"{command[0]} is not installed; run `testevo doctor` to see how to get it.") from error
        except OSError as error:
            if error.errno == errno.E2BIG:
                raise
            raise MachineError(
                f"{command[0]} cannot be started: {error.strerror}. `testevo doctor` starts every program."
            ) from error
        timed_out = False
        try:
            child.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            timed_out = True
        finally:
            kill_group(child.pid)
            child.wait()
        streams = []
        for stream in (out, err):
            stream.seek(0)
            streams.append(stream.read(output_bytes))
        return Finished(tuple(command), child.returncode, streams[0], streams[1], timed_out)


def kill_group(process_id: int) -> None:
    """Kill every process of the group led by `process_id`; a group that is gone is fine."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process_id, signal.SIGKILL)
