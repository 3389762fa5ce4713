"""Confidence intervals that respect clustering: tasks of one repository, or of one commit pair, are alike.

The estimate is a weighted mean over tasks. Its variance is the jackknife over clusters, moderated by an assumed
correlation within clusters: a sample in which few clusters differ says little about how much clusters differ. The
variance becomes an effective number of tasks, and this a Wilson interval with Student's t, so that no interval has
width zero. Differences between -1 and 1 are handled as proportions of the way between them. `docs/metrics.md` has the
measured coverage.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from testevo.analysis.statistics.glossary import BY_KEY
from testevo.analysis.statistics.results import TaskResult, included
from testevo.config.model import Analysis

Numbers = NDArray[np.float64]
Clustering = Literal["repository", "pair", "task"]
CLUSTER_OF: dict[Clustering, Callable[[TaskResult], str]] = {
    "repository": lambda result: result.repository,
    "pair": lambda result: result.pair,
    "task": lambda result: result.task_id,
}
LEAST_CLUSTERS = 4.0
"""Effective clusters (Kish) below which no interval is given: too few to tell how much clusters differ."""
TOO_FEW = "too few clusters"
ASSUMED_CORRELATION = 0.3
"""Of tasks of one cluster, until the sample says otherwise; the released results have 0.24 to 0.75."""
ASSUMED_MASS = 1.0
"""Weight of that assumption: as if one more cluster had been seen that differs from all others."""
ASSUMED_DEGREES = 4.0
"""Degrees of freedom that the assumption adds."""
POWER = 0.8
QUANTILE_STEPS = 64
"""Places of the table of quantiles that a reader of `interval_constants` interpolates in."""
DEFAULTS = Analysis()


@dataclass(frozen=True)
class Interval:
    """An estimate with its interval; `low` and `high` are None where no interval can be given."""

    estimate: float | None
    low: float | None
    high: float | None
    level: float
    tasks: int
    clusters: int
    effective: float = 0.0
    """Kish's effective number of clusters: as many as there were if all had the same weight."""
    standard_error: float | None = None

    @property
    def note(self) -> str:
        """Why there is no interval; empty where there is one."""
        return TOO_FEW if self.low is None else ""

    @property
    def detectable(self) -> float | None:
        """Smallest difference from a fixed value that a test at this level finds with 80 % probability."""
        if self.standard_error is None or self.standard_error < 1e-9:
            return None
        degrees = self.effective - 1 + ASSUMED_DEGREES
        return (t_quantile(0.5 + self.level / 2, degrees) + t_quantile(POWER, degrees)) * self.standard_error


@dataclass(frozen=True)
class ClusterSums:
    """Per cluster the weighted sum of values, the weight and the number of tasks.

    `squares` is the weighted sum of all squared values; `signed` values lie between -1 and 1, others between 0 and 1.
    """

    totals: Numbers
    weights: Numbers
    sizes: Numbers
    squares: float
    signed: bool = False

    @property
    def clusters(self) -> int:
        return len(self.weights)

    @property
    def tasks(self) -> int:
        return int(self.sizes.sum())

    @property
    def mean(self) -> float:
        return float(self.totals.sum() / self.weights.sum())

    @property
    def shares(self) -> Numbers:
        shares: Numbers = self.weights / self.weights.sum()
        return shares

    @property
    def effective(self) -> float:
        """Kish's effective number of clusters."""
        return float(1 / (self.shares**2).sum()) if self.clusters else 0.0


def task_weights(results: Sequence[TaskResult], per_repository: float | None) -> Numbers:
    """Weights that let no repository count for more than `per_repository` tasks; 1 is the repository macro average.

    Weights, not a drawn sample: nothing is thrown away and nothing depends on chance.
    """
    if per_repository is None:
        return np.ones(len(results))
    sizes = Counter(result.repository for result in results)
    return np.array([min(1.0, per_repository / sizes[result.repository]) for result in results])


def cluster_sums(
    results: Iterable[TaskResult], key: str, *, cluster: Clustering = "repository", per_repository: float | None = None
) -> ClusterSums:
    """Sums per cluster over the tasks where the metric is defined, clusters sorted by name."""
    defined = [result for result in included(results) if result.values.get(key) is not None]
    values = np.array([result.values[key] for result in defined], dtype=np.float64)
    names = [CLUSTER_OF[cluster](result) for result in defined]
    signed = key in BY_KEY and BY_KEY[key].signed
    return sums_by_cluster(values, names, task_weights(defined, per_repository), signed=signed)


def sums_by_cluster(values: Numbers, names: Sequence[str], weights: Numbers, *, signed: bool = False) -> ClusterSums:
    distinct, places = np.unique(np.array(names, dtype=str), return_inverse=True)

    def summed(numbers: Numbers) -> Numbers:
        return np.bincount(places, weights=numbers, minlength=len(distinct)).astype(np.float64)

    squares = float((weights * values**2).sum())
    return ClusterSums(summed(values * weights), summed(weights), summed(np.ones(len(names))), squares, signed)


