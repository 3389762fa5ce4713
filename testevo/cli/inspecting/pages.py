"""The pages of a snapshot, grading run or dataset, for the commands that show them in a browser."""

import webbrowser
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from testevo.analysis.reporting.run_folder import recorded_systems
from testevo.analysis.statistics.attempts import first_attempts
from testevo.cli.output import show
from testevo.cli.places import dataset_of_run, find_place, packaged
from testevo.config.resolved import read_resolved
from testevo.config.snapshot.layout import Layout
from testevo.config.systems import graded_controls
from testevo.records.evaluation.grading import GradedTask
from testevo.site.content import SiteContent, read_content

START = "index.html"


def content_of(
    place: Layout | Path, *, more: Sequence[GradedTask] = (), released: Path | None = None, before: Path | None = None
) -> SiteContent:
    """What the site of a place shows.

    Args:
        place: a snapshot or grading run, or the folder of a dataset.
        more: graded tasks beside those of the place.
        released: folder of the public leaderboard; else the configured one.
        before: an earlier snapshot or dataset.

    Raises:
        UserError: there is no dataset yet.
    """
    earlier = None if before is None else find_place(None, None, before)
    before = earlier.dataset if isinstance(earlier, Layout) else earlier
    if not isinstance(place, Layout):
        return read_content(packaged(place), more, released=released, before=before)
    config = read_resolved(place.config)
    imported = config.reproduction.released
    return read_content(
        packaged(dataset_of_run(config, place)),
        [*recorded_systems(place), *more],
        controls=graded_controls(config.evaluation),
        settings=config.analysis,
        cost_cap=config.evaluation.cost_cap,
        released=released or (None if imported is None else Path(imported)),
        before=before,
    )


def part_of(content: SiteContent, graded: Sequence[GradedTask]) -> SiteContent:
    """The same with some results alone, and with the tasks that they are of."""
    kept = {(one.task_id, one.track) for one in graded}
    tasks = [task for task in content.tasks if (task.task_id, task.track) in kept]
    return replace(content, graded=first_attempts(graded, content.controls), tasks=tasks)


def write_pages(content: SiteContent, folder: Path) -> str:
    """Write the site; what was written, as a sentence."""
    from testevo.site.writing import write_site

    files = write_site(folder, content)
    return f"{folder}: {len(content.tasks)} tasks, results of {len(content.systems)} systems, {files} files."


def open_page(page: Path) -> None:
    """Show a page of a site in the browser of this machine."""
    address = page.absolute().as_uri()
    if not webbrowser.open(address):
        show([f"No browser could be started. Open {address}"])
