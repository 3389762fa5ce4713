"""Driving the Snakemake workflow from the command line, with a live display."""

import os
import re
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from testevo.config.layout import Layout
from testevo.ground.errors import MachineError
from testevo.ground.jars import PROJECT
from testevo.ground.progress import read_progress

STEPS = re.compile(r"^(\d+) of (\d+) steps")
ERROR_LINES = 12


def run_workflow(config_file: Path, layout: Layout, *, cores: int, targets: Sequence[str] = ()) -> None:
    """Run `snakemake` on a configuration to its end, showing how far it is.

    Interrupting it leaves finished work in place; the same command resumes.

    Raises:
        MachineError: a job failed; the message ends with what its log says.
    """
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(PROJECT / "Snakefile"), "--cores", str(cores)]
    command += ["--rerun-incomplete", "--scheduler", "greedy", "--nocolor", "--configfile", str(config_file), "--"]
    lines: deque[str] = deque(maxlen=400)
    with subprocess.Popen(
        [*command, *targets], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    ) as child:
        try:
            show_progress(child, layout, lines)
        except BaseException:
            os.killpg(child.pid, signal.SIGTERM)
            raise
        status = child.wait()
    if status != 0:
        raise MachineError(failure(layout, lines))


def show_progress(child: "subprocess.Popen[bytes]", layout: Layout, lines: deque[str]) -> None:
    """Follow Snakemake's own step count, and the item counts that running stages leave behind."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TextColumn("steps"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=console.is_terminal) as progress:
        bar = progress.add_task("mining", total=None)
        for line in decoded(child):
            lines.append(line)
            steps = STEPS.match(line)
            if steps:
                progress.update(bar, completed=int(steps[1]), total=int(steps[2]), description=running(layout))
                if not console.is_terminal:
                    print(f"{steps[1]} of {steps[2]} steps", file=sys.stderr, flush=True)


def decoded(child: "subprocess.Popen[bytes]") -> Iterator[str]:
    if child.stdout is not None:
        for raw in child.stdout:
            yield raw.decode("utf-8", "replace").rstrip()


def running(layout: Layout) -> str:
    """The stage that wrote its progress last, in words."""
    files = sorted((layout.root / "progress").glob("*/*.json"), key=lambda file: file.stat().st_mtime_ns)
    if not files:
        return "mining"
    state = read_progress(files[-1])
    return f"{files[-1].parent.name} {files[-1].stem.replace('+', '/')}" + (f" {state[1]}/{state[2]}" if state else "")


def failure(layout: Layout, lines: deque[str]) -> str:
    """What the failed job's own log says; Snakemake's last lines when there is none."""
    logs = re.findall(r"^\s+log: (\S+)", "\n".join(lines), flags=re.MULTILINE)
    for log in reversed(logs):
        if Path(log).is_file() and Path(log).stat().st_size:
            tail = Path(log).read_text("utf-8", "replace").splitlines()[-ERROR_LINES:]
            return f"a job failed; its log {log} ends with:\n" + "\n".join(tail)
    return "the workflow failed:\n" + "\n".join(list(lines)[-ERROR_LINES:])
