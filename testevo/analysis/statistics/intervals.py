"""Confidence intervals that respect clustering: tasks of one repository, or of one commit pair, are alike.

The estimate is a weighted mean over tasks. Clusters, not tasks, are resampled. The percentile bootstrap covers too
rarely when clusters are few or unequal (measured: 85 to 93 % instead of 95 % with 10 to 40 repositories), so the
default is the studentised cluster bootstrap. Where resamples without any variation make that useless (rates near 0 or
1) or clusters are few, a t interval with the cluster-robust standard error on the logit scale takes over; the interval
names its method. `docs/metrics.md` has the measured coverage.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from testevo.analysis.statistics.glossary import BY_KEY
from testevo.analysis.statistics.results import TaskResult, included
from testevo.config.model import Analysis

Numbers = NDArray[np.float64]
Clustering = Literal["repository", "pair", "task"]
Method = Literal["studentised bootstrap", "logit t", "t", "exact", "none"]
CLUSTER_OF: dict[Clustering, Callable[[TaskResult], str]] = {
    "repository": lambda result: result.repository,
    "pair": lambda result: result.pair,
    "task": lambda result: result.task_id,
}
FEW_CLUSTERS = 10
"""Below this many clusters a bootstrap has too few distinct resamples to be studentised."""
POWER = 0.8
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
    method: Method
    standard_error: float | None = None

    @property
    def detectable(self) -> float | None:
        """Smallest difference from a fixed value that a test at this level finds with 80 % probability."""
        if self.standard_error is None or self.standard_error < 1e-9 or self.clusters < 2:
            return None
        degrees = self.clusters - 1
        quantiles = t_quantile(0.5 + self.level / 2, degrees) + t_quantile(POWER, degrees)
        return quantiles * self.standard_error


@dataclass(frozen=True)
class ClusterSums:
    """Per cluster the weighted sum of values and the weight; `signed` values lie between -1 and 1."""

    totals: Numbers
    weights: Numbers
    tasks: int
    signed: bool = False

    @property
    def clusters(self) -> int:
        return len(self.weights)

    @property
    def mean(self) -> float:
        return float(self.totals.sum() / self.weights.sum())


def task_weights(results: Sequence[TaskResult], per_repository: float | None) -> Numbers:
    """Weights that let no repository count for more than `per_repository` tasks; 1 is the repository macro average.

    Weights, not a drawn sample: nothing is thrown away and nothing depends on chance.
    """
    sizes: dict[str, int] = {}
    for result in results:
        sizes[result.repository] = sizes.get(result.repository, 0) + 1
    if per_repository is None:
        return np.ones(len(results))
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
    count = len(distinct)
    totals = np.bincount(places, weights=values * weights, minlength=count).astype(np.float64)
    whole = np.bincount(places, weights=weights, minlength=count).astype(np.float64)
    return ClusterSums(totals, whole, len(names), signed)


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
        settings: level, resamples and seed; equal seeds give equal intervals.
        cluster: what is resampled as a whole.
        per_repository: the most tasks a repository counts for.
    """
    sums = cluster_sums(results, key, cluster=cluster, per_repository=per_repository)
    return interval_of(sums, settings)


def interval_of(sums: ClusterSums, settings: Analysis = DEFAULTS) -> Interval:
    """The interval of a mean given its cluster sums."""
    level = settings.level
    if sums.clusters == 0:
        return Interval(None, None, None, level, 0, 0, "none")
    estimate = sums.mean
    if sums.clusters == 1:
        return Interval(estimate, None, None, level, sums.tasks, 1, "none")
    error = float(standard_error(sums.totals, sums.weights))
    low, high, method = bounds(sums, estimate, error, settings)
    least = -1.0 if sums.signed else 0.0
    low, high = min(max(low, least), estimate), max(min(high, 1.0), estimate)
    return Interval(estimate, low, high, level, sums.tasks, sums.clusters, method, error)


