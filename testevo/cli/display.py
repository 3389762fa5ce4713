"""The live display of a run: a bar for the whole, a line per stage at work; plain lines outside a terminal."""

import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from testevo.config.layout import Layout
from testevo.ground.progress import read_progress

SHOWN_STAGES = 8


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
            console=console,
        )
        self._task = self._bar.add_task("", total=None, snapshot=layout.root.name, steps="starting")
        self._live = Live(self._bar, console=console, transient=True) if console.is_terminal else None

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
            words = stages_at_work(self._layout, self._since)
            lines = [Text(f"  {line}", no_wrap=True, overflow="ellipsis") for line in words]
            self._live.update(Group(self._bar, *lines))


def stages_at_work(layout: Layout, since: float) -> list[str]:
    """A line per stage of a repository that has begun since then and has items left, the latest first."""
    times = {file: modified(file) for file in (layout.root / "progress").glob("*/*.json")}
    recent = sorted((file for file in times if times[file] >= since), key=lambda file: (-times[file], file))
    lines = []
    for file in recent:
        state = read_progress(file)
        if state is not None and state[1] < state[2]:
            lines.append(f"{file.parent.name} {file.stem.replace('+', '/')}: {state[1]} of {state[2]} {state[0]}")
    return lines[:SHOWN_STAGES]


def modified(file: Path) -> float:
    """When a file was written; long ago when it has just been replaced."""
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return 0.0
