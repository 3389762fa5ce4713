"""The tables that say how far the numbers can be trusted: intervals, comparisons, audit, reasons."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from testevo.analysis.reporting.main_tables import TITLES
from testevo.analysis.statistics.audit import Bounds, Dominance, Group, Influence, Item, Suspect
from testevo.analysis.statistics.comparison import Comparison
from testevo.analysis.statistics.intervals import Interval
from testevo.analysis.statistics.results import TaskResult
from testevo.analysis.statistics.tables import Cell, Column, Table
from testevo.analysis.statistics.windows import WindowPoint
from testevo.records.tasks import Track


@dataclass(frozen=True)
class NamedInterval:
    """An interval with what it is of."""

    system: str
    weighting: str
    """`tasks`, `repositories`, or `at most n per repository`."""
    cluster: str
    interval: Interval


def interval_table(rows: Sequence[NamedInterval], track: Track) -> Table:
    return Table(
        name=f"intervals_{track.value}",
        title=f"Intervals of Success, {TITLES[track]} (macro averages)",
        columns=(
            Column("System"),
            Column("Weights"),
            Column("Clusters"),
            Column("Number", "count"),
            Column("Success", "percent"),
            Column("Low", "percent"),
            Column("High", "percent"),
            Column("Detectable", "percent"),
            Column("Method"),
        ),
        rows=tuple(
            (
                row.system,
                row.weighting,
                row.cluster,
                row.interval.clusters,
                row.interval.estimate,
                row.interval.low,
                row.interval.high,
                row.interval.detectable,
                row.interval.method,
            )
            for row in rows
        ),
        notes=(
            "Low and High: 95 % unless configured otherwise; whole clusters are resampled. Detectable: the smallest "
            "difference from a fixed value that is found with 80 % probability.",
        ),
    )


def comparison_table(rows: Sequence[Comparison], track: Track) -> Table:
    return Table(
        name=f"comparisons_{track.value}",
        title=f"Systems compared on the same tasks, Success, {TITLES[track]} (macro)",
        columns=(
            Column("First"),
            Column("Second"),
            Column("Tasks", "count"),
            Column("Clusters", "count"),
            Column("First - second", "points"),
            Column("Low", "points"),
            Column("High", "points"),
            Column("p", "number", digits=4),
            Column("Exact"),
        ),
        rows=tuple(
            (
                one.first,
                one.second,
                one.difference.tasks,
                one.difference.clusters,
                one.difference.estimate,
                one.difference.low,
                one.difference.high,
                one.p_value,
                "yes" if one.exact else "sampled",
            )
            for one in rows
        ),
        notes=(
            "p: two-sided sign-flip test with whole repositories flipped; a dash when no repository differs. "
            "Not corrected for the number of comparisons.",
        ),
    )


def influence_table(rows: Iterable[Influence], track: Track, key_title: str, *, name: str = "without_each") -> Table:
    return Table(
        name=f"{name}_{track.value}",
        title=f"{key_title} with and without each repository, {TITLES[track]} (macro)",
        columns=(
            Column("System"),
            Column("Repository"),
            Column("Tasks", "count"),
            Column("of all tasks", "percent"),
            Column("With it", "percent"),
            Column("Without it", "percent"),
            Column("Difference", "points", digits=2),
        ),
        rows=tuple(
            (
                one.system,
                one.repository,
                one.tasks,
                one.task_share,
                one.with_it,
                one.without_it,
                None if one.with_it is None or one.without_it is None else one.without_it - one.with_it,
            )
            for one in rows
        ),
    )


def dominance_table(found: Sequence[tuple[Track, Dominance]]) -> Table:
    """Repositories that hold most of a failure rate, with every system's rate with and without them."""
    rows: list[tuple[Cell, ...]] = []
    for track, one in found:
        for part in one.by_system:
            rows.append(
                (
                    track.value,
                    one.key,
                    one.repository,
                    one.tasks,
                    one.task_share,
                    one.rate_share,
                    one.rate_inside,
                    part.system,
                    part.with_it,
                    part.without_it,
                )
            )
    return Table(
        name="dominating_repositories",
        title="Repositories that dominate a failure rate (macro)",
        columns=(
            Column("Track"),
            Column("Rate"),
            Column("Repository"),
            Column("Tasks", "count"),
            Column("of all tasks", "percent"),
            Column("of the rate", "percent"),
            Column("Rate inside", "percent"),
            Column("System"),
            Column("With it", "percent"),
            Column("Without it", "percent"),
        ),
        rows=tuple(rows),
        notes=(
            "Found by itself: the repository holds at least half of a rate, summed over systems, and at least 1.5 "
            "times its share of the tasks.",
        ),
    )


