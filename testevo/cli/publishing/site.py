"""`testevo site`: a snapshot, and what was graded on it, as a folder of pages that needs no server."""

from pathlib import Path
from typing import Annotated

import typer

from testevo.cli.inspecting.pages import START, content_of, open_page, write_pages
from testevo.cli.output import show
from testevo.cli.places import DatasetOption, SnapshotOption, find_place
from testevo.grading.leaderboard.board import GRADES
from testevo.records.base import read_records
from testevo.records.evaluation.grading import GradedTask
from testevo.runtime.errors import UserError


def site(
    folder: Annotated[
        Path | None, typer.Argument(help="Folder of a snapshot, of a grading run, or of a dataset.")
    ] = None,
    output: Annotated[Path, typer.Option("--output", help="The folder to write.")] = Path("site"),
    released: Annotated[
        Path | None, typer.Option("--released", help="Folder of the public leaderboard.json and index.json to import.")
    ] = None,
    before: Annotated[
        Path | None, typer.Option("--before", help="An earlier snapshot or dataset, to compare the tasks with.")
    ] = None,
    graded: Annotated[
        list[Path] | None,
        typer.Option("--graded", help="A file of graded tasks, or a folder of graded submissions; repeatable."),
    ] = None,
    open_it: Annotated[bool, typer.Option("--open", help="Show the first page in a browser.")] = False,
    snapshot: SnapshotOption = None,
    dataset: DatasetOption = None,
) -> None:
    """Write the static site: leaderboard, tasks with their evidence, systems, repositories, dropped candidates.

    testevo site results/demo --output site --open
    """
    place = find_place(snapshot, dataset, folder)
    files = [file for one in graded or () for file in files_of_grades(one)]
    more = [one for file in files for one in read_records(file, GradedTask)]
    show([write_pages(content_of(place, more=more, released=released, before=before), output)])
    if open_it:
        open_page(output / START)


def files_of_grades(place: Path) -> list[Path]:
    """The file, or those of each submission in a folder.

    Raises:
        UserError: the folder has none.
    """
    found = sorted(place.glob(f"*/{GRADES}")) if place.is_dir() else [place]
    if not found:
        raise UserError(f"{place} holds no graded submission (no */{GRADES}). Give --graded with another folder.")
    return found
