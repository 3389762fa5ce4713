"""Two systems on the same tasks: difference, its interval, and a clustered sign-flip test.

Under the hypothesis of no difference, each cluster's summed difference is as likely to be positive as negative. All
sign patterns are tried when they are few, else a seeded sample of them; clusters, not tasks, are flipped.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
from testevo.config.model import Analysis

EXACT_CLUSTERS = 14
"""Up to this many clusters all 2^n patterns are tried."""


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
    unpaired: int
    """Tasks that only one of the two has a value for; they take no part."""


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
    having = {task for side in (one, other) for task, result in side.items() if result.values.get(key) is not None}
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
        unpaired=len(having) - len(pairs),
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


def sign_flip_test(sums: ClusterSums, *, flips: int = 9999, seed: int = 0) -> tuple[float | None, bool]:
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
    results: Sequence[TaskResult], key: str, systems: Sequence[str], settings: Analysis
) -> list[Comparison]:
    """Every pair of the given systems on results of one track, in the order given."""
    groups = {system: [result for result in results if result.system == system] for system in systems}
    return [
        compare(groups[first], groups[second], key, settings)
        for place, first in enumerate(systems)
        for second in systems[place + 1 :]
    ]
