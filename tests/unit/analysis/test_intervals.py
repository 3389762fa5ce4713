"""Intervals and comparisons under clustering."""

import numpy as np
import pytest
from grading_factories import result

from testevo.analysis.statistics.comparison import compare, sign_flip_test
from testevo.analysis.statistics.intervals import (
    ClusterSums,
    Interval,
    interval,
    interval_of,
    power_note,
    sums_by_cluster,
)
from testevo.config.model import Analysis

RUNS = 500


def clustered_sample(generator: np.random.Generator, clusters: int, rate: float, alike: float, sizes: str) -> tuple:
    """Binary outcomes of tasks in repositories whose own rates differ, with a mean of `rate`."""
    own = generator.beta(rate * (1 / alike - 1), (1 - rate) * (1 / alike - 1), clusters)
    size = {
        "equal": np.full(clusters, 8),
        "unequal": np.maximum(1, np.round(np.exp(generator.normal(1.7, 1.0, clusters)))).astype(int),
        "one dominates": np.r_[3 * clusters, np.maximum(1, generator.poisson(7, clusters - 1))],
    }[sizes]
    names = np.repeat(np.arange(clusters), size)
    return (generator.random(len(names)) < own[names]).astype(float), [str(name) for name in names]


def coverage_rate(clusters: int, rate: float, alike: float, sizes: str, of=interval_of) -> float:
    """How often a nominal 95 % interval holds the true rate."""
    generator = np.random.default_rng(7)
    hits = 0
    for _ in range(RUNS):
        values, names = clustered_sample(generator, clusters, rate, alike, sizes)
        one = of(sums_by_cluster(values, names, np.ones(len(values))), Analysis(resamples=399))
        hits += one.low - 1e-12 <= rate <= one.high + 1e-12
    return hits / RUNS


@pytest.mark.parametrize(
    ("clusters", "rate", "alike", "sizes"),
    [
        (20, 0.75, 0.3, "equal"),
        (20, 0.75, 0.3, "unequal"),
        (40, 0.75, 0.05, "equal"),
        (40, 0.75, 0.3, "one dominates"),
        (60, 0.9, 0.1, "unequal"),
        (8, 0.6, 0.2, "equal"),
    ],
)
def test_intervals_reach_their_nominal_coverage(clusters: int, rate: float, alike: float, sizes: str) -> None:
    """A nominal 95 % interval holds the truth in 92 to 98 % of samples, with few, many and unequal repositories."""
    assert 0.92 <= coverage_rate(clusters, rate, alike, sizes) <= 0.98


def percentile_interval(sums: ClusterSums, settings: Analysis) -> Interval:
    """The plain percentile bootstrap."""
    generator = np.random.default_rng(0)
    drawn = generator.integers(0, sums.clusters, (settings.resamples, sums.clusters))
    means = sums.totals[drawn].sum(axis=1) / sums.weights[drawn].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(sums.mean, float(low), float(high), 0.95, sums.tasks, sums.clusters, "none")


def test_the_percentile_bootstrap_undercovers_with_few_unequal_clusters() -> None:
    """Why it is not what is reported."""
    assert coverage_rate(20, 0.75, 0.3, "unequal", percentile_interval) < 0.92


def test_ignoring_clusters_undercovers_badly() -> None:
    """What a plain interval over tasks does to tasks that are alike."""
    generator = np.random.default_rng(7)
    hits = 0
    for _ in range(200):
        values, _ = clustered_sample(generator, 20, 0.75, 0.3, "equal")
        alone = [str(number) for number in range(len(values))]
        one = interval_of(sums_by_cluster(values, alone, np.ones(len(values))), Analysis(resamples=199))
        hits += one.low <= 0.75 <= one.high
    assert hits / 200 < 0.85


def test_equal_seeds_give_equal_intervals_and_the_order_of_tasks_does_not_matter() -> None:
    generator = np.random.default_rng(3)
    values, names = clustered_sample(generator, 25, 0.7, 0.2, "unequal")
    results = [result(f"t{n}", values[n], repository=name) for n, name in enumerate(names)]
    first, again = interval(results, "success"), interval(list(reversed(results)), "success")
    assert (first.low, first.high) == pytest.approx((again.low, again.high), abs=1e-12)
    assert first == interval(results, "success")
    assert first != interval(results, "success", Analysis(seed=1))


def test_all_alike_gives_the_exact_bound_with_clusters_as_trials() -> None:
    """Ten repositories without a failure do not prove 100 %: 0.025 ** (1 / 10)."""
    one = interval([result(f"t{n}", 1.0, repository=f"o/{n % 10}") for n in range(40)], "success")
    assert (one.low, one.high, one.method) == (pytest.approx(0.6915, abs=1e-4), 1.0, "exact")


