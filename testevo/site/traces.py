"""Stack traces as a reader wants them: to the point where the test was called, the project's own frames told apart.

What differs from run to run of equal code (identities of objects, names of generated classes, times, paths of the
machine) is replaced, and the frames of the harness and of reflection are left out.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

MOST_LINES = 60
MOST_CHARACTERS = 200
"""Of a line."""
FRAME = re.compile(r"at (?:[^\s()/]*/)*(?P<method>[\w.$<>]+)\((?P<place>[^()]*)\)")
REFLECTION = re.compile(r"(java\.lang\.reflect|java\.lang\.invoke|jdk\.internal\.reflect|sun\.reflect)\.")
LEFT_OUT = re.compile(r"\.\.\. \d+ (?:more|common frames omitted)")
VARYING = (
    (re.compile(r"(\$\$Lambda)(?:\$\d+)?(?:/\w+)?"), r"\1"),
    (re.compile(r"(\$Proxy|\$MockitoMock\$|\$ByteBuddy\$|\$\$EnhancerBy\w+?\$\$)\w+"), r"\1"),
    (re.compile(r"@[0-9a-f]{1,8}\b(?![.\w-])"), "@…"),
    (re.compile(r"\b0x[0-9a-fA-F]{6,16}\b"), "0x…"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"), "(time)"),
    (re.compile(r"\b\d+(?:\.\d+)? ?(?:ns|ms|milliseconds|nanoseconds)\b"), "(duration)"),
    (re.compile(r"(?<![\w/.])(?:file:/*)?/(?:tmp|var)/[^\s:'\"()<>,;]+"), "…"),
    (re.compile(r"(?<![\w/.])(?:file:/*)?/(?:[^\s/:'\"()<>,;]+/)+([^\s/:'\"()<>,;]+)"), r"…/\1"),
)
"""What differs between equal runs, and what is shown in its place."""


@dataclass(frozen=True)
class TraceLine:
    """A line of a trace; `kind` is `cause`, `own` for a frame of the project, or `other`."""

    text: str
    kind: str


@dataclass(frozen=True)
class Trace:
    """A trace, cut; `skipped` is the number of lines that are not shown."""

    lines: Sequence[TraceLine]
    skipped: int


def shown_trace(printed: str, java_files: Iterable[str]) -> Trace:
    """A trace as a JVM printed it, for a page.

    Args:
        java_files: paths of the project's Java files, by which its frames are known.
    """
    sources = defaultdict(list)
    for path in java_files:
        sources[path.rsplit("/", 1)[-1]].append(f"/{path}")
    read = [line for text in printed.splitlines() if (line := _line(_steady(text.strip()), sources)) is not None]
    lines = [line for part in _parts(read) for line in _called_by_test(part)]
    return Trace(lines[:MOST_LINES], len(lines[MOST_LINES:]))


def _line(text: str, sources: Mapping[str, Sequence[str]]) -> TraceLine | None:
    """A line of the trace; None for one that tells nothing."""
    if not text or LEFT_OUT.fullmatch(text):
        return None
    frame = FRAME.fullmatch(text)
    if frame is None:
        return TraceLine(_cut(text), "cause")
    if REFLECTION.match(frame["method"]):
        return None
    kind = "own" if _of_project(frame, sources) else "other"
    return TraceLine(_cut(f"at {frame['method']}({frame['place']})"), kind)


def _of_project(frame: "re.Match[str]", sources: Mapping[str, Sequence[str]]) -> bool:
    """Whether a file of the project has the name and the package of a frame."""
    package = frame["method"].rsplit(".", 2)[:-2]
    file = frame["place"].split(":")[0]
    wanted = "/".join(["", *(part.replace(".", "/") for part in package), file])
    return any(path.endswith(wanted) for path in sources.get(file, ()))


def _steady(text: str) -> str:
    for pattern, replacement in VARYING:
        text = pattern.sub(replacement, text)
    return text


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"


def _parts(lines: Iterable[TraceLine]) -> list[list[TraceLine]]:
    """The exception and each of its causes, with the frames below them."""
    parts: list[list[TraceLine]] = [[]]
    for line in lines:
        if line.kind == "cause" and parts[-1] and parts[-1][-1].kind != "cause":
            parts.append([])
        parts[-1].append(line)
    return parts


def _called_by_test(part: Sequence[TraceLine]) -> Sequence[TraceLine]:
    """A part down to the last frame of the project, where it has one: below it, the harness calls the test."""
    last = max((at for at, line in enumerate(part) if line.kind == "own"), default=len(part) - 1)
    return part[: last + 1]
