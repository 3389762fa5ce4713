"""The live display of a run: a bar for the whole, a line per stage at work; plain lines outside a terminal."""

import sys
import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from testevo.config.snapshot.layout import Layout
from testevo.runtime.processes.progress import read_progress

SHOWN_STAGES = 8


@dataclass
class Pace:
    """When each stage was first seen, and how many items it had done by then: what an earlier run did says nothing."""

    _first: dict[Hashable, tuple[float, int]] = field(default_factory=dict)

    def remaining(self, stage: Hashable, done: int, total: int, now: float) -> float | None:
        """Seconds that the rest of a stage takes if its items take as long as those before; None while none is done.

        Args:
            stage: what the count belongs to.
            done: items that are done.
            total: items in all.
            now: seconds on any clock that goes on evenly.
        """
        since, before = self._first.setdefault(stage, (now, done))
        if done <= before or done > total:
            return None
        return (now - since) * (total - done) / (done - before)


def in_words(seconds: float) -> str:
    """`40 s`, `12 min` or `3.5 h`."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


class Display:
    """Shows how many steps are done, and what the stages at work say of themselves.

    Args:
        since: time of the start; older progress files are left over from an earlier run.
        doing: what the run does, in a word.
    """

    def __init__(self, layout: Layout, since: float, doing: str = "mining") -> None:
        self._layout = layout
        self._since = since
        self._console = console = Console(stderr=True)
        self._bar = Progress(
            TextColumn(doing + " {task.fields[snapshot]}"),
            BarColumn(bar_width=30),
            TextColumn("{task.fields[steps]}"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
            console=console,
        )
        self._pace = Pace()
        self._task = self._bar.add_task("", total=None, snapshot=layout.root.name, steps="starting", left="")
        self._live = Live(self._bar, console=console, transient=True) if console.is_terminal else None

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *raised: object) -> None:
        if self._live is not None:
            self._live.stop()

    def steps(self, done: int, total: int) -> None:
        """Note the workflow's own count."""
        self._bar.update(self._task, completed=done, total=total, steps=f"{done} of {total} steps")
        if self._live is None:
            print(f"{done} of {total} steps", file=sys.stderr, flush=True)

    def warn(self, line: str) -> None:
        """Say what the workflow warns of, and leave it there."""
        self._console.print(line, style="yellow", markup=False, highlight=False, soft_wrap=True)

    def look(self) -> None:
        """Look again at what the stages have written; costs nothing outside a terminal."""
        if self._live is not None:
            stages = stages_at_work(self._layout, self._since, self._pace, time.monotonic())
            self._bar.update(self._task, left=whole_left(stages))
            shown = [stage.words() for stage in stages[:SHOWN_STAGES]]
            lines = [Text(f"  {line}", no_wrap=True, overflow="ellipsis") for line in shown]
            self._live.update(Group(self._bar, *lines))


@dataclass(frozen=True)
class StageAtWork:
    """A stage of a repository with items left, and the seconds that those take at its pace, when that is known."""

    name: str
    what: str
    done: int
    total: int
    left: float | None

    def words(self) -> str:
        left = "" if self.left is None else f", about {in_words(self.left)} left"
        return f"{self.name}: {self.done} of {self.total} {self.what}{left}"


def stages_at_work(layout: Layout, since: float, pace: Pace, now: float) -> list[StageAtWork]:
    """The stages of repositories that have begun since then and have items left, the latest first."""
    times = {file: modified(file) for file in (layout.root / "progress").glob("*/*.json")}
    recent = sorted((file for file in times if times[file] >= since), key=lambda file: (-times[file], file))
    stages = []
    for file in recent:
        state = read_progress(file)
        if state is not None and state[1] < state[2]:
            what, done, total = state
            name = f"{file.parent.name} {file.stem.replace('+', '/')}"
            stages.append(StageAtWork(name, what, done, total, pace.remaining((file, what), done, total, now)))
    return stages


def whole_left(stages: Sequence[StageAtWork]) -> str:
    """Estimate the progress of the whole run: the slowest stage at work has to end, and others may follow."""
    known = [stage.left for stage in stages if stage.left is not None]
    return f"at least {in_words(max(known))} left" if known else ""


def modified(file: Path) -> float:
    """When a file was written; long ago when it has just been replaced."""
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return 0.0
