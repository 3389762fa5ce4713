"""The files of the stage `aggregate`: which tables and figures there are, and what is in each.

The names do not depend on the data, so that every file is a target of the workflow; without data a table has no rows
and a figure says why it is empty.
"""

import json
from collections.abc import Iterable, Sequence

from testevo.analysis import figures, second_opinions
from testevo.analysis.audit_tables import (
    agreement_table,
    comparison_table,
    dominance_table,
    influence_table,
    interval_table,
    item_table,
    reasons_table,
    suspect_table,
    window_table,
)
from testevo.analysis.dataset_tables import codebase_table, day_of, half_year_table, size_table, tasks_by_half_year
from testevo.analysis.figures import Figure
from testevo.analysis.main_tables import (
    TITLES,
    cost_table,
    fields_table,
    mutation_table,
    quality_table,
    results_table,
)
from testevo.analysis.report import Report, report_document
from testevo.analysis.tables import RENDERINGS, Table, render
from testevo.config.model import Analysis
from testevo.records.tasks import FunnelStage, Track

AVERAGINGS = ("macro", "micro")
REPORT = "report.json"
TRACK_TABLES = ("intervals", "comparisons", "without_each", "over_time")
TABLES = (
    "dataset", "codebase", "tasks_per_half_year", "leaderboard_fields", "mutation_statistics", "costs",
    "dominating_repositories", "agent_independent", "items", "suspects", "reasons",
    *(f"{name}_{track.value}" for name in TRACK_TABLES for track in Track),
    *(
        f"{name}_{track.value}_{averaging}"
        for name in ("results", "controls", "coverage", "mutation")
        for track in Track
        for averaging in AVERAGINGS
    ),
)  # fmt: skip
FIGURES = ("tasks_per_half_year", "cost_cdf", "funnel", *(f"success_over_time_{track.value}" for track in Track))


def table_files(names: Iterable[str] = TABLES) -> list[str]:
    """Relative names of all files of the given tables."""
    return [f"tables/{name}.{suffix}" for name in names for suffix in RENDERINGS]


def figure_files(names: Iterable[str] = FIGURES) -> list[str]:
    return [f"figures/{name}.{suffix}" for name in names for suffix in ("svg", "png")]


def output_files(*, second_opinion: bool = False) -> list[str]:
    """Every file of the stage, relative to its folder; some are there only where PIT was asked."""
    return [REPORT, *table_files(), *figure_files(), *(table_files(second_opinions.NAMES) if second_opinion else [])]


def all_tables(report: Report, settings: Analysis) -> list[Table]:
    compared = [one for one in report.summaries if one.system in report.compared]
    controls = [one for one in report.summaries if one.system in report.controls]
    tables = [
        size_table(report.tasks),
        codebase_table(report.tasks),
        half_year_table(tasks_by_half_year((task.track, day_of(task)) for task in report.tasks)),
        fields_table(compared),
        mutation_table(report.mutation),
        cost_table(report.costs),
        dominance_table([(track, found) for track, one in report.tracks.items() for found in one.dominating]),
        agreement_table(report.groups),
        item_table(report.items),
        suspect_table(report.suspects),
        reasons_table(report.results),
    ]
    for track, one in report.tracks.items():
        tables.append(interval_table(one.intervals, track))
        tables.append(comparison_table(one.comparisons, track))
        tables.append(influence_table(one.without_each, track, "Success"))
        tables.append(window_table(one.over_time, track, settings.least_methods))
        for averaging in AVERAGINGS:
            tables.append(results_table(compared, track, averaging))
            tables.append(results_table(controls, track, averaging, name="controls", title="Control submissions"))
            tables += [quality_table(compared, track, kind, averaging) for kind in ("coverage", "mutation_score")]
    return tables


def all_figures(report: Report, funnel: Sequence[FunnelStage], settings: Analysis) -> list[Figure]:
    compared = [result for result in report.results if result.system in report.compared]
    return [
        figures.tasks_per_half_year(tasks_by_half_year((task.track, day_of(task)) for task in report.tasks)),
        figures.cost_distribution(compared, settings.caps),
        figures.funnel(funnel),
        *(
            figures.success_over_time(
                one.over_time, name=f"success_over_time_{track.value}", title=f"Success by half-year, {TITLES[track]}"
            )
            for track, one in report.tracks.items()
        ),
    ]


def aggregate_files(
    report: Report, funnel: Sequence[FunnelStage], settings: Analysis, second_opinion: Sequence[Table] | None = None
) -> dict[str, bytes]:
    """The content of every output file by relative name; equal records give equal bytes.

    Args:
        second_opinion: the tables of `testevo.analysis.second_opinions`; None where PIT was not asked.

    Raises:
        ValueError: a table or figure was built that is not declared, or the other way round.
    """
    document = json.dumps(report_document(report), indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    files = {REPORT: f"{document}\n".encode()}
    for table in [*all_tables(report, settings), *(second_opinion or ())]:
        files |= {f"tables/{name}": content for name, content in render(table).items()}
    for figure in all_figures(report, funnel, settings):
        files |= {f"figures/{name}": content for name, content in figures.render(figure).items()}
    declared = set(output_files(second_opinion=second_opinion is not None))
    if set(files) != declared:
        raise ValueError(f"undeclared or missing outputs: {sorted(set(files) ^ declared)}")
    return files
