"""Where a command looks: the options `--snapshot` and `--dataset`, the same for all commands."""

from pathlib import Path
from typing import Annotated

import typer

from testevo.config.layout import Layout
from testevo.ground.errors import UsageError, UserError
from testevo.tasks.dataset_folder import DESCRIPTION

DEFAULT = Path("results/demo")

SnapshotOption = Annotated[
    Path | None, typer.Option("--snapshot", help=f"Folder of a mined snapshot; {DEFAULT} if absent.")
]
DatasetOption = Annotated[
    Path | None, typer.Option("--dataset", help="Folder of a dataset, in place of a snapshot.")
]


def is_snapshot(folder: Path) -> bool:
    return Layout(folder).config.is_file()


def is_dataset(folder: Path) -> bool:
    return (folder / DESCRIPTION).is_file()


def find_place(snapshot: Path | None, dataset: Path | None) -> Layout | Path:
    """The snapshot or the dataset that a command line names; either option takes either folder.

    Returns:
        The layout of a snapshot, or the folder of a dataset.

    Raises:
        UsageError: both are given.
        UserError: the folder is neither.
    """
    if snapshot is not None and dataset is not None:
        raise UsageError("--snapshot and --dataset name the same thing; give one of them.")
    folder = dataset or snapshot or DEFAULT
    if is_dataset(folder):
        return folder
    if is_snapshot(folder):
        return Layout(folder)
    raise UserError(f"{folder} is no snapshot (it has no config.json) and no dataset (it has no {DESCRIPTION}). {NEXT}")


NEXT = (
    f"Give --snapshot with a folder that `testevo mine` wrote, such as {DEFAULT}, "
    f"or --dataset with its package/dataset or a copy of that."
)


def find_snapshot(snapshot: Path | None, dataset: Path | None = None) -> Layout:
    """The snapshot that a command line names.

    Raises:
        UserError: it names none; a dataset alone does not hold what the command shows.
    """
    place = find_place(snapshot, dataset)
    if isinstance(place, Layout):
        return place
    raise UserError(f"{place} is a dataset, which does not hold this. Give --snapshot with the folder it is from.")


def find_dataset(snapshot: Path | None, dataset: Path | None) -> Path:
    """The dataset that a command line names: its own folder, or that of a packaged snapshot.

    Raises:
        UserError: it names none, or a snapshot that is not packaged yet.
    """
    place = find_place(snapshot, dataset)
    folder = place.dataset if isinstance(place, Layout) else place
    if not is_dataset(folder):
        raise UserError(f"{folder.parent.parent} has no dataset yet. Let `testevo mine` come to its end first.")
    return folder
