"""pass@k and attempt@k of several attempts, against all subsets of attempts."""

from itertools import combinations

import pytest
from grading_factories import graded, method
from hypothesis import given, settings
from hypothesis import strategies as st

from testevo.analysis.reporting.audit_tables import attempt_table
from testevo.analysis.reporting.report import build_report
from testevo.analysis.statistics.attempts import AttemptPoint, pass_at_k
from testevo.config.model import Analysis
from testevo.records.evaluation.grading import Grade, GradedTask
from testevo.records.tasks import Track

S, E, C = Grade.SUCCESS, Grade.EXEC_FAIL, Grade.COMPILE_FAIL
NAMES = ("mine", "mine@2", "mine@3", "mine@4", "mine@5")


def points(records: list[GradedTask], cap: float | None = None) -> dict[tuple[str, str, int], AttemptPoint]:
    report = build_report(records, [], Analysis(), cost_cap=cap)
    return {(one.system, one.key, one.k): one for one in report.tracks[Track.UPDATE].attempts}


@given(st.lists(st.booleans(), min_size=1, max_size=9), st.data())
def test_the_estimator_is_the_mean_over_all_subsets_of_attempts(attempts: list[bool], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(attempts)))
    subsets = list(combinations(attempts, k))
    expected = sum(map(any, subsets)) / len(subsets)
    assert pass_at_k(len(attempts), sum(attempts), k) == pytest.approx(expected, abs=1e-12)


@given(st.integers(1, 30), st.data())
def test_more_attempts_and_more_successes_never_lower_it(attempts: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, attempts))
    values = [pass_at_k(attempts, successes, k) for k in range(1, attempts + 1)]
    assert values == sorted(values) and values[0] == pytest.approx(successes / attempts)
    assert values[-1] == float(successes > 0)
    if successes < attempts:
        assert all(pass_at_k(attempts, successes + 1, k) >= pass_at_k(attempts, successes, k) for k in (1, attempts))


@pytest.mark.parametrize(("attempts", "successes", "k"), [(2, 1, 3), (2, 3, 1), (2, 1, 0), (0, 0, 1), (2, -1, 1)])
def test_what_is_undefined_is_refused(attempts: int, successes: int, k: int) -> None:
    with pytest.raises(ValueError, match="undefined"):
        pass_at_k(attempts, successes, k)


outcomes = st.lists(
    st.lists(st.lists(st.sampled_from([S, E, C]), min_size=2, max_size=2), min_size=3, max_size=3),
    min_size=1,
    max_size=4,
)


@given(outcomes)
@settings(max_examples=25)
def test_tables_agree_with_all_subsets_of_a_systems_attempts(tasks: list[list[list[Grade]]]) -> None:
    """Of each task three attempts at two methods; macro, micro, whole tasks and the first k, by enumeration."""
    records = [
        graded(f"t{n}", *(method(grade, f"m{place}") for place, grade in enumerate(grades)), system=name)
        for n, attempts in enumerate(tasks)
        for name, grades in zip(NAMES, attempts, strict=False)
    ]
    found = points(records)
    for k in (1, 2, 3):
        successes, whole, first = [], [], []
        for attempts in tasks:
            subsets = list(combinations(attempts, k))
            successes += [sum(any(g[m] is S for g in one) for one in subsets) / len(subsets) for m in (0, 1)]
            whole.append(sum(any(set(g) == {S} for g in one) for one in subsets) / len(subsets))
            first += [float(any(grades[m] is S for grades in attempts[:k])) for m in (0, 1)]
        success, resolved = found["mine", "success", k], found["mine", "resolved", k]
        assert success.pass_at_k.estimate == pytest.approx(sum(successes) / len(successes))
        assert success.pass_at_k_micro == pytest.approx(sum(successes) / len(successes))
        assert success.attempt_at_k == pytest.approx(sum(first) / len(first))
        assert resolved.pass_at_k.estimate == pytest.approx(sum(whole) / len(whole))
        assert found["mine", "compiles", k].pass_at_k.estimate >= success.pass_at_k.estimate
    at_one = {name: build_report([one for one in records if one.system == name], [], Analysis()) for name in NAMES[:3]}
    means = [report.summaries[0].macro["success"].value for report in at_one.values()]
    assert found["mine", "success", 1].pass_at_k.estimate == pytest.approx(sum(means) / 3)


def test_all_other_numbers_are_of_first_attempts() -> None:
    """Adding attempts changes no summary, comparison, cost, suspect or list of tasks."""
    first = [graded(f"t{n}", method(S if n else E), system=name, cost=1.0) for n in range(4) for name in ("mine", "b")]
    further = [graded(f"t{n}", method(S), system="mine@2", cost=2.0) for n in range(4)]
    alone, both = build_report(first, [], Analysis()), build_report([*first, *further], [], Analysis())
    assert both.systems == ("b", "mine") and both.results == alone.results
    assert (both.summaries, both.costs, both.items, both.suspects) == (
        alone.summaries,
        alone.costs,
        alone.items,
        alone.suspects,
    )
    mine = both.tracks[Track.UPDATE]
    assert mine.comparisons == alone.tracks[Track.UPDATE].comparisons and not alone.tracks[Track.UPDATE].attempts
    assert {one.system for one in mine.attempts} == {"mine"}
    table = attempt_table(mine.attempts, Track.UPDATE)
    assert ("mine", "Success", 2, 4, 0, 1.0) in [row[:6] for row in table.rows]


def test_attempts_of_one_system_never_count_for_another() -> None:
    """`b@2` has no system `b`, and `mine@2` is graded with `mine` alone."""
    records = [graded("t", method(E), system=name) for name in ("mine", "mine@2", "min")]
    records += [graded("t", method(S), system=name) for name in ("b@2", "other", "other@2")]
    found = points(records)
    assert {system for system, _, _ in found} == {"mine", "other"}
    assert found["mine", "success", 2].pass_at_k.estimate == 0
    assert found["other", "success", 2].pass_at_k.estimate == 1
    assert "b@2" in build_report(records, [], Analysis()).systems


def test_tasks_with_fewer_attempts_are_left_out_and_counted() -> None:
    """The harness failed on the second attempt at `a`; a missing prediction is a failed attempt."""
    records = [graded("a", method(S)), graded("a", method(E), system="one@2", infrastructure="disk")]
    records += [graded("b", method(E)), graded("b", method(S), system="one@2")]
    found = points(records)
    assert found["one", "success", 1].pass_at_k.estimate == pytest.approx(0.75)
    two = found["one", "success", 2]
    assert (two.pass_at_k.tasks, two.fewer, two.pass_at_k.estimate) == (1, 1, 1)


def test_a_cost_cap_holds_for_every_attempt() -> None:
    records = [graded("a", method(E), cost=0.1), graded("a", method(S), system="one@2", cost=5.0)]
    assert points(records)["one", "success", 2].pass_at_k.estimate == 1
    assert points(records, 1.0)["one", "success", 2].pass_at_k.estimate == 0


def test_intervals_take_repositories_as_clusters() -> None:
    records = [
        graded(f"t{n}", method(S if n % 3 else E), system=name, repository=f"o/{n % 8}")
        for n in range(24)
        for name in ("mine", "mine@2")
    ]
    one = points(records)["mine", "success", 2].pass_at_k
    assert one.clusters == 8 and one.low is not None and one.high is not None
    assert one.low < 2 / 3 < one.high
