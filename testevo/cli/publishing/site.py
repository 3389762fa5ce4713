"""`testevo site`: a snapshot, and what was graded on it, as a folder of pages that needs no server."""

import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from testevo.analysis.reporting.run_folder import recorded_systems
from testevo.cli.output import show
from testevo.cli.places import NEXT, DatasetOption, SnapshotOption, dataset_of_run, find_place, is_dataset
from testevo.config.layout import Layout
from testevo.config.model import CONTROLS
from testevo.config.resolved import read_resolved
from testevo.config.systems import systems_of
from testevo.grading.leaderboard.board import GRADES
from testevo.records.base import read_records
from testevo.records.evaluation.grading import GradedTask
from testevo.runtime.errors import UserError

START = "index.html"


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
    files = [file for one in graded or () for file in (sorted(one.glob(f"*/{GRADES}")) if one.is_dir() else [one])]
    more = [one for file in files for one in read_records(file, GradedTask)]
    said = write_site_of(place, output, more=more, released=released, before=before)
    show([said])
    if open_it:
        open_page(output / START)


def write_site_of(
    place: Layout | Path,
    output: Path,
    *,
    more: Sequence[GradedTask] = (),
    released: Path | None = None,
    before: Path | None = None,
) -> str:
    """Write the site of a snapshot, grading run or dataset; what was written, as a sentence."""
    from testevo.site.content import read_content
    from testevo.site.writing import write_site

    earlier = None if before is None else find_place(None, None, before)
    before = earlier.dataset if isinstance(earlier, Layout) else earlier
    if isinstance(place, Layout):
        config = read_resolved(place.config)
        source, settings = dataset_of_run(config, place), config.analysis
        graded = [*recorded_systems(place), *more]
        controls = tuple(name for name, file in systems_of(config.evaluation).items() if file is None) or CONTROLS
        imported = config.reproduction.released
        released = released or (None if imported is None else Path(imported))
        cost_cap = config.evaluation.cost_cap
    else:
        source, settings, graded, controls, cost_cap = place, None, list(more), CONTROLS, None
    if not is_dataset(source):
        raise UserError(f"{source} is not a dataset yet. {NEXT}")
    content = read_content(
        source, graded, controls=controls, settings=settings, cost_cap=cost_cap, released=released, before=before
    )
    files = write_site(output, content)
    return f"{output}: {len(content.tasks)} tasks, results of {len(content.systems)} systems, {files} files."


def open_page(page: Path) -> None:
    """Show a page of a site in the browser of this machine."""
    address = page.absolute().as_uri()
    if not webbrowser.open(address):
        show([f"No browser could be started. Open {address}"])
