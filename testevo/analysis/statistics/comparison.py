"""Two systems on the same tasks: difference, its interval, and a clustered sign-flip test.

Under the hypothesis of no difference, each cluster's summed difference is as likely to be positive as negative. All
sign patterns are tried when they are few, else a seeded sample of them; clusters, not tasks, are flipped. The p values
of one family of comparisons are corrected by Holm's method.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from testevo.analysis.statistics.intervals import (
    CLUSTER_OF,
    DEFAULTS,
    Clustering,
    ClusterSums,
    Interval,
    interval_of,
    sums_by_cluster,
)
from testevo.analysis.statistics.results import TaskResult, included
from testevo.analysis.statistics.windows import ALL, half_year, window_order
from testevo.config.model import Analysis

EXACT_CLUSTERS = 14
"""Up to this many clusters all 2^n patterns are tried."""

FLIPS = 9999
"""Sign patterns drawn where clusters are more."""


@dataclass(frozen=True)
class Comparison:
    """First minus second, over the tasks where both have a value."""

    first: str
    second: str
    key: str
    difference: Interval
    p_value: float | None
    """Two-sided; None when no cluster differs or nothing is paired."""
    exact: bool
    window: str = ALL
    corrected: float | None = None
    """The p value by Holm's method: for all pairs of systems on this metric, or on it in all half-years."""


def compare(
    first: Iterable[TaskResult],
    second: Iterable[TaskResult],
    key: str,
    settings: Analysis = DEFAULTS,
    *,
    cluster: Clustering = "repository",
) -> Comparison:
    """Compare two systems on one track.

    Args:
        first: results of one system.
        second: results of another, paired by task id.

    Raises:
        ValueError: a system has a task twice, or more than one system is given on a side.
    """
    one, other = by_task(first), by_task(second)
    shared = sorted(one.keys() & other.keys())
    pairs = [
        (one[task], a, b)
        for task in shared
        if (a := one[task].values.get(key)) is not None and (b := other[task].values.get(key)) is not None
    ]
    differences = np.array([a - b for _, a, b in pairs], dtype=np.float64)
    names = [CLUSTER_OF[cluster](result) for result, _, _ in pairs]
    sums = sums_by_cluster(differences, names, np.ones(len(pairs)), signed=True)
    p_value, exact = sign_flip_test(sums, seed=settings.seed)
    return Comparison(
        first=name_of(one),
        second=name_of(other),
        key=key,
        difference=interval_of(sums, settings),
        p_value=p_value,
        exact=exact,
    )


def by_task(results: Iterable[TaskResult]) -> dict[str, TaskResult]:
    found: dict[str, TaskResult] = {}
    for result in included(results):
        if result.task_id in found:
            raise ValueError(f"{result.system} has {result.task_id} twice")
        found[result.task_id] = result
    if len({result.system for result in found.values()}) > 1:
        raise ValueError("one side of a comparison holds several systems")
    return found


def name_of(results: dict[str, TaskResult]) -> str:
    return next((result.system for result in results.values()), "")


def sign_flip_test(sums: ClusterSums, *, flips: int = FLIPS, seed: int = 0) -> tuple[float | None, bool]:
    """Two-sided p value of "no difference", and whether all sign patterns were tried."""
    totals = sums.totals[np.abs(sums.totals) > 1e-12]
    if not len(totals):
        return None, True
    observed = abs(totals.sum()) - 1e-12
    if len(totals) <= EXACT_CLUSTERS:
        patterns = np.array(np.meshgrid(*[[-1.0, 1.0]] * len(totals))).reshape(len(totals), -1)
        return float((np.abs(totals @ patterns) >= observed).mean()), True
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], size=(flips, len(totals)))
    extreme = int((np.abs(signs @ totals) >= observed).sum())
    return (extreme + 1) / (flips + 1), False


def compare_all(
    results: Sequence[TaskResult], keys: Sequence[str], systems: Sequence[str], settings: Analysis
) -> list[Comparison]:
    """Every pair of systems on each metric, and on the first one in each half-year; results of one track.

    Each metric is a family of Holm's correction, and so are the half-years together. Pairs without a task that both
    have a value for are left out.
    """
    windows = window_order({half_year(result.day) for result in included(results)})
    by_window = {window: [one for one in results if half_year(one.day) == window] for window in windows}
    families = [pairs_of(results, key, systems, settings) for key in keys]
    families.append(
        [
            replace(one, window=window)
            for window in windows
            for key in keys[:1]
            for one in pairs_of(by_window[window], key, systems, settings)
        ]
    )
    return [one for family in families for one in holm(family)]


def pairs_of(results: Sequence[TaskResult], key: str, systems: Sequence[str], settings: Analysis) -> list[Comparison]:
    groups = {system: [result for result in results if result.system == system] for system in systems}
    found = [
        compare(groups[first], groups[second], key, settings)
        for place, first in enumerate(systems)
        for second in systems[place + 1 :]
    ]
    return [one for one in found if one.difference.tasks]


def holm(family: Sequence[Comparison]) -> list[Comparison]:
    """The family with corrected p values, in the order given; a comparison without p value counts as 1."""
    ordered = sorted(range(len(family)), key=lambda place: p_of(family[place]))
    least, corrected = 0.0, dict.fromkeys(ordered, 1.0)
    for rank, place in enumerate(ordered):
        least = max(least, min(1.0, (len(family) - rank) * p_of(family[place])))
        corrected[place] = least
    return [
        replace(one, corrected=None if one.p_value is None else corrected[place]) for place, one in enumerate(family)
    ]


def may_be_significant(family: Sequence[Comparison], level: float) -> bool:
    """Whether some comparison of the family has clusters enough for a significant difference, were it the largest.

    The test tells a pattern of signs and its opposite from all others, so n clusters give p values from 2 / 2^n on;
    Holm's method multiplies the least one by the number of comparisons.
    """
    return any(len(family) * least_p_value(one.difference.clusters) <= 1 - level for one in family)


def least_p_value(clusters: int) -> float:
    """The least p value that the sign-flip test gives with so many clusters."""
    return 1 / (FLIPS + 1) if clusters > EXACT_CLUSTERS else min(1.0, 2.0 ** (1 - clusters))


def p_of(one: Comparison) -> float:
    return 1.0 if one.p_value is None else one.p_value
