"""The files of the target `reproduce_tables`."""

import json
from collections.abc import Sequence
from pathlib import Path

from testevo.analysis.output.file_names import DIFFERENCES, READING, reproduction_names
from testevo.analysis.output.tables import Column, Table, table_of
from testevo.analysis.paper.reading import reading
from testevo.analysis.paper.released import Released, join_report, read_released
from testevo.analysis.paper.released_tasks import read_tasks
from testevo.analysis.paper.reproduction import (
    ComparedCell,
    difference_table,
    dominating,
    printed_values,
    rebuilt_table_3,
    table_1,
    table_3,
    table_5,
    tables_6_to_9,
    without_table,
)
from testevo.analysis.reporting import figures
from testevo.analysis.reporting.audit_tables import (
    bounds_table,
    comparison_table,
    dominance_table,
    influence_table,
    interval_table,
    window_table,
)
from testevo.analysis.reporting.dataset_tables import half_year_table, tasks_by_half_year
from testevo.analysis.reporting.figures import Figure
from testevo.analysis.reporting.main_tables import TITLES, keys_for
from testevo.analysis.reporting.outputs import as_declared, rendered
from testevo.analysis.reporting.report import JUDGED, named_intervals, plain, power_notes
from testevo.analysis.statistics.audit import agreement_bounds, influences
from testevo.analysis.statistics.comparison import compare_all
from testevo.analysis.statistics.windows import over_time
from testevo.config.model import Analysis
from testevo.records.tasks import Track


def reproduction_files(folder: Path, settings: Analysis) -> dict[str, bytes]:
    """The content of every file by relative name.

    Args:
        folder: with `leaderboard.json` and `index.json`, better also with `repos/`.

    Raises:
        UserError: the files are missing, malformed, or do not belong together.
    """
    released = read_released(folder)
    tasks = read_tasks(folder, len(released.tasks))
    printed = printed_values()
    wide = "Wide columns of Tables 6 to 9 beside the printed ones"
    compared = [
        ("table_1", "Table 1 beside the printed one", table_1(released, tasks, printed)),
        ("table_3_differences", "Table 3 beside the printed one", table_3(released, printed)),
        ("table_5", "Table 5 beside the printed one", table_5(released, tasks, printed)),
        ("tables_6_to_9", wide, tables_6_to_9(released, printed)),
    ]
    files = {
        DIFFERENCES: differences_document([cell for _, _, cells in compared for cell in cells]),
        READING: reading(released, settings).encode(),
    }
    tables = [difference_table(cells, name, title) for name, title, cells in compared]
    tables += other_tables(released, settings)
    return as_declared(files | rendered(tables, all_figures(released, settings)), reproduction_names())


def differences_document(cells: Sequence[ComparedCell]) -> bytes:
    rows = [{**plain(cell), "difference": plain(cell.difference)} for cell in cells]
    return (json.dumps(rows, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def other_tables(released: Released, settings: Analysis) -> list[Table]:
    found = dominating(released)
    tables = [
        half_year_table(tasks_by_half_year((task.track, task.day) for task in released.tasks)),
        join_table(released),
        dominance_table(found),
        without_table(released, found),
        power_table(released, settings),
        bounds_table([one for track in Track for one in agreement_bounds(released.results[track])]),
    ]
    for track in Track:
        results, systems = released.results[track], released.systems[track]
        points = over_time(results, methods_in=released.methods_in(track), settings=settings)
        tables += [
            rebuilt_table_3(released, track),
            interval_table(named_intervals(results, systems, settings), track),
            comparison_table(compare_all(results, keys_for(JUDGED, track), systems, settings), track),
            influence_table(influences(results, "success"), track),
            window_table(points, track, settings.least_methods),
        ]
    return tables


def join_table(released: Released) -> Table:
    """How far rows could be given a repository, and a task."""
    return table_of(
        "join",
        "Leaderboard rows and the index",
        [(track, join_report(released, track)) for track in Track],
        (
            (Column("Track"), lambda row: row[0].value),
            (Column("Rows of a system", "count"), lambda row: row[1]["rows"]),
            (Column("Repository known", "count"), lambda row: row[1]["repository_known"]),
            (Column("Day shared by repositories", "count"), lambda row: row[1]["shared_day"]),
            (Column("Task known", "count"), lambda row: row[1]["task_known"]),
        ),
        notes=(
            "The dates of every system's rows are, as a multiset, those of the index. Rows of a day that several "
            "repositories share are kept together under all their names. Pairs in intervals are days of a repository.",
        ),
    )


def power_table(released: Released, settings: Analysis) -> Table:
    """The differences that recent windows can show: all tasks, and those from 2025 on."""
    rows = []
    for track in Track:
        results, systems = released.results[track], released.systems[track]
        recent = [result for result in results if result.day.year >= 2025]
        rows += [(track.value, "all", note) for note in power_notes(results, systems, settings)]
        rows += [(track.value, "from 2025", note) for note in power_notes(recent, systems, settings)]
    return Table("power", "What a window can show", (Column("Track"), Column("Window"), Column("Note")), tuple(rows))


def all_figures(released: Released, settings: Analysis) -> list[Figure]:
    counts = tasks_by_half_year((task.track, task.day) for task in released.tasks)
    charts = [figures.tasks_per_half_year(counts, name="figure_2")]
    heavy = {track: one.repository for track, one in dominating(released) if one.key == "exec_fail"}
    for track in Track:
        for kind, without in (("", None), ("_without_dominating", heavy.get(track))):
            chosen = [result for result in released.results[track] if result.repository != without]
            points = over_time(chosen, methods_in=released.methods_in(track, without=without), settings=settings)
            title = f"Success by half-year, {TITLES[track]}" + (f", without {without}" if without else "")
            charts.append(figures.success_over_time(points, name=f"figure_4_{track.value}{kind}", title=title))
    return charts
