"""Results by date: any window, and the half-years of the paper's figures (TEB-R02, R04, K08)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from testevo.analysis.statistics.intervals import DEFAULTS, Interval, interval
from testevo.analysis.statistics.metrics import macro
from testevo.analysis.statistics.results import TaskResult, included
from testevo.config.model import Analysis
from testevo.config.model_cutoffs import ModelCutoff

OLDER = "Older"
ALL = "all"
"""The window of everything."""
FIRST_YEAR = 2015
"""Everything before is one window (TEB-R02)."""


@dataclass(frozen=True)
class WindowPoint:
    """Success in a window; `value` is None when it is undefined or the window has few methods."""

    system: str
    window: str
    tasks: int
    methods: int | None
    repositories: int
    value: float | None
    interval: Interval | None = None
    """None where the value is."""


@dataclass(frozen=True)
class CutoffPoint:
    """A metric of a system on both sides of a training cutoff; values are None when undefined or of few methods."""

    system: str
    models: tuple[str, ...]
    """All models of that cutoff."""
    cutoff: str
    tasks_before: int
    before: float | None
    tasks_after: int
    after: float | None
    interval: Interval | None
    """Of `after`; None where it is."""


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
    results: Sequence[TaskResult], *, methods_in: Mapping[str, int] | None = None, settings: Analysis = DEFAULTS
) -> list[WindowPoint]:
    """The macro average of success per system and half-year, in order; results of one track.

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
                    value=None if few else macro(group, "success").value,
                    interval=None if few else interval(group, "success", settings),
                )
            )
    return points


def methods_of(results: Iterable[TaskResult]) -> int | None:
    sizes = [result.methods for result in results]
    return None if None in sizes else sum(size or 0 for size in sizes)


def around_cutoffs(
    results: Sequence[TaskResult], key: str, cutoffs: Sequence[ModelCutoff], settings: Analysis = DEFAULTS
) -> list[CutoffPoint]:
    """A macro average per system before and after each training cutoff; results of one track.

    Which model a system uses is not known here, so every system is cut by every cutoff.

    Args:
        settings: level of intervals, and the methods below which a side shows no rate.
    """
    known = included(results)
    models: dict[date, list[ModelCutoff]] = {}
    for one in cutoffs:
        models.setdefault(one.last_day, []).append(one)
    points = []
    for system in sorted({result.system for result in known}):
        for last_day, own in sorted(models.items()):
            before, after = (
                [one for one in known if one.system == system and (one.day > last_day) is later]
                for later in (False, True)
            )
            shown = after if enough(after, settings) else []
            points.append(
                CutoffPoint(
                    system=system,
                    models=tuple(one.model for one in own),
                    cutoff=own[0].cutoff,
                    tasks_before=len(before),
                    before=macro(before, key).value if enough(before, settings) else None,
                    tasks_after=len(after),
                    after=macro(shown, key).value if shown else None,
                    interval=interval(shown, key, settings) if shown else None,
                )
            )
    return points


def enough(results: Sequence[TaskResult], settings: Analysis) -> bool:
    """Whether a window has methods enough for a rate, or does not tell how many it has."""
    methods = methods_of(results)
    return bool(results) and (methods is None or methods >= settings.least_methods)
