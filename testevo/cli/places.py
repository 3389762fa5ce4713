"""The options `--snapshot` and `--dataset`, the same for all commands, and the folders they resolve to."""

from pathlib import Path
from typing import Annotated

import typer

from testevo.config.model import Config
from testevo.config.resolved import read_resolved
from testevo.config.snapshot.layout import Layout
from testevo.packaging.dataset.dataset_folder import DESCRIPTION
from testevo.runtime.errors import UsageError, UserError

DEFAULT = Path("results/demo")

SnapshotOption = Annotated[
    Path | None, typer.Option("--snapshot", help=f"Folder of a mined snapshot; {DEFAULT} if absent.")
]
DatasetOption = Annotated[Path | None, typer.Option("--dataset", help="Folder of a dataset, in place of a snapshot.")]
NEXT = (
    f"Give --snapshot with a folder that `testevo mine` wrote, such as {DEFAULT}, "
    f"or --dataset with its package/dataset or a copy of that."
)


def is_snapshot(folder: Path) -> bool:
    return Layout(folder).config.is_file()


def is_dataset(folder: Path) -> bool:
    return (folder / DESCRIPTION).is_file()


def packaged(folder: Path) -> Path:
    """The folder of a dataset.

    Raises:
        UserError: nothing is packaged there yet.
    """
    if not is_dataset(folder):
        raise UserError(f"{folder} is not a dataset yet. {NEXT}")
    return folder


def find_place(snapshot: Path | None, dataset: Path | None, folder: Path | None = None) -> Layout | Path:
    """The snapshot or the dataset that a command line names; either option takes either folder.

    Args:
        snapshot: the option `--snapshot`.
        dataset: the option `--dataset`.
        folder: the argument, where a command has one.

    Returns:
        The layout of a snapshot, or the folder of a dataset.

    Raises:
        UsageError: more than one is given.
        UserError: the folder is neither.
    """
    place = one_of(snapshot, dataset, folder) or DEFAULT
    if is_dataset(place):
        return place
    if is_snapshot(place):
        return Layout(place)
    raise UserError(
        f"{place} is neither a dataset (it has no {DESCRIPTION}) nor a snapshot (it has no config.json). {NEXT}"
    )


def one_of(*places: Path | None) -> Path | None:
    """The one place that is given, if any.

    Raises:
        UsageError: there are several.
    """
    given = [place for place in places if place is not None]
    if len(given) > 1:
        raise UsageError(f"Give one place, not {len(given)}: --snapshot and --dataset take the same folders.")
    return given[0] if given else None


def find_snapshot(snapshot: Path | None, dataset: Path | None = None, folder: Path | None = None) -> Layout:
    """The snapshot that a command line names.

    Raises:
        UserError: it names none; a dataset alone does not hold what the command reads.
    """
    place = find_place(snapshot, dataset, folder)
    if isinstance(place, Layout):
        return place
    raise UserError(f"{place} is a dataset, and this is read from a snapshot. Give the folder that it was mined into.")


def find_dataset(snapshot: Path | None, dataset: Path | None) -> Path:
    """The dataset that a command line names: its own folder, that of a packaged snapshot, or that of a grading run.

    Raises:
        UserError: it names none, a snapshot that is not packaged yet, or a run whose dataset is gone.
    """
    place = find_place(snapshot, dataset)
    if not isinstance(place, Layout):
        return place
    folder = dataset_of_run(read_resolved(place.config), place)
    if is_dataset(folder):
        return folder
    if folder == place.dataset:
        raise UserError(f"{place.root} has no dataset yet. Let `testevo mine` come to its end first.")
    raise UserError(f"The dataset {folder}, which {place.root} was graded with, is not there. Give --dataset FOLDER.")


def require_dataset(snapshot: Path | None, dataset: Path | None) -> Path:
    """The same for what takes long or writes: nothing is graded that nobody named.

    Raises:
        UsageError: no place is given.
        UserError: it is none.
    """
    if one_of(snapshot, dataset) is None:
        raise UsageError(f"give --dataset FOLDER, or --snapshot with a mined folder such as {DEFAULT}.")
    return find_dataset(snapshot, dataset)


def dataset_of_run(config: Config, layout: Layout) -> Path:
    """The dataset that a grading run was made with: its own, or one from elsewhere.

    A relative path is one from where the run was started, which is here or a folder above the run; `evaluation.dataset`
    as it stands when it is in none of them.
    """
    if config.evaluation.dataset is None:
        return layout.dataset
    named = Path(config.evaluation.dataset)
    found = (base / named for base in (Path(), *layout.root.absolute().parents))
    return next((folder for folder in found if is_dataset(folder)), named)