def interval(
    results: Iterable[TaskResult],
    key: str,
    settings: Analysis = DEFAULTS,
    *,
    cluster: Clustering = "repository",
    per_repository: float | None = None,
) -> Interval:
    """The interval of a metric's mean over tasks.

    Args:
        results: of one system and track.
        settings: the level.
        cluster: tasks that are alike.
        per_repository: the most tasks a repository counts for.
    """
    return interval_of(cluster_sums(results, key, cluster=cluster, per_repository=per_repository), settings)


def interval_of(sums: ClusterSums, settings: Analysis = DEFAULTS) -> Interval:
    """The interval of a mean given its cluster sums.

    Whether there is one depends on the weights of the clusters alone, never on what was observed in them.
    """
    level = settings.level
    if not sums.clusters:
        return Interval(None, None, None, level, 0, 0)
    mean, effective = sums.mean, sums.effective
    if effective < LEAST_CLUSTERS - 1e-9:
        return Interval(mean, None, None, level, sums.tasks, sums.clusters, effective)
    scale = 2.0 if sums.signed else 1.0
    rate = min(max((mean + 1) / 2 if sums.signed else mean, 0.0), 1.0)
    count = effective_tasks(sums, rate, scale)
    low, high = wilson(rate, count, t_quantile(0.5 + level / 2, effective - 1 + ASSUMED_DEGREES))
    error = scale * float(np.sqrt(rate * (1 - rate) / count))
    least = -1.0 if sums.signed else 0.0
    return Interval(mean, least + scale * low, least + scale * high, level, sums.tasks, sums.clusters, effective, error)


def effective_tasks(sums: ClusterSums, rate: float, scale: float) -> float:
    """The number of independent tasks that would know the mean as well.

    Args:
        rate: the mean, on the scale from 0 to 1.
        scale: length of the values' own scale.
    """
    shares, sizes = sums.shares, sums.sizes
    independent = 1 / float((shares**2 / sizes).sum())
    variance = rate * (1 - rate)
    # Shares of methods vary less than yes and no; half a task of each keeps equal values from having no variance.
    spread = max(0.0, sums.squares / float(sums.weights.sum()) - sums.mean**2) / scale**2
    relative = (independent * spread + 0.5) / (independent * variance + 0.5)
    assumed = float((shares**2 * (ASSUMED_CORRELATION + (1 - ASSUMED_CORRELATION) / sizes)).sum())
    mass = ASSUMED_MASS / sums.clusters
    moderated = (variance + mass) / (jackknife_variance(sums) / scale**2 + mass * relative * assumed)
    return min(moderated, independent / relative)


def jackknife_variance(sums: ClusterSums) -> float:
    """Variance of the mean by leaving out each cluster in turn."""
    shares = sums.shares
    moves = (sums.totals / sums.weights - sums.mean) * shares / (1 - shares)
    return float((sums.clusters - 1) / sums.clusters * (moves**2).sum())


def wilson(rate: float, count: float, quantile: float) -> tuple[float, float]:
    """Wilson's score interval for a number of tasks that need not be whole."""
    excess = quantile**2 / count
    centre = (rate + excess / 2) / (1 + excess)
    half = float(np.sqrt(excess * rate * (1 - rate) + excess**2 / 4)) / (1 + excess)
    return max(0.0, centre - half), min(1.0, centre + half)


@cache
def t_quantile(probability: float, degrees: float) -> float:
    """Of Student's t. Every command of `testevo` imports this module, and SciPy takes half a second."""
    from scipy import stats

    return float(stats.t.ppf(probability, degrees))


def interval_constants(settings: Analysis = DEFAULTS) -> dict[str, Any]:
    """All that `interval` needs beside the values, for a reader that has no SciPy: the browser that shows a site.

    `quantiles` are those of Student's t at equal steps of 1/degrees, from infinitely many to the least that are used.
    """
    least = LEAST_CLUSTERS - 1 + ASSUMED_DEGREES
    steps = [step / QUANTILE_STEPS / least for step in range(QUANTILE_STEPS + 1)]
    quantiles = [t_quantile(0.5 + settings.level / 2, 1 / one if one else float("inf")) for one in steps]
    return {
        "least_clusters": LEAST_CLUSTERS,
        "correlation": ASSUMED_CORRELATION,
        "mass": ASSUMED_MASS,
        "degrees": ASSUMED_DEGREES,
        "least_degrees": least,
        "quantiles": [round(one, 9) for one in quantiles],
    }


def power_note(one: Interval) -> str:
    """What a window of this size can show."""
    if one.low is None or one.high is None:
        few = f"{TOO_FEW} ({one.effective:.1f} effective)"
        return f"{one.tasks} tasks of {one.clusters} cluster(s): no interval can be given, {few}."
    if one.detectable is None:
        bounds = f"{100 * one.low:.1f} to {100 * one.high:.1f}"
        return f"{one.tasks} tasks of {one.clusters} clusters, all alike: the interval is {bounds} per cent."
    return (
        f"{one.tasks} tasks of {one.clusters} clusters: a difference below {100 * one.detectable:.1f} points "
        f"would be missed more often than one time in five."
    )
