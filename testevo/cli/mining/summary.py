"""The summary that `testevo mine` prints at the end: funnel, confusion matrix, tasks, where to look next."""

from pathlib import Path

from testevo.analysis.reporting.run_folder import funnel_of
from testevo.cli.mined_records import files_of, served_lines, why_few
from testevo.cli.mining.cutoff import cutoff_line
from testevo.cli.output import Line, columns, show
from testevo.config.model import Config
from testevo.config.snapshot.layout import Layout
from testevo.labels.reasons.paper_funnel import beside_paper
from testevo.records.base import read_records
from testevo.records.tasks import FunnelStage, Task

SHOWN_TASKS = 20


def print_summary(config: Config, layout: Layout, dataset: Path) -> None:
    """Print the end of a mining run to stdout."""
    files = sorted((layout.root / "package").glob("*/tasks.jsonl"))
    tasks = [task for file in files for task in read_records(file, Task)]
    matrix = dataset / "confusion.md"
    confusion = matrix.read_text(encoding="utf-8").splitlines() if matrix.is_file() else []
    show(
        [
            *funnel_lines(funnel_of(dataset)),
            *confusion,
            *task_lines(tasks),
            *served_lines(config, files_of(config, layout)),
            cutoff_line(config.rules.walk.cutoff, files_of(config, layout)),
            *why_few(config, layout),
            *next_lines(layout, dataset, tasks),
        ]
    )


def next_lines(layout: Layout, dataset: Path, tasks: list[Task]) -> list[str]:
    """How many tasks there are, and the commands that show more of them, or of what stopped them."""
    place = f"--snapshot {layout.root}"
    number = "1 task" if len(tasks) == 1 else f"{len(tasks)} tasks"
    found = f"{number} in {dataset} (datasheet.md says what is in it)."
    if tasks:
        return [found, f"Look closer: testevo task list {place}; testevo task show ID {place}"]
    return [found, f"Look closer: testevo builds {place}; testevo task list --dropped {place}"]


def funnel_lines(stages: list[FunnelStage]) -> list[Line]:
    rows = []
    for stage in stages:
        reasons = ", ".join(f"{part.reason} {part.count}" for part in stage.left if part.reason)
        rows.append((stage.stage, stage.unit, str(stage.entered), str(stage.went_on), reasons))
    lines = columns(("stage", "unit", "entered", "went on", "left, by reason"), rows, right=(2, 3))
    return [*lines, *paper_lines(stages)]


def paper_lines(stages: list[FunnelStage]) -> list[Line]:
    """The paper's counts of repositories beside ours, where there was a search as in the paper."""
    if not any(stage.stage == "search" for stage in stages):
        return []
    rows = [
        (one.what, str(one.paper), one.stage or "", "" if one.here is None else str(one.here))
        for one in beside_paper(stages)
    ]
    return columns(("repositories in the paper", "paper", "stage here", "here"), rows, right=(1, 3))


def task_lines(tasks: list[Task]) -> list[Line]:
    rows = [(task.track.value, str(len(task.tests)), task.task_id) for task in tasks[:SHOWN_TASKS]]
    if len(tasks) > SHOWN_TASKS:
        rows.append(("", "", f"... and {len(tasks) - SHOWN_TASKS} more"))
    return columns(("track", "tests", "task"), rows, right=(1,)) if rows else []
