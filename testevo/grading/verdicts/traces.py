"""Read traces as `Throwable.printStackTrace` writes them, and the launcher shortens them.

A test can write a trace itself: frames in common that multiply, causes without end. So what is read is bounded.
"""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

MOST_CHARACTERS = 1_000_000
"""Of a trace; the launcher keeps 60,000, the reports of Surefire all."""
MOST_FRAMES = 100_000
"""Of all throwables of a trace, those in common counted for each: a stack has 1,024 frames, and few causes."""
_HEAD = re.compile(r"(\t*)(Caused by: |Suppressed: |)([\w.$]+)(?::|\Z)")
_FRAME = re.compile(r"\t+at (?:[^\s()/]*/)*([\w.$]+)\.([\w$<>]+)\(([^():\s]*)")
_MORE = re.compile(r"\t+\.\.\. (\d{1,9}) more")
_LEFT_OUT = re.compile(r"\t+\.\.\. (\d{1,9}) frames left out")


class ExcessiveTraceError(ValueError):
    """A trace has more text or frames than any code leaves that nobody has told to."""


class Frame(NamedTuple):
    """A call on the stack."""

    type_name: str
    method: str
    file: str


@dataclass
class Thrown:
    """A throwable as a trace shows it."""

    name: str
    lines: list[str]
    """What it says."""
    frames: list[Frame] = field(default_factory=list)
    """Those that it has in common with the one around it included."""
    left_out: int = 0
    """How many frames between those shown and those in common the launcher has left out."""
    shared: int | None = None
    """How many of `frames`, the last ones, it has in common with the one around it; None where it does not say."""
    parts: list["Thrown"] = field(default_factory=list)
    """Suppressed ones."""
    cause: "Thrown | None" = None

    @property
    def said(self) -> str:
        return "\n".join(self.lines).strip()

    def last_frames(self, count: int) -> list[Frame]:
        """Those shown of its last frames."""
        shared = self.shared or 0
        shown = count if count <= shared else max(shared, count - self.left_out)
        return self.frames[-shown:] if shown else []


def read_trace(trace: str) -> Thrown | None:
    """The throwable that a trace begins with; None where it begins with none.

    Raises:
        ExcessiveTraceError: a test has made the trace; it is read no further.
    """
    if len(trace) > MOST_CHARACTERS:
        raise ExcessiveTraceError(f"a trace of {len(trace)} characters")
    reader = _Reader()
    for line in trace.splitlines():
        reader.take(line)
    return reader.first


class _Reader:
    """Collects the throwables of one trace."""

    def __init__(self) -> None:
        self.first: Thrown | None = None
        self._last: list[Thrown] = []
        """The one that was read last at each depth."""
        self._around: Thrown | None = None
        """What has the last one as its cause or suppresses it."""
        self._frames = 0

    def take(self, line: str) -> None:
        if self._last and (frame := _FRAME.match(line)):
            self._add([Frame(*frame.groups())])
        elif self._last and (left_out := _LEFT_OUT.match(line)):
            self._last[-1].left_out += int(left_out.group(1))
        elif self._around is not None and (more := _MORE.match(line)):
            self._share(int(more.group(1)), self._around)
        elif head := _HEAD.match(line):
            self._open(len(head.group(1)), head.group(2), Thrown(head.group(3), [line[head.end() :]]))
        elif self._last and not self._last[-1].frames:
            self._last[-1].lines.append(line)

    def _share(self, count: int, around: Thrown) -> None:
        last = self._last[-1]
        if last.shared is None:
            frames = around.last_frames(count)
            last.shared = len(frames)
            self._add(frames)

    def _add(self, frames: list[Frame]) -> None:
        self._frames += len(frames)
        if self._frames > MOST_FRAMES:
            raise ExcessiveTraceError(f"a trace of more than {MOST_FRAMES} frames")
        self._last[-1].frames += frames

    def _open(self, depth: int, kind: str, thrown: Thrown) -> None:
        if self.first is None:
            self.first, self._last = thrown, [thrown]
        elif kind == "Caused by: " and depth < len(self._last):
            self._around, self._last = self._last[depth], [*self._last[:depth], thrown]
            self._around.cause = thrown
        elif kind == "Suppressed: " and 0 < depth <= len(self._last):
            self._around, self._last = self._last[depth - 1], [*self._last[:depth], thrown]
            self._around.parts.append(thrown)
