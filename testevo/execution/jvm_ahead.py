"""A JVM started ahead of the next run, while this one goes on: only where a core would be idle meanwhile.

It is as fresh as any: started for one run, with a private folder of its own. The launcher has its key, has loaded the
classes of JUnit that an archive holds, and nothing of the project; it reads what to run when it is told to begin
(docs/performance.md).
"""

import os
import secrets
import tempfile
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from testevo.execution.channel import KEY_BYTES
from testevo.execution.mounts import Confinement
from testevo.execution.sandbox import Command, Sandbox, StartsAhead, Waiting
from testevo.execution.watching import Bounds, Watched

_RUNNING = 3
"""Field of /proc/loadavg: what runs at this moment, this process included, of all."""


@dataclass(frozen=True)
class Jvm:
    """A JVM with its private folder, started or not; it runs once."""

    folder: "tempfile.TemporaryDirectory[str]"
    private: Path
    request: tuple[str, ...]
    """Lines that come before what is selected."""
    with_archive: bool
    command: Command
    classes: Path | None
    """Names of classes to load where it waits (`testevo.execution.archives`)."""
    confinement: Confinement
    environment: dict[str, str]
    waiting: Waiting | None = None
    key: bytes = field(default_factory=lambda: secrets.token_bytes(KEY_BYTES))
    """Of its channel."""

    def ask(self, selected: Sequence[str]) -> None:
        """Tell it what to run."""
        lines = (*self.request, *selected)
        (self.private / "request").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def watched(self, sandbox: Sandbox, bounds: Bounds, beside: Waiting | None = None) -> Watched:
        """Run it to its end.

        Args:
            beside: the next one, which starts meanwhile.
        """
        if self.waiting is not None:
            return self.waiting.watched(bounds, beside)
        return sandbox.run(self.command, self.confinement, self.environment, bounds, self.key)

    def started_ahead(self, sandbox: StartsAhead) -> "Jvm":
        """The same, which then waits to be asked."""
        classes = "" if self.classes is None else str(self.classes)
        waiting = sandbox.start_ahead(
            lambda channel: [*self.command(channel), classes], self.confinement, self.environment, self.key)
        return replace(self, waiting=waiting)

    def discard(self) -> None:
        if self.waiting is not None:
            self.waiting.discard()
        self.folder.cleanup()


class Ahead:
    """At most one JVM that waits for the next run of its kind."""

    def __init__(self) -> None:
        self._spare: list[tuple[object, Jvm]] = []
        self._owner = os.getpid()
        weakref.finalize(self, _discard, self._spare, self._owner)

    def take(self, kind: object) -> Jvm | None:
        """The JVM that waits for a run of this kind; one of another kind ends."""
        if self._spare and self._spare[0][0] == kind:
            return self._spare.pop()[1]
        _discard(self._spare, self._owner)
        return None

    def put(self, kind: object, jvm: Jvm) -> None:
        """Let it wait."""
        _discard(self._spare, self._owner)
        self._spare.append((kind, jvm))


def _discard(spare: list[tuple[object, Jvm]], owner: int) -> None:
    """End it where it was started; a forked child only lets go of it."""
    while spare:
        _, jvm = spare.pop()
        if owner == os.getpid():
            jvm.discard()


def is_a_core_idle() -> bool:
    """Whether fewer processes run at this moment than this one may use cores."""
    try:
        running = int(Path("/proc/loadavg").read_text(encoding="ascii").split()[_RUNNING].partition("/")[0])
        return running < len(os.sched_getaffinity(0))
    except (OSError, ValueError, IndexError, AttributeError):  # another system than Linux
        return False
