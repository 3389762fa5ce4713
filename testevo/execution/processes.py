"""A child that runs strangers' code: three bounded streams, a wall limit, everything it started ended with it."""

import contextlib
import errno
import os
import select
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from testevo.execution.descendants import ended_at_exit
from testevo.ground.errors import MachineError
from testevo.ground.processes import kill_group
from testevo.ground.stopwatch import timed

CHANNEL_BYTES = 256 * 2**20
"""A channel longer than this is a flood; the child is killed."""
GRACE_SECONDS = 12.0
"""How long a child may linger after the end of its channel. The launcher gives shutdown hooks 10 seconds."""
_END = b'"end"'


@dataclass(frozen=True)
class Watched:
    """How a watched child ended. `status` is negative for a signal; after a kill by us it says nothing of the test."""

    status: int
    stdout: bytes
    stderr: bytes
    channel: bytes
    timed_out: bool
    """Killed because of the wall limit or the silence limit."""
    flooded: bool
    """Killed because it flooded its channel."""


@dataclass
class _Stream:
    """Keeps the first `limit` bytes of a stream and throws the rest away, so that a flood costs nothing."""

    limit: int
    content: bytearray = field(default_factory=bytearray)
    dropped: int = 0

    def add(self, data: bytes) -> None:
        room = max(0, self.limit - len(self.content))
        self.content += data[:room]
        self.dropped += max(0, len(data) - room)

    def kept(self) -> bytes:
        mark = b"\n[output cut at %d bytes]\n" % self.limit if self.dropped else b""
        return bytes(self.content) + mark


@timed("test JVMs")
def run_watched(
    command: Sequence[str],
    channel: tuple[int, int],
    *,
    folder: Path,
    environment: Mapping[str, str],
    seconds: float,
    output_bytes: int,
    silence_seconds: float | None = None,
    grace_seconds: float = GRACE_SECONDS,
    key: bytes | None = None,
) -> Watched:
    """Run `command` until it ends, floods its channel, or passes a limit; then end all that it started.

    Args:
        command: of a sandbox, so that it ends with this process however that ends.
        channel: read end and write end of a pipe; the child inherits the write end under its number. Both are closed.
        seconds: wall limit.
        output_bytes: how much of stdout and of stderr is kept.
        silence_seconds: kill the child when its channel says nothing for so long.
        grace_seconds: how long the child may go on after the `end` event; that is no time-out.
        key: given to the child on its standard input as soon as it says something on the channel; then, as without a
            key, its standard input is at its end.

    Raises:
        MachineError: the program cannot be started.
    """
    with ended_at_exit():
        limits = _Limits(seconds, silence_seconds, grace_seconds)
        return _run(command, channel, folder, environment, output_bytes, limits, key)


@dataclass(frozen=True)
class _Limits:
    """Of one child, in seconds."""

    wall: float
    silence: float | None
    grace: float


def _run(
    command: Sequence[str], channel: tuple[int, int], folder: Path, environment: Mapping[str, str], output_bytes: int,
    limits: _Limits, key: bytes | None,
) -> Watched:
    read_end, write_end = channel
    try:
        if shutil.which(command[0]) is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        child = subprocess.Popen(
            command, cwd=folder, env=dict(environment), stdin=subprocess.PIPE if key else subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=(write_end,), start_new_session=True)
    except OSError as error:
        os.close(read_end)
        raise MachineError(
            f"{command[0]} cannot be started in {folder}: {error.strerror}. Run `testevo doctor` to see why."
        ) from error
    finally:
        os.close(write_end)
    assert child.stdout is not None and child.stderr is not None
    streams = {
        child.stdout.fileno(): _Stream(output_bytes),
        child.stderr.fileno(): _Stream(output_bytes),
        read_end: _Stream(CHANNEL_BYTES),
    }
    try:
        now = time.monotonic()
        watch = _Watch(read_end, now + limits.wall, limits.silence, limits.grace, now, key)
        timed_out = _pump(child, streams, watch)
    finally:
        if child.stdin is not None:
            child.stdin.close()
        kill_group(child.pid)
        child.wait()
        kept = [stream.kept() for stream in list(streams.values())[:2]]
        child.stdout.close()
        child.stderr.close()
        os.close(read_end)
    said = streams[read_end]
    return Watched(child.returncode, kept[0], kept[1], bytes(said.content), timed_out, said.dropped > 0)


@dataclass
class _Watch:
    """The limits of one child, and when it was last heard."""

    channel: int
    deadline: float
    silence: float | None
    grace: float
    heard: float
    key: bytes | None = None
    ended_at: float | None = None

    def note(self, child: subprocess.Popen[bytes], stream: _Stream, now: float) -> None:
        """The channel has said something. The launcher's last line is the `end` event: its tail starts the grace."""
        self.heard = now
        self.ended_at = now if _END in stream.content[-200:] else None
        if self.key is not None and child.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                os.write(child.stdin.fileno(), self.key)
            child.stdin.close()
            self.key = None

    def lingers(self, now: float) -> bool:
        return self.ended_at is not None and now - self.ended_at > self.grace

    def too_long(self, now: float) -> bool:
        if now > self.deadline + self.grace:
            return True  # whatever it says: a test may forge the `end` event again and again
        if self.ended_at is not None:
            return False
        return now > self.deadline or (self.silence is not None and now - self.heard > self.silence)


def _pump(child: subprocess.Popen[bytes], streams: dict[int, _Stream], watch: _Watch) -> bool:
    """Read all streams until the child is gone; True when it passed a limit."""
    with selectors.DefaultSelector() as selector:
        for descriptor in streams:
            selector.register(descriptor, selectors.EVENT_READ)
        while selector.get_map():
            # Asked before, not after: what a child wrote until it ended is in the pipes when we look at them.
            ended_before = child.poll() is not None
            ready = selector.select(timeout=0.1)
            now = time.monotonic()
            for key, _ in ready:
                data = os.read(key.fd, 2**16)
                streams[key.fd].add(data)
                if not data:
                    selector.unregister(key.fd)
                elif key.fd == watch.channel:
                    watch.note(child, streams[key.fd], now)
            # A grandchild may hold the pipes open for ever: once the child is gone and nothing more comes, stop.
            gone = not ready and ended_before
            if gone or watch.lingers(now) or streams[watch.channel].dropped:
                return False
            if watch.too_long(now):
                return True
    ended = watch.ended_at is not None
    return _wait(child, watch.grace if ended else max(0.0, watch.deadline - time.monotonic()), ended)


def _wait(child: subprocess.Popen[bytes], seconds: float, ended: bool) -> bool:
    """Wait for a child that has closed all its streams; True when it passed its limit without a verdict."""
    try:
        with contextlib.suppress(OSError, AttributeError):  # an old kernel, or another one than Linux
            descriptor = os.pidfd_open(child.pid)
            try:
                select.select([descriptor], [], [], seconds)  # at once, where wait() looks again and again
            finally:
                os.close(descriptor)
            seconds = 0.0
        child.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return not ended
    return False


def signal_name(status: int) -> str:
    """`exit status 3` or `signal SIGKILL`, for messages."""
    if status >= 0:
        return f"exit status {status}"
    return f"signal {signal.Signals(-status).name}"
