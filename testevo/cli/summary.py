"""What `testevo mine` prints at the end: funnel, confusion matrix, tasks, where to look next."""

import json
from pathlib import Path

from rich.console import Console
from rich.table import Table

from testevo.config.layout import Layout
from testevo.records.base import read_records
from testevo.records.tasks import FunnelStage, Task

SHOWN_TASKS = 20


def print_summary(layout: Layout, dataset: Path) -> None:
    """Print the end of a mining run to stdout."""
    console = Console(width=max(110, Console().width))
    files = sorted((layout.root / "package").glob("*/tasks.jsonl"))
    tasks = [task for file in files for task in read_records(file, Task)]
    console.print(funnel_table(read_funnel(dataset)))
    matrix = dataset / "confusion.md"
    if matrix.is_file():
        console.print(matrix.read_text(encoding="utf-8"), markup=False)
    console.print(task_table(tasks))
    console.print(
        f"{len(tasks)} tasks in {dataset} (datasheet.md says what is in it).\n"
        f"Look closer: testevo task list --snapshot {layout.root}; testevo task show ID --snapshot {layout.root}",
        markup=False,
        highlight=False,
    )


def read_funnel(dataset: Path) -> list[FunnelStage]:
    stages = json.loads((dataset / "funnel.json").read_bytes())
    return [FunnelStage.model_validate(stage) for stage in stages]


def funnel_table(stages: list[FunnelStage]) -> Table:
    table = Table("stage", "unit", "entered", "went on", "left, by reason", box=None, pad_edge=False)
    for stage in stages:
        onward = sum(part.count for part in stage.left if part.reason == "")
        reasons = ", ".join(f"{part.reason} {part.count}" for part in stage.left if part.reason)
        table.add_row(stage.stage, stage.unit, str(stage.entered), str(onward), reasons)
    return table


def task_table(tasks: list[Task]) -> Table:
    table = Table("track", "tests", "task", box=None, pad_edge=False)
    for task in tasks[:SHOWN_TASKS]:
        table.add_row(task.track.value, str(len(task.tests)), task.task_id)
    if len(tasks) > SHOWN_TASKS:
        table.add_row("", "", f"... and {len(tasks) - SHOWN_TASKS} more")
    return table