def bounds(sums: ClusterSums, estimate: float, error: float, settings: Analysis) -> tuple[float, float, Method]:
    if error < 1e-12:
        return (*no_variation(sums, estimate, settings.level), "none" if sums.signed else "exact")
    if sums.clusters >= FEW_CLUSTERS:
        quantiles = studentised_quantiles(sums, estimate, settings)
        if quantiles is not None:
            return estimate - quantiles[1] * error, estimate - quantiles[0] * error, "studentised bootstrap"
    return t_bounds(sums, estimate, error, settings.level)


def standard_error(totals: Numbers, weights: Numbers) -> Any:
    """Cluster-robust standard error of totals.sum() / weights.sum(), along the last axis."""
    count = totals.shape[-1]
    whole = weights.sum(axis=-1)
    estimate = totals.sum(axis=-1) / whole
    residuals = totals - estimate[..., None] * weights if totals.ndim > 1 else totals - estimate * weights
    return np.sqrt(count / (count - 1) * (residuals**2).sum(axis=-1)) / whole


def studentised_quantiles(sums: ClusterSums, estimate: float, settings: Analysis) -> tuple[float, float] | None:
    """Quantiles of (resampled - estimate) / its standard error; None when too many resamples have no variation."""
    level, resamples = settings.level, settings.resamples
    generator = np.random.default_rng(settings.seed)
    drawn = generator.integers(0, sums.clusters, (resamples, sums.clusters))
    totals, weights = sums.totals[drawn], sums.weights[drawn]
    errors = standard_error(totals, weights)
    moved = errors > 1e-9
    if (~moved).sum() > resamples * (1 - level) / 4:
        return None
    scores = (totals.sum(axis=1) / weights.sum(axis=1) - estimate)[moved] / errors[moved]
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def t_quantile(probability: float, degrees: int) -> float:
    """Of Student's t. Every command of `testevo` imports this module, and SciPy takes half a second."""
    from scipy import stats

    return float(stats.t.ppf(probability, degrees))


def t_bounds(sums: ClusterSums, estimate: float, error: float, level: float) -> tuple[float, float, Method]:
    """Student's t with clusters - 1 degrees of freedom; on the logit scale unless values are signed."""
    quantile = t_quantile(0.5 + level / 2, sums.clusters - 1)
    if sums.signed:
        return estimate - quantile * error, estimate + quantile * error, "t"
    whole = float(sums.weights.sum())
    # Half a task on each side keeps the logit finite.
    centre = (float(sums.totals.sum()) + 0.5) / (whole + 1)
    spread = quantile * error / (centre * (1 - centre))
    middle = float(np.log(centre / (1 - centre)))
    low, high = (float(1 / (1 + np.exp(-np.clip(middle + side * spread, -50, 50)))) for side in (-1, 1))
    return low, high, "logit t"


def no_variation(sums: ClusterSums, estimate: float, level: float) -> tuple[float, float]:
    """All clusters alike. All 0 or all 1: the exact binomial bound with clusters as trials, which is cautious."""
    bound = ((1 - level) / 2) ** (1 / sums.clusters)
    if sums.signed:
        return estimate, estimate
    if estimate > 1 - 1e-12:
        return bound, 1.0
    if estimate < 1e-12:
        return 0.0, 1 - bound
    return estimate, estimate


def power_note(one: Interval) -> str:
    """What a window of this size can show."""
    if one.low is None or one.high is None:
        return f"{one.tasks} tasks of {one.clusters} cluster(s): no interval can be given."
    if one.detectable is None:
        bounds = f"{100 * one.low:.1f} to {100 * one.high:.1f}"
        return f"{one.tasks} tasks of {one.clusters} clusters, all alike: the interval is {bounds} per cent."
    return (
        f"{one.tasks} tasks of {one.clusters} clusters: a difference below {100 * one.detectable:.1f} points "
        f"would be missed more often than one time in five."
    )
