"""`testevo publish`: a dataset in forms that other tools load."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from testevo.cli.output import show
from testevo.cli.places import DatasetOption, SnapshotOption, find_place, packaged
from testevo.config.snapshot.layout import Layout
from testevo.packaging.dataset.dataset_folder import open_dataset


def publish(
    output: Annotated[Path, typer.Option("--output", help="The folder to write; new, or published before.")],
    folder: Annotated[Path | None, typer.Argument(help="Folder of a snapshot or of a dataset.")] = None,
    after: Annotated[
        list[datetime] | None,
        typer.Option("--after", formats=["%Y-%m-%d"], help="Name a subset of tasks of this day and later; repeatable."),
    ] = None,
    snapshot: SnapshotOption = None,
    dataset: DatasetOption = None,
) -> None:
    """Write a dataset as JSON lines and Parquet, with a dataset card, Croissant metadata and named subsets.

    testevo publish results/demo --output published
    """
    from testevo.packaging.publication.published_folder import publish as write_folder

    place = find_place(snapshot, dataset, folder)
    opened = open_dataset(packaged(place.dataset if isinstance(place, Layout) else place))
    files = write_folder(opened, output, [moment.date() for moment in after or ()])
    show([f"{output}: {len(opened.tasks)} tasks in {len(files)} files. README.md says how to load them."])
