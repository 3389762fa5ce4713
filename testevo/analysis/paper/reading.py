"""The released leaderboard read: which systems differ, how they do over time, and the days to doubt (TEB-R04)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from testevo.analysis.output.tables import Column, Table, table_of, to_markdown
from testevo.analysis.paper.released import Released
from testevo.analysis.reporting.main_tables import TITLES
from testevo.analysis.statistics.comparison import Comparison, holm, pairs_of
from testevo.analysis.statistics.glossary import BY_KEY, FAILURE_RATES
from testevo.analysis.statistics.results import TaskResult, included
from testevo.analysis.statistics.windows import WindowPoint, over_time
from testevo.config.model import Analysis
from testevo.records.tasks import Track

RECENT = "2024"
"""Windows are read from here on."""
LISTED = 12
"""Days that are listed; the sentence above them counts all."""


@dataclass(frozen=True)
class DoubtfulDay:
    """A day on which no row of any system has any success: its tasks are the same for all, whichever row is whose."""

    track: Track
    day: date
    repository: str
    tasks: int
    failures: Mapping[str, float]
    """Mean rate by kind of failure, over all systems and rows."""

    @property
    def told(self) -> str:
        """`ExecFail 100 %`, the largest first."""
        ordered = sorted(self.failures.items(), key=lambda one: (-round(one[1], 9), one[0]))
        return ", ".join(f"{BY_KEY[key].title} {100 * rate:.0f} %" for key, rate in ordered if rate >= 0.005)


def doubtful_days(results: Sequence[TaskResult]) -> list[DoubtfulDay]:
    """The days without any success, those of most tasks first. Results of one track and several systems."""
    by_day: dict[tuple[date, str], list[TaskResult]] = defaultdict(list)
    for result in included(results):
        by_day[result.day, result.repository].append(result)
    systems = {result.system for result in included(results)}
    found = [
        DoubtfulDay(
            track=rows[0].track,
            day=day,
            repository=repository,
            tasks=len({row.task_id for row in rows}),
            failures={key: sum(row.values.get(key) or 0.0 for row in rows) / len(rows) for key in FAILURE_RATES},
        )
        for (day, repository), rows in by_day.items()
        if not any(row.values["success"] for row in rows) and {row.system for row in rows} == systems
    ]
    return sorted(found, key=lambda one: (-one.tasks, one.day, one.repository))


def reading(released: Released, settings: Analysis) -> str:
    """The reading as Markdown, of both tracks."""
    parts = []
    for track in Track:
        results, systems = released.results[track], released.systems[track]
        pairs = holm(pairs_of(results, "success", systems, settings))
        points = over_time(results, methods_in=released.methods_in(track), settings=settings)
        days = doubtful_days(results)
        parts += [to_markdown(pair_table(pairs, track)), to_markdown(recent_table(points, systems, track))]
        tasks = sum(one.tasks for one in days)
        parts += [f"On {len(days)} days of {TITLES[track]}, with {tasks} tasks, no system has any success.", ""]
        parts += [to_markdown(day_table(days[:LISTED], track))]
    return "\n".join(parts).rstrip() + "\n"


def pair_table(pairs: Sequence[Comparison], track: Track) -> Table:
    return table_of(
        f"pairs_{track.value}",
        f"Success of every two systems on the same tasks, {TITLES[track]}",
        pairs,
        (
            (Column("First"), lambda one: one.first),
            (Column("Second"), lambda one: one.second),
            (Column("First - second", "points"), lambda one: one.difference.estimate),
            (Column("Low", "points"), lambda one: one.difference.low),
            (Column("High", "points"), lambda one: one.difference.high),
            (Column("p, Holm", "number", digits=3), lambda one: one.corrected),
        ),
        notes=("In points, with 95 % intervals, repositories as clusters; p of a sign-flip test by repository.",),
    )


def recent_table(points: Sequence[WindowPoint], systems: Sequence[str], track: Track) -> Table:
    """Success by half-year of the new revision, a row for each window."""
    cells = {(one.window, one.system): one for one in points if one.window >= RECENT and one.window[0].isdigit()}
    windows = sorted({window for window, _ in cells})

    def value(window: str, system: str) -> float | None:
        return cells[window, system].value if (window, system) in cells else None

    return Table(
        name=f"recent_{track.value}",
        title=f"Success by half-year, {TITLES[track]}",
        columns=(
            Column("Half-year"),
            Column("Tasks", "count"),
            Column("Repositories", "count"),
            *(Column(system, "percent") for system in systems),
        ),
        rows=tuple(
            (
                window,
                max(one.tasks for (own, _), one in cells.items() if own == window),
                max(one.repositories for (own, _), one in cells.items() if own == window),
                *(value(window, system) for system in systems),
            )
            for window in windows
        ),
        notes=("Macro averages; a dash is a window with too few methods for a rate.",),
    )


def day_table(days: Sequence[DoubtfulDay], track: Track) -> Table:
    return table_of(
        f"doubtful_days_{track.value}",
        f"Days without any success, {TITLES[track]}, those of most tasks",
        days,
        (
            (Column("Day"), lambda one: one.day.isoformat()),
            (Column("Repository"), lambda one: one.repository),
            (Column("Tasks", "count"), lambda one: one.tasks),
            (Column("How they fail, all systems"), lambda one: one.told),
        ),
        notes=("Look at these before a failure is held against a system: what all fail alike may be the benchmark's.",),
    )
