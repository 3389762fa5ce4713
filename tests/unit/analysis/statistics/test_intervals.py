"""Intervals and comparisons under clustering."""

import numpy as np
import pytest
from grading_factories import result
from scipy import stats

from testevo.analysis.statistics.comparison import compare, compare_all, may_be_significant, sign_flip_test
from testevo.analysis.statistics.interval_coverage import equal_sizes, held_share, released_sizes
from testevo.analysis.statistics.intervals import ClusterSums, interval, interval_of, power_note, sums_by_cluster
from testevo.config.model import Analysis


@pytest.mark.parametrize("sizes", [equal_sizes(4), equal_sizes(90), released_sizes(12), released_sizes(60)])
@pytest.mark.parametrize("rate", [0.02, 0.5, 0.9])
@pytest.mark.parametrize("correlation", [0.3, 0.6])
def test_intervals_hold_their_level(sizes: np.ndarray, rate: float, correlation: float) -> None:
    """A short form of the table that `interval_coverage` prints: 400 samples know the share within two points."""
    held = held_share(sizes, rate, correlation, runs=400)
    assert held is not None
    assert held >= 0.89


def test_three_repositories_of_which_one_holds_nearly_all_tasks_get_no_interval() -> None:
    """Nominal 95 % intervals of 50, 1 and 1 tasks held the truth in 46 to 61 % of samples."""
    results = [result(f"t{n}", float(n % 2), repository="o/big") for n in range(50)]
    one = interval([*results, result("a", 1.0, repository="o/a"), result("b", 0.0, repository="o/b")], "success")
    assert (one.low, one.high, one.note) == (None, None, "too few clusters")
    assert one.effective == pytest.approx(52**2 / 2502)


def test_sizes_alone_decide_whether_there_is_an_interval() -> None:
    for sizes in ([8] * 3, [8] * 4, [50, 1, 1], [29, 10, 10, 10, 10, 10]):
        weights = np.array(sizes, dtype=np.float64)
        told = {
            interval_of(ClusterSums(weights * share, weights, weights, float(share * weights.sum()))).note
            for share in (0.0, 0.25, 1.0)
        }
        assert len(told) == 1


def test_ignoring_clusters_undercovers_badly() -> None:
    """What a plain interval over tasks does to tasks that are alike."""
    generator = np.random.default_rng(7)
    hits = 0
    for _ in range(200):
        own = generator.beta(0.75 * 7 / 3, 0.25 * 7 / 3, 20)
        values = (generator.random(160) < np.repeat(own, 8)).astype(float)
        one = interval_of(sums_by_cluster(values, [str(number) for number in range(160)], np.ones(160)))
        hits += one.low <= 0.75 <= one.high
    assert hits / 200 < 0.85


def test_the_order_of_tasks_does_not_matter() -> None:
    results = [result(f"t{n}", float(n % 3 > 0), repository=f"o/{n % 7}") for n in range(60)]
    first, again = interval(results, "success"), interval(list(reversed(results)), "success")
    assert (first.low, first.high) == pytest.approx((again.low, again.high), abs=1e-12)


@pytest.mark.parametrize("value", [0.0, 0.5, 0.8, 1.0])
def test_equal_repositories_still_leave_doubt(value: float) -> None:
    """No interval has width zero: ten repositories with equal rates do not prove the rate."""
    one = interval([result(f"t{n}", value, repository=f"o/{n % 10}") for n in range(40)], "success")
    assert one.high - one.low > 0.03
    assert one.low - 1e-12 <= value <= one.high + 1e-12


def test_values_that_vary_less_than_yes_and_no_have_narrower_intervals() -> None:
    close = [result(f"t{n}", 0.75 + 0.05 * (n % 3), repository=f"o/{n % 10}") for n in range(60)]
    binary = [result(f"t{n}", float(n % 5 > 0), repository=f"o/{n % 10}") for n in range(60)]
    narrow, wide = (interval(results, "success") for results in (close, binary))
    assert narrow.high - narrow.low < 0.5 * (wide.high - wide.low)


