"""The leaderboards of a site: one per track of the snapshot's results, and of the imported ones.

Averages and intervals in any window are taken in the reader's browser from the values of the tasks, by the formulas
that make the tables; those of everything stand in the page. Ranks come from tests that draw, so they are computed here,
for the windows that a reader asks for most: everything, and after each training cutoff.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any

from testevo.analysis.paper.reproduction import TABLE_3
from testevo.analysis.reporting.main_tables import OUTCOMES, SITE_ONLY, TITLES
from testevo.analysis.statistics.comparison import Comparison, holm, may_be_significant, pairs_of
from testevo.analysis.statistics.glossary import BY_KEY, Metric
from testevo.analysis.statistics.intervals import interval, interval_constants
from testevo.analysis.statistics.metrics import Average, macro
from testevo.analysis.statistics.results import TaskResult, included
from testevo.analysis.statistics.windows import month
from testevo.config.model import Analysis
from testevo.records.tasks import Track
from testevo.site.content import SiteContent

OURS = tuple(key for key in (*OUTCOMES, "mutation_score_strict_pred_success", *SITE_ONLY) if key not in TABLE_3)
COST = Metric("cost", "Cost", "down", "this project", "US dollars per task, over the tasks with a known cost")
Bounds = tuple[float, float]
DIGITS = 6
"""Of a share in a chunk, which a browser averages and shows with one digit of a per cent."""


@dataclass(frozen=True)
class Board:
    """The systems that were graded on the same tasks of one track."""

    name: str
    track: Track
    results: Sequence[TaskResult]
    systems: Sequence[str]
    settings: Analysis
    controls: Sequence[str] = ()
    imported: bool = False
    cutoffs: Sequence[date] = ()
    """Last days of models' training data."""

    @property
    def title(self) -> str:
        kind = TITLES[self.track].capitalize()
        return f"{kind} (imported)" if self.imported else kind

    @cached_property
    def by_system(self) -> dict[str, list[TaskResult]]:
        return {name: included(one for one in self.results if one.system == name) for name in self.systems}

    @cached_property
    def metrics(self) -> list[Metric]:
        """The paper's first; those that no result has a value for are left out, unless they are the paper's."""
        shown = [BY_KEY[key] for key in TABLE_3 if self.track in BY_KEY[key].tracks]
        shown += [BY_KEY[key] for key in OURS if any(one.values.get(key) is not None for one in self.results)]
        return [*shown, COST] if any(one.cost_usd is not None for one in self.results) else shown

    @cached_property
    def tasks(self) -> list[TaskResult]:
        """One result of each task, by day: the tasks as such."""
        first = {one.task_id: one for one in self.results}
        return sorted(first.values(), key=lambda one: (one.day, one.task_id))

    @cached_property
    def months(self) -> list[str]:
        return sorted({month(one.day) for one in self.tasks})

    def average(self, system: str, metric: Metric) -> Average:
        """Over all tasks, each alike."""
        own = self.by_system[system]
        if metric is COST:
            costs = [one.cost_usd for one in own if one.cost_usd is not None]
            return Average(sum(costs) / len(costs) if costs else None, len(costs))
        return macro(own, metric.key)

    def best(self, metric: Metric) -> float | None:
        """The best average of a submitted system."""
        values = [value for name in self.rivals if (value := self.average(name, metric).value) is not None]
        if not values or metric.better is None:
            return None
        return max(values) if metric.better == "up" else min(values)

    def index(self) -> dict[str, Any]:
        """What all chunks of the board refer to: month and repository of each task, names of the systems."""
        repositories = sorted({one.repository for one in self.tasks})
        place = {name: at for at, name in enumerate(repositories)}
        return {
            "months": [month(one.day) for one in self.tasks],
            "repositories": [place[one.repository] for one in self.tasks],
            "tasks": [] if self.imported else [one.task_id for one in self.tasks],
            "track": self.track.value,
            "systems": list(self.systems),
            "interval": interval_constants(self.settings),
            "ranks": {"": self.ranks(), **{since: self.ranks(since) for since in self.months_after_cutoffs}},
        }

    def values(self, metric: Metric) -> list[list[float | None]]:
        """By system, then by task, a value or None."""
        found = []
        for name in self.systems:
            own = {one.task_id: one for one in self.by_system[name]}
            row = [own.get(task.task_id) for task in self.tasks]
            found.append([None if one is None else _value(one, metric) for one in row])
        return found

    def bounds(self, since: str = "", until: str = "", *, per_repository: float | None = None) -> list[Bounds | None]:
        """The interval of Success by system, over the tasks of a window of months."""
        found: list[Bounds | None] = []
        for name in self.systems:
            own = [one for one in self.by_system[name] if since <= month(one.day) <= (until or month(one.day))]
            given = interval(own, "success", self.settings, per_repository=per_repository)
            found.append(None if given.low is None or given.high is None else (_short(given.low), _short(given.high)))
        return found

    @cached_property
    def months_after_cutoffs(self) -> list[str]:
        """The first month with tasks that lies wholly after each training cutoff."""
        later = [[one for one in self.months if one >= month_after(cutoff)] for cutoff in self.cutoffs]
        return sorted({months[0] for months in later if months})

    @cached_property
    def rivals(self) -> list[str]:
        """The submitted systems; the controls only when there is no other."""
        return [name for name in self.systems if name not in self.controls] or list(self.systems)

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """Every pair of rivals on Success over all tasks, corrected as one family."""
        return self._compared("")

    def _compared(self, since: str) -> list[Comparison]:
        own = [one for one in self.results if month(one.day) >= since]
        return holm(pairs_of(own, "success", self.rivals, self.settings))

    def ranks(self, since: str = "") -> list[int]:
        """By system: 1 and the number of rivals that are significantly better on Success; 0 for a control.

        All are 0 where so few repositories have tasks that no difference could be significant.
        """
        family = self._compared(since) if since else self.comparisons
        if family and not may_be_significant(family, self.settings.level):
            return [0] * len(self.systems)
        worse = dict.fromkeys(self.rivals, 0)
        for one in family:
            if one.corrected is not None and one.corrected <= 1 - self.settings.level:
                worse[one.second if (one.difference.estimate or 0) > 0 else one.first] += 1
        return [1 + worse[name] if name in worse else 0 for name in self.systems]