def test_one_cluster_has_no_interval() -> None:
    one = interval([result("a", 1.0), result("b", 0.0)], "success")
    assert (one.estimate, one.low, one.high, one.method) == (0.5, None, None, "none")
    assert "no interval" in power_note(one)


def test_nothing_measured_has_no_estimate() -> None:
    assert interval([result("a", None)], "success").estimate is None


def test_pairs_are_smaller_clusters_than_repositories() -> None:
    results = [result(f"t{n}", float(n % 2), repository=f"o/{n % 5}", pair=f"{n % 15}") for n in range(60)]
    assert interval(results, "success").clusters == 5
    assert interval(results, "success", cluster="pair").clusters == 15


def test_a_repository_cap_of_one_is_the_repository_macro_average() -> None:
    """Nine failing tasks of one repository against one passing task of another."""
    results = [result(f"t{n}", 0.0, repository="o/big") for n in range(9)] + [result("x", 1.0, repository="o/small")]
    assert interval(results, "success").estimate == pytest.approx(0.1)
    assert interval(results, "success", per_repository=3).estimate == pytest.approx(0.25)
    assert interval(results, "success", per_repository=1).estimate == pytest.approx(0.5)


def test_fewer_repositories_can_show_only_larger_differences() -> None:
    """The power note."""
    generator = np.random.default_rng(5)
    few, many = (
        interval_of(sums_by_cluster(*clustered_sample(generator, size, 0.7, 0.2, "equal"), np.ones(8 * size)))
        for size in (6, 60)
    )
    assert few.detectable > 2 * many.detectable
    assert f"below {100 * few.detectable:.1f} points" in power_note(few)


def paired(differences: dict[str, list[float]]) -> tuple[list, list]:
    first, second = [], []
    for repository, values in differences.items():
        for place, value in enumerate(values):
            first.append(result(f"{repository} {place}", 0.5 + value / 2, repository=repository, system="one"))
            second.append(result(f"{repository} {place}", 0.5 - value / 2, repository=repository, system="two"))
    return first, second


def test_the_sign_flip_test_tries_all_patterns_of_few_repositories() -> None:
    """Three repositories all in favour: only the two extreme of eight patterns are as far out."""
    found = compare(*paired({"a": [0.2, 0.1], "b": [0.3], "c": [0.4]}), "success")
    assert (found.p_value, found.exact) == (pytest.approx(2 / 8), True)
    assert found.difference.estimate == pytest.approx(0.25)


def test_many_tasks_of_one_repository_are_one_observation() -> None:
    """A hundred tasks alike in one repository prove no more than one cluster can."""
    assert compare(*paired({"a": [0.5] * 100}), "success").p_value == 1.0


def test_equal_systems_have_no_p_value() -> None:
    assert compare(*paired({"a": [0.0], "b": [0.0]}), "success").p_value is None


def test_p_values_are_not_too_small_when_systems_are_equal() -> None:
    """Below 0.05 in about 5 % of samples without a difference, and never in many more."""
    generator = np.random.default_rng(11)
    small = 0
    for _ in range(400):
        sizes = generator.integers(1, 12, 20)
        values = np.repeat(generator.normal(0, 0.2, 20), sizes) + generator.normal(0, 0.1, sizes.sum())
        names = [str(name) for name in np.repeat(np.arange(20), sizes)]
        sums = sums_by_cluster(values, names, np.ones(len(values)), signed=True)
        small += (sign_flip_test(sums, flips=499)[0] or 1) < 0.05
    assert 0.02 <= small / 400 <= 0.08


def test_intervals_of_differences_reach_their_nominal_coverage() -> None:
    """Two systems on the same tasks of 30 unequal repositories, with a true difference of five points."""
    generator = np.random.default_rng(13)
    hits = 0
    for _ in range(RUNS):
        sizes = np.maximum(1, np.round(np.exp(generator.normal(1.5, 0.9, 30)))).astype(int)
        values = np.repeat(generator.normal(0.05, 0.2, 30), sizes) + generator.normal(0, 0.3, sizes.sum())
        names = [str(name) for name in np.repeat(np.arange(30), sizes)]
        one = interval_of(sums_by_cluster(values, names, np.ones(len(values)), signed=True), Analysis(resamples=399))
        hits += one.low <= 0.05 <= one.high
    assert 0.92 <= hits / RUNS <= 0.98


def test_only_tasks_that_both_have_are_compared() -> None:
    first = [result("a", 1.0), result("b", None), result("c", 1.0)]
    second = [result("a", 0.0, system="two"), result("b", 1.0, system="two")]
    found = compare(first, second, "success")
    assert (found.difference.tasks, found.unpaired) == (1, 2)


def test_a_task_twice_on_one_side_is_an_error() -> None:
    with pytest.raises(ValueError, match="twice"):
        compare([result("a", 1.0), result("a", 1.0)], [], "success")
