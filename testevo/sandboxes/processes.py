"""A process that runs untrusted code: watched, and everything it started ended with it."""

import contextlib
import errno
import os
import select
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from testevo.runtime.errors import MachineError
from testevo.runtime.processes.processes import kill_group
from testevo.runtime.stopwatch import timed
from testevo.sandboxes.descendants import ended_at_exit
from testevo.sandboxes.watching import DiskQuota, ProcessLimits, Watched, watch


@timed("test JVMs")
def run_watched(
    command: Sequence[str],
    channel: tuple[int, int | None],
    *,
    folder: Path,
    environment: Mapping[str, str],
    limits: ProcessLimits,
    key: bytes | None = None,
    quota: DiskQuota | None = None,
    inherited: Sequence[int] = (),
) -> Watched:
    """Run `command` until it ends, floods its channel, or passes a limit; then end all that it started.

    Args:
        command: of a sandbox, so that it ends with this process however that ends.
        channel: read end and write end of a pipe; the child inherits the write end under its number. Both are closed.
            No write end: the child opens a named pipe.
        key: given to the child on its standard input as soon as it says something on the channel; then, as without a
            key, its standard input is at its end.
        quota: it is killed when it takes more of the disk.
        inherited: further descriptors that the child gets under their numbers; they stay open.

    Raises:
        MachineError: the program cannot be started.
    """
    with ended_at_exit():
        started = _started(command, channel, folder, environment, inherited, with_key=key is not None)
        return watch(started, channel[0], limits, key, quota)


def _started(
    command: Sequence[str],
    channel: tuple[int, int | None],
    folder: Path,
    environment: Mapping[str, str],
    inherited: Sequence[int],
    *,
    with_key: bool,
) -> "_Process":
    read_end, write_end = channel
    try:
        if shutil.which(command[0]) is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        return _Process(
            subprocess.Popen(
                command,
                cwd=folder,
                env=dict(environment),
                stdin=subprocess.PIPE if with_key else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(*inherited, *(() if write_end is None else (write_end,))),
                start_new_session=True,
            )
        )
    except OSError as error:
        os.close(read_end)
        raise MachineError(
            f"{command[0]} cannot be started in {folder}: {error.strerror}. Run `testevo doctor` to see why."
        ) from error
    finally:
        if write_end is not None:
            os.close(write_end)


class _Process:
    """A child of this process (`testevo.sandboxes.watching.Child`)."""

    def __init__(self, started: subprocess.Popen[bytes]) -> None:
        self._started = started
        assert started.stdout is not None and started.stderr is not None
        # Of their own, so that the object that goes closes nothing twice.
        self.stdout, self.stderr = os.dup(started.stdout.fileno()), os.dup(started.stderr.fileno())
        started.stdout.close()
        started.stderr.close()

    def poll(self) -> bool:
        return self._started.poll() is not None

    def wait(self, seconds: float) -> bool:
        seconds = max(0.0, seconds)
        try:
            with contextlib.suppress(OSError, AttributeError):  # an old kernel, or another one than Linux
                descriptor = os.pidfd_open(self._started.pid)
                try:
                    select.select([descriptor], [], [], seconds)  # at once, where wait() looks again and again
                finally:
                    os.close(descriptor)
                seconds = 0.0
            self._started.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def give(self, key: bytes) -> None:
        if self._started.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                os.write(self._started.stdin.fileno(), key)
            self._started.stdin.close()

    def end(self) -> int:
        if self._started.stdin is not None:
            self._started.stdin.close()
        kill_group(self._started.pid)
        return self._started.wait()
