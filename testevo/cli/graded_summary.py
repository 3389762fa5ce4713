"""What `testevo evaluate` leaves at the end: a summary table on stdout, and reports other tools read."""

from collections.abc import Sequence

from rich.console import Console

from testevo.analysis.main_tables import results_table
from testevo.analysis.metrics import summarise
from testevo.analysis.results import task_results
from testevo.analysis.run_folder import graded_tasks
from testevo.analysis.tables import to_markdown
from testevo.config.layout import Layout
from testevo.config.model import Config
from testevo.config.systems import systems_of
from testevo.records.tasks import Task, Track


def print_graded(config: Config, layout: Layout, tasks: Sequence[Task]) -> None:
    """Print a table per track, and where to look closer."""
    graded = graded_tasks(layout, systems_of(config.evaluation))
    summaries = summarise(task_results(graded, tasks))
    console = Console(width=max(140, Console().width), highlight=False)
    for track in Track:
        if any(one.track is track for one in summaries):
            console.print(to_markdown(results_table(summaries, track, "macro")), markup=False)


def write_reports(config: Config, layout: Layout, tasks: Sequence[Task]) -> None:
    """Write the reports per system."""