def month_after(last_day: date) -> str:
    """The first month that lies wholly after a day."""
    following = last_day + timedelta(days=1)
    return month(following if following.day == 1 else following.replace(day=28) + timedelta(days=4))


def _value(one: TaskResult, metric: Metric) -> float | None:
    value = one.cost_usd if metric is COST else one.values.get(metric.key)
    return None if value is None else _short(value)


def _short(value: float) -> float:
    return round(value, DIGITS)


def ordered(results: Sequence[TaskResult], systems: Sequence[str], controls: Sequence[str] = ()) -> list[str]:
    """The best on Success first, controls last."""
    success = {name: macro(included(one for one in results if one.system == name), "success").value for name in systems}
    return sorted(systems, key=lambda name: (name in controls, -(success[name] or 0.0), name))


def boards_of(content: SiteContent, cutoffs: Iterable[date] = ()) -> list[Board]:
    """The boards that have results, our own first."""
    days = sorted(set(cutoffs))
    boards = []
    for track in (Track.UPDATE, Track.GENERATION):
        own = [one for one in content.results if one.track is track]
        if own:
            systems = ordered(own, sorted({one.system for one in own}), content.controls)
            boards.append(Board(track.value, track, own, systems, content.settings, content.controls, False, days))
    if content.released is not None:
        for track in (Track.UPDATE, Track.GENERATION):
            results = content.released.results[track]
            systems = ordered(results, content.released.systems[track])
            name = f"imported-{track.value}"
            boards.append(Board(name, track, results, systems, content.settings, (), True, days))
    return boards
