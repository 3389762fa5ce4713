"""A program that runs untrusted code, watched until it ends: three bounded streams, limits, one way to look at it.

What started it, and where, is behind `Child`: a process of this machine (`testevo.sandboxes.processes`) or a container
(`testevo.sandboxes.sandbox_container`).
"""

import contextlib
import os
import selectors
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from testevo.runtime.processes.processes import name_of_signal

CHANNEL_BYTES = 256 * 2**20
"""A channel longer than this is a flood; the child is killed."""
GRACE_SECONDS = 12.0
"""How long a child may linger after the end of its channel. The launcher gives shutdown hooks 10 seconds."""
SECONDS_BETWEEN_LOOKS = 1.0
"""At the disk: what a run writes meanwhile is not held back."""
_BLOCK, _ENTRY = 512, 4096
_END = b'"end"'


@dataclass(frozen=True)
class ProcessLimits:
    """Of one run."""

    seconds: float
    """Wall limit."""
    output_bytes: int
    """How much of stdout and of stderr is kept."""
    silence_seconds: float | None = None
    """Kill the child when its channel says nothing for so long."""
    grace_seconds: float = GRACE_SECONDS
    """How long the child may go on after the `end` event; that is not a time-out."""
    further_seconds: Callable[[], float] = float
    """Asked meanwhile: by how much the wall limit is longer until now, for time that is none of the run."""


@dataclass(frozen=True)
class DiskQuota:
    """How much of the disk a run may take."""

    folders: Sequence[Path]
    """Those it may write to."""
    limit: int
    """In bytes."""
    given: Sequence[Path] = ()
    """Files copied into them before, which do not count."""


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
    filled: bool = False
    """Killed because it filled its folders."""


class Child(Protocol):
    """A started program with its streams."""

    stdout: int
    """Descriptor to read from, like `stderr`."""
    stderr: int

    def poll(self) -> bool:
        """Whether it has ended."""

    def wait(self, seconds: float) -> bool:
        """Whether it has ended, or does so within that time."""

    def give(self, key: bytes) -> None:
        """Write to its standard input, and end that."""

    def end(self) -> int:
        """End it and all it has started; close its standard input. The status."""


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


def watch(
    child: Child, channel: int, limits: ProcessLimits, key: bytes | None = None, quota: DiskQuota | None = None
) -> Watched:
    """Watch a child until it ends, floods its channel, or passes a limit; then end all that it started.

    Args:
        channel: descriptor to read from; closed here, with the streams of the child.
        key: given to the child on its standard input as soon as it says something on the channel.
        quota: the child is killed when it takes more.
    """
    out, err, said = _Stream(limits.output_bytes), _Stream(limits.output_bytes), _Stream(CHANNEL_BYTES)
    streams = {child.stdout: out, child.stderr: err, channel: said}
    now = time.monotonic()
    looked = _Watch(channel, limits, now, now, _Disk(quota, now), key)
    try:
        timed_out = _pump(child, streams, looked)
    finally:
        status = child.end()
        for descriptor in streams:
            os.close(descriptor)
    return Watched(status, out.kept(), err.kept(), bytes(said.content), timed_out, said.dropped > 0, looked.disk.full)


@dataclass
class _Disk:
    """Watch the contents of a run's folders, every second."""

    quota: DiskQuota | None
    looked: float
    given: int | None = None
    full: bool = False

    def fills(self, now: float) -> bool:
        if self.quota is not None and now - self.looked >= SECONDS_BETWEEN_LOOKS:
            if self.given is None:
                self.given = disk_taken(self.quota.given)
            self.full = disk_taken(self.quota.folders) > self.quota.limit + self.given
            self.looked = time.monotonic()
        return self.full


def disk_taken(folders: Sequence[Path]) -> int:
    """Bytes of the disk that all below some folders takes. Each entry takes a block at least: they are limited, too."""
    taken = 0
    todo = [str(folder) for folder in folders]
    while todo:
        with contextlib.suppress(OSError), os.scandir(todo.pop()) as found:  # gone, or made unreadable
            for entry in found:
                with contextlib.suppress(OSError):
                    taken += max(_ENTRY, entry.stat(follow_symlinks=False).st_blocks * _BLOCK)
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
    return taken


@dataclass
class _Watch:
    """The limits of one child, and when it was last heard."""

    channel: int
    limits: ProcessLimits
    begun: float
    heard: float
    disk: _Disk
    key: bytes | None = None
    ended_at: float | None = None

    @property
    def deadline(self) -> float:
        return self.begun + self.limits.seconds + self.limits.further_seconds()

    def note(self, child: Child, stream: _Stream, now: float) -> None:
        """The channel has said something. The launcher's last line is the `end` event: its tail starts the grace."""
        self.heard = now
        self.ended_at = now if _END in stream.content[-200:] else None
        if self.key is not None:
            child.give(self.key)
            self.key = None

    def lingers(self, now: float) -> bool:
        return self.ended_at is not None and now - self.ended_at > self.limits.grace_seconds

    def too_long(self, now: float) -> bool:
        if now > self.deadline + self.limits.grace_seconds:
            return True  # whatever it says: a test may forge the `end` event again and again
        if self.ended_at is not None:
            return False
        silence = self.limits.silence_seconds
        return now > self.deadline or (silence is not None and now - self.heard > silence)


def _pump(child: Child, streams: dict[int, _Stream], watch: _Watch) -> bool:
    """Read all streams until the child is gone; True when it passed a time limit."""
    with selectors.DefaultSelector() as selector:
        for descriptor in streams:
            selector.register(descriptor, selectors.EVENT_READ)
        opened = set(streams)
        while opened:
            # Asked before, not after: what a child wrote until it ended is in the pipes when we look at them.
            ended_before = child.poll()
            ready = [key.fd for key, _ in selector.select(timeout=0.1)]
            now = time.monotonic()
            for descriptor in ready:
                data = os.read(descriptor, 2**16)
                streams[descriptor].add(data)
                if not data:
                    selector.unregister(descriptor)
                    opened.discard(descriptor)
                elif descriptor == watch.channel:
                    watch.note(child, streams[descriptor], now)
            # A grandchild may hold the pipes open for ever: once the child is gone and nothing more comes, stop.
            gone = not ready and ended_before
            if gone or watch.lingers(now) or streams[watch.channel].dropped or watch.disk.fills(now):
                return False
            if watch.too_long(now):
                return True
    return _outstays(child, watch)


def _outstays(child: Child, watch: _Watch) -> bool:
    """Wait for a child that has closed all its streams; True when it passed its time limit without a verdict."""
    ended = watch.ended_at is not None
    grace = time.monotonic() + watch.limits.grace_seconds
    while not child.wait(min(SECONDS_BETWEEN_LOOKS, (grace if ended else watch.deadline) - time.monotonic())):
        now = time.monotonic()
        if watch.disk.fills(now):
            return False
        if now >= (grace if ended else watch.deadline):
            return not ended
    return False


def signal_name(status: int) -> str:
    """`exit status 3`, `signal SIGKILL` or `signal 40`, for messages."""
    if status >= 0:
        return f"exit status {status}"
    return f"signal {name_of_signal(-status).removeprefix('signal ')}"
