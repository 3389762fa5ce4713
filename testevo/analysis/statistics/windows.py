"""Results by date: any window, and the half-years of the paper's figures (TEB-R02, R04, K08)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from testevo.analysis.statistics.intervals import DEFAULTS, Interval, interval
from testevo.analysis.statistics.metrics import macro
from testevo.analysis.statistics.results import TaskResult, included
from testevo.config.model import Analysis

OLDER = "Older"
ALL = "all"
"""The window of everything."""
FIRST_YEAR = 2015
"""Everything before is one window (TEB-R02)."""


@dataclass(frozen=True)
class WindowPoint:
    """A metric in a window; `value` is None when it is undefined or `suppressed`."""

    system: str
    window: str
    tasks: int
    methods: int | None
    repositories: int
    value: float | None
    suppressed: bool
    interval: Interval | None = None
    """None where the value is."""


def half_year(day: date) -> str:
    """`2016.H2`, or `Older` before 2015."""
    return OLDER if day.year < FIRST_YEAR else f"{day.year}.H{1 if day.month <= 6 else 2}"


def month(day: date) -> str:
    """`2016-12`."""
    return f"{day.year}-{day.month:02}"


def window_order(windows: Iterable[str]) -> list[str]:
    """`Older` first, then by time."""
    return sorted(set(windows), key=lambda window: (window != OLDER, window))


def every_half_year(windows: Iterable[str]) -> list[str]:
    """The given half-years and those between them, in order."""
    ordered = window_order(windows)
    dated = [window for window in ordered if window[0].isdigit()]
    if not dated:
        return ordered
    first, last = (2 * int(window[:4]) + int(window[-1]) - 1 for window in (dated[0], dated[-1]))
    between = [f"{number // 2}.H{number % 2 + 1}" for number in range(first, last + 1)]
    return [window for window in ordered if window not in dated] + between


def over_time(
    results: Sequence[TaskResult],
    key: str,
    *,
    methods_in: Mapping[str, int] | None = None,
    settings: Analysis = DEFAULTS,
) -> list[WindowPoint]:
    """A macro average per system and half-year, in order; results of one track.

    Args:
        methods_in: number of methods per window, for sources whose rows do not tell.
        settings: level of intervals, and the methods below which a window shows no rate.
    """
    groups: dict[tuple[str, str], list[TaskResult]] = {}
    for result in included(results):
        groups.setdefault((result.system, half_year(result.day)), []).append(result)
    points = []
    for system in sorted({system for system, _ in groups}):
        for window in window_order(name for owner, name in groups if owner == system):
            group = groups[system, window]
            methods = methods_in[window] if methods_in is not None else methods_of(group)
            few = methods is not None and methods < settings.least_methods
            points.append(
                WindowPoint(
                    system=system,
                    window=window,
                    tasks=len(group),
                    methods=methods,
                    repositories=len({result.repository for result in group}),
                    value=None if few else macro(group, key).value,
                    suppressed=few,
                    interval=None if few else interval(group, key, settings),
                )
            )
    return points


def methods_of(results: Iterable[TaskResult]) -> int | None:
    sizes = [result.methods for result in results]
    return None if None in sizes else sum(size or 0 for size in sizes)