def agreement_table(groups: Sequence[tuple[Track, str, Group]]) -> Table:
    return Table(
        name="agent_independent",
        title="Tasks that all systems fail or pass",
        columns=(
            Column("Track"),
            Column("By"),
            Column("Name"),
            Column("Tasks", "count"),
            Column("All fail", "count"),
            Column("All pass", "count"),
            Column("Success", "percent"),
        ),
        rows=tuple(
            (track.value, by, one.name, one.tasks, one.all_fail, one.all_pass, one.success) for track, by, one in groups
        ),
        notes=("Only tasks graded for every system of the track. Success: mean over systems and tasks.",),
    )


def bounds_table(found: Sequence[Bounds]) -> Table:
    return Table(
        name="agent_independent",
        title="Tasks that all systems fail or pass: what rows without task ids prove",
        columns=(
            Column("Track"),
            Column("Repository"),
            Column("Tasks", "count"),
            Column("All fail, at least", "count"),
            Column("at most", "count"),
            Column("All pass, at least", "count"),
            Column("at most", "count"),
        ),
        rows=tuple(
            (
                one.track.value,
                one.repository,
                one.tasks,
                one.fail_at_least,
                one.fail_at_most,
                one.pass_at_least,
                one.pass_at_most,
            )
            for one in found
        ),
        notes=("Sharp bounds per day of a repository, added up.",),
    )


def item_table(found: Sequence[Item]) -> Table:
    return Table(
        name="items",
        title="Item analysis",
        columns=(
            Column("Track"),
            Column("Task"),
            Column("Repository"),
            Column("Month"),
            Column("Systems", "count"),
            Column("Success", "percent"),
            Column("Pass", "count"),
            Column("Fail", "count"),
            Column("Discrimination", "number", digits=2),
        ),
        rows=tuple(
            (
                one.track.value,
                one.task_id,
                one.repository,
                one.month,
                one.systems,
                one.success,
                one.passing,
                one.failing,
                one.discrimination,
            )
            for one in found
        ),
        notes=(
            "Discrimination: correlation over systems between success here and success on the tasks of all other "
            "repositories; a dash with fewer than three systems or without variation.",
        ),
    )


def suspect_table(found: Sequence[Suspect]) -> Table:
    return Table(
        name="suspects",
        title="Tasks to look at before a failure is held against a system",
        columns=(Column("Track"), Column("Task"), Column("Repository"), Column("Reasons")),
        rows=tuple((one.track.value, one.task_id, one.repository, "; ".join(one.reasons)) for one in found),
    )


def window_table(points: Sequence[WindowPoint], track: Track, least: int) -> Table:
    """Figure 4 as numbers."""
    return Table(
        name=f"over_time_{track.value}",
        title=f"Success by half-year, {TITLES[track]} (macro)",
        columns=(
            Column("System"),
            Column("Window"),
            Column("Tasks", "count"),
            Column("Methods", "count"),
            Column("Repositories", "count"),
            Column("Success", "percent"),
        ),
        rows=tuple((one.system, one.window, one.tasks, one.methods, one.repositories, one.value) for one in points),
        notes=(f"A dash: fewer than {least} methods, not shown to suppress noise of small samples.",),
    )


def reasons_table(results: Sequence[TaskResult]) -> Table:
    """Every graded task of every system, with its grades and why."""
    return Table(
        name="reasons",
        title="Every task and why",
        columns=(
            Column("System"),
            Column("Task"),
            Column("Track"),
            Column("Success", "percent"),
            Column("Grades"),
            Column("In aggregates"),
            Column("Reasons"),
        ),
        rows=tuple(
            (
                one.system,
                one.task_id,
                one.track.value,
                one.values.get("success"),
                ", ".join(grade.value for grade in one.grades),
                one.excluded or "yes",
                "; ".join(one.reasons),
            )
            for one in results
        ),
    )