def test_one_cluster_has_no_interval() -> None:
    one = interval([result("a", 1.0), result("b", 0.0)], "success")
    assert (one.estimate, one.low, one.high, one.note) == (0.5, None, None, "too few clusters")
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
    few, many = (
        interval([result(f"t{n}", float(n % 3 > 0), repository=f"o/{n % size}") for n in range(8 * size)], "success")
        for size in (5, 50)
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


@pytest.mark.parametrize("clusters", [2, 3, 5, 8])
def test_exact_p_values_are_those_of_scipy(clusters: int) -> None:
    """Of whole numbers, whose sums have no rounding errors."""
    generator = np.random.default_rng(clusters)
    for _ in range(10):
        totals = generator.integers(-5, 6, clusters).astype(float)
        totals[0] = 1.0
        ones = np.ones(clusters)
        theirs = stats.permutation_test((totals,), np.sum, permutation_type="samples", n_resamples=2**clusters)
        ours, exact = sign_flip_test(ClusterSums(totals, ones, ones, 1.0, signed=True))
        assert (ours, exact) == (pytest.approx(theirs.pvalue), True)


def test_sums_that_differ_by_rounding_errors_alone_are_ties() -> None:
    """SciPy takes some of these sums, all of them zero, for larger than the others."""
    totals = np.array([0.9, 0.7, -0.6, 0.4, 0.5, 0.9, -2.8])
    ones = np.ones(len(totals))
    assert sign_flip_test(ClusterSums(totals, ones, ones, 1.0, signed=True)) == (1.0, True)


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
    for _ in range(400):
        sizes = np.maximum(1, np.round(np.exp(generator.normal(1.5, 0.9, 30)))).astype(int)
        values = np.repeat(generator.normal(0.05, 0.2, 30), sizes) + generator.normal(0, 0.3, sizes.sum())
        names = [str(name) for name in np.repeat(np.arange(30), sizes)]
        one = interval_of(sums_by_cluster(values, names, np.ones(len(values)), signed=True))
        hits += one.low <= 0.05 <= one.high
    assert 0.90 <= hits / 400 <= 0.98


def test_p_values_are_corrected_by_holm_over_the_pairs_of_systems() -> None:
    """Three systems, two alike: three comparisons, so the smallest p value counts three times."""
    results = [
        result(f"{place}", value, repository=f"o/{place}", system=system)
        for system, value in (("a", 1.0), ("b", 0.0), ("c", 0.0))
        for place in range(8)
    ]
    found = [one for one in compare_all(results, ["success"], ["a", "b", "c"], Analysis()) if one.window == "all"]
    p_value = 2 / 2**8
    assert [one.p_value for one in found] == [p_value, p_value, None]
    assert [one.corrected for one in found] == [3 * p_value, 3 * p_value, None]


def test_only_tasks_that_both_have_are_compared() -> None:
    first = [result("a", 1.0), result("b", None), result("c", 1.0)]
    second = [result("a", 0.0, system="two"), result("b", 1.0, system="two")]
    found = compare(first, second, "success")
    assert found.difference.tasks == 1


def test_a_task_twice_on_one_side_is_an_error() -> None:
    with pytest.raises(ValueError, match="twice"):
        compare([result("a", 1.0), result("a", 1.0)], [], "success")


@pytest.mark.parametrize(
    ("repositories", "systems", "enough"), [(5, 2, False), (6, 2, True), (7, 4, False), (8, 4, True), (15, 11, True)]
)
def test_a_difference_in_every_repository_is_significant_only_where_they_are_enough(
    repositories: int, systems: int, enough: bool
) -> None:
    """Two systems: 2 / 2^5 is 0.0625 and 2 / 2^6 is 0.03125; of four systems six pairs are corrected together."""
    names = [f"s{number}" for number in range(systems)]
    results = [
        result(f"t{repository}", float(number == 0), repository=f"o/{repository}", system=name)
        for number, name in enumerate(names)
        for repository in range(repositories)
    ]
    family = compare_all(results, ["success"], names, Analysis())[: systems * (systems - 1) // 2]
    assert may_be_significant(family, 0.95) is enough
    assert any((one.corrected or 1) <= 0.05 for one in family) is enough
