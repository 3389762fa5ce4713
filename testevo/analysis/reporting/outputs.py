"""Contents of the files of the stage `aggregate`; without data a table has no rows and a figure says why."""

import json
from collections.abc import Iterable, Sequence

from testevo.analysis.output.file_names import AVERAGINGS, REPORT, TABLES_PAGE, output_files
from testevo.analysis.output.tables import Table, render
from testevo.analysis.reporting import figures
from testevo.analysis.reporting.audit_tables import (
    agreement_table,
    attempt_table,
    comparison_table,
    cutoff_table,
    dominance_table,
    impossible_table,
    influence_table,
    interval_table,
    item_table,
    reasons_table,
    suspect_table,
    unasserted_table,
    weakening_table,
    window_table,
)
from testevo.analysis.reporting.dataset_tables import codebase_table, half_year_table, size_table, tasks_by_half_year
from testevo.analysis.reporting.figures import Figure
from testevo.analysis.reporting.html_text import Section, data_table, document
from testevo.analysis.reporting.main_tables import (
    TITLES,
    cost_table,
    fields_table,
    mutation_table,
    quality_table,
    results_table,
)
from testevo.analysis.reporting.report import Report, report_document
from testevo.config.model import Analysis
from testevo.records.tasks import FunnelStage
from testevo.runtime.clock import utc_date


def all_tables(report: Report, settings: Analysis) -> list[Table]:
    compared = [one for one in report.summaries if one.system in report.compared]
    controls = [one for one in report.summaries if one.system in report.controls]
    tables = [
        size_table(report.tasks),
        codebase_table(report.tasks),
        half_year_table(tasks_by_half_year((task.track, utc_date(task.new_time)) for task in report.tasks)),
        fields_table(compared),
        mutation_table(report.mutation),
        cost_table(report.costs),
        dominance_table([(track, found) for track, one in report.tracks.items() for found in one.dominating]),
        agreement_table(report.groups),
        item_table(report.items),
        suspect_table(report.suspects),
        weakening_table(report.results),
        unasserted_table(report.results),
        reasons_table(report.results),
        impossible_table(report.impossible),
    ]
    for track, one in report.tracks.items():
        tables.append(interval_table(one.intervals, track))
        tables.append(attempt_table(one.attempts, track))
        tables.append(comparison_table(one.comparisons, track))
        tables.append(influence_table(one.without_each, track))
        tables.append(window_table(one.over_time, track, settings.least_methods))
        tables.append(cutoff_table(one.around_cutoffs, track, settings.least_methods))
        for averaging in AVERAGINGS:
            tables.append(results_table(compared, track, averaging))
            tables.append(results_table(controls, track, averaging, name="controls", title="Control submissions"))
            tables += [quality_table(compared, track, kind, averaging) for kind in ("coverage", "mutation_score")]
    return tables


def all_figures(report: Report, funnel: Sequence[FunnelStage], settings: Analysis) -> list[Figure]:
    compared = [result for result in report.results if result.system in report.compared]
    return [
        figures.tasks_per_half_year(tasks_by_half_year((task.track, utc_date(task.new_time)) for task in report.tasks)),
        figures.cost_distribution(compared, settings.caps),
        figures.funnel(funnel),
        *(
            figures.success_over_time(
                one.over_time, name=f"success_over_time_{track.value}", title=f"Success by half-year, {TITLES[track]}"
            )
            for track, one in report.tracks.items()
        ),
    ]


def tables_page(tables: Sequence[Table]) -> bytes:
    """All tables as one page, those with rows first; the others are named at its end."""
    sections = [Section(one.name, one.title, data_table(one)) for one in tables if one.rows]
    empty = [Section(one.name, one.title, data_table(one)) for one in tables if not one.rows]
    return document("Tables of the grading run", "", [*sections, *empty])


def aggregate_files(
    report: Report, funnel: Sequence[FunnelStage], settings: Analysis, second_opinion: Sequence[Table] | None = None
) -> dict[str, bytes]:
    """The content of every output file by relative name; equal records give equal bytes.

    Args:
        second_opinion: the tables of `testevo.analysis.statistics.second_opinions`; None where PIT was not asked.

    Raises:
        ValueError: a table or figure was built that is not declared, or the other way round.
    """
    numbers = json.dumps(report_document(report), indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    tables = [*all_tables(report, settings), *(second_opinion or ())]
    files = {REPORT: f"{numbers}\n".encode(), TABLES_PAGE: tables_page(tables)}
    files |= rendered(tables, all_figures(report, funnel, settings))
    return as_declared(files, output_files(second_opinion=second_opinion is not None))


def rendered(tables: Iterable[Table], charts: Iterable[Figure]) -> dict[str, bytes]:
    """Tables and figures in every format, by relative name."""
    files = {f"tables/{name}": content for table in tables for name, content in render(table).items()}
    return files | {f"figures/{name}": content for chart in charts for name, content in figures.render(chart).items()}


def as_declared(files: dict[str, bytes], names: Iterable[str]) -> dict[str, bytes]:
    """The files.

    Raises:
        ValueError: they are not those that the workflow expects.
    """
    if difference := files.keys() ^ set(names):
        raise ValueError(f"undeclared or missing outputs: {sorted(difference)}")
    return files
