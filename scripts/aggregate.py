"""aggregate: all graded tasks of a run as tables, figures and `report.json` (TEB-R01 to R08).

Reads every system's `GradedTask` records and the dataset. Results that cannot be are listed and count for nothing.
"""

from collections.abc import Sequence
from pathlib import Path

from testevo.analysis.reporting.outputs import aggregate_files
from testevo.analysis.reporting.report import build_report
from testevo.analysis.reporting.run_folder import funnel_of, graded_tasks, not_graded_once, opinions
from testevo.analysis.statistics.attempts import first_attempts
from testevo.analysis.statistics.second_opinions import opinion_tables
from testevo.config.resolved import read_resolved
from testevo.config.snapshot.layout import Layout
from testevo.config.systems import systems_of
from testevo.grading.dataset.voided_results import void_impossible
from testevo.grading.submissions.selection import selected
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.runtime.errors import NotPublishableError
from testevo.runtime.files.files import write_atomically
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.job import snapshot_parser

SHOWN_OUTCOMES = 20


def main() -> None:
    parser = snapshot_parser(__doc__)
    parser.add_argument("--dataset", type=Path, required=True, help="checksums of the dataset, which lie in its folder")
    parser.add_argument("--report", type=Path, required=True, help="is written beside the tables and figures")
    options = parser.parse_args()
    config = read_resolved(options.config)
    layout, folder = Layout.of(config), options.dataset.parent
    dataset, systems = open_dataset(folder), systems_of(config.evaluation)
    tasks = selected(dataset.tasks, config.evaluation)
    graded = graded_tasks(layout, systems)
    require_none(not_graded_once(graded, tasks, systems), "results are missing or there twice")
    results = void_impossible(dataset, graded, tasks)
    if config.analysis.strict:
        require_none(list(map(str, results.impossible)), "outcomes cannot be, and analysis.strict is set")
    graded = results.graded

    controls = [name for name, file in systems.items() if file is None]
    report = build_report(
        graded,
        tasks,
        config.analysis,
        controls=controls,
        cost_cap=config.evaluation.cost_cap,
        impossible=results.impossible,
    )
    asked = None
    if config.evaluation.asks_pit:
        asked = opinion_tables(first_attempts(graded, controls), opinions(layout, systems))
    for name, content in aggregate_files(report, funnel_of(folder), config.analysis, asked).items():
        write_atomically(options.report.parent / name, content)


def require_none(found: Sequence[str], what: str) -> None:
    """Refuse to average results that are not whole, or contradict themselves or the dataset."""
    if found:
        shown = "\n".join(f"  {one}" for one in found[:SHOWN_OUTCOMES])
        more = f"\n  and {len(found) - SHOWN_OUTCOMES} more" if len(found) > SHOWN_OUTCOMES else ""
        raise NotPublishableError(
            f"{len(found)} {what}, so nothing is averaged:\n{shown}{more}\n"
            f"They point at the harness, not at the systems. Remove the files of `evaluate` that hold them, run again, "
            f"and report them if they come back."
        )


if __name__ == "__main__":
    run_main(main)
