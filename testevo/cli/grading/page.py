"""`testevo page`: a snapshot, and what was graded on it, as one HTML file that needs nothing else."""

from pathlib import Path
from typing import Annotated

import typer

from testevo.analysis.reporting.run_folder import recorded_systems
from testevo.analysis.reporting.snapshot_page import read_content, snapshot_page
from testevo.cli.output import show
from testevo.cli.places import NEXT, DatasetOption, SnapshotOption, dataset_of_run, find_place, is_dataset
from testevo.config.layout import Layout
from testevo.config.resolved import read_resolved
from testevo.records.evaluation.grading import GradedTask
from testevo.runtime.errors import UserError
from testevo.runtime.files.files import write_atomically


def page(
    folder: Annotated[
        Path | None, typer.Argument(help="Folder of a snapshot, of a grading run, or of a dataset.")
    ] = None,
    output: Annotated[Path, typer.Option("--output", help="The file to write.")] = Path("page.html"),
    snapshot: SnapshotOption = None,
    dataset: DatasetOption = None,
) -> None:
    """Write one HTML page of a snapshot: funnel, tasks with their diffs, and results where something was graded.

    testevo page results/demo --output page.html
    """
    place = find_place(snapshot, dataset, folder)
    read_from, graded = results_of(place) if isinstance(place, Layout) else (place, [])
    if not is_dataset(read_from):
        raise UserError(f"{read_from} is not a dataset yet. {NEXT}")
    content = read_content(read_from, graded)
    write_atomically(output, snapshot_page(content))
    systems = len({one.system for one in content.graded})
    show([f"{output}: {len(content.tasks)} tasks, results of {systems} systems."])


def results_of(layout: Layout) -> tuple[Path, list[GradedTask]]:
    """The dataset of a snapshot or grading run, and what was graded on it."""
    return dataset_of_run(read_resolved(layout.config), layout), recorded_systems(layout)
