"""Costs and caps (TEB-V27, V28)."""

import pytest
from grading_factories import evidence, graded, lines, method, score, task
from hypothesis import given
from hypothesis import strategies as st

from testevo.analysis.statistics.costs import capped, operating_point
from testevo.analysis.statistics.metrics import macro, micro
from testevo.analysis.statistics.results import task_results
from testevo.records.evaluation.grading import Grade, Undefined, Weakening

S, E = Grade.SUCCESS, Grade.EXEC_FAIL
RECORDS = [
    graded("a", method(S), cost=0.4, tokens=100),
    graded("b", method(S, "t0"), method(E, "t1"), cost=0.9, tokens=300),
    graded("c", method(S), cost=2.0, tokens=900),
    graded("d", method(E), cost=None),
]


def test_a_cap_turns_dear_tasks_into_harness_failures() -> None:
    """TEB-V28: at $1 one of four tasks is too dear; one task has no recorded cost and is kept."""
    point = operating_point(task_results(RECORDS), 1.0)
    assert (point.tasks, point.unknown) == (4, 1)
    assert point.kept == pytest.approx(2 / 3)
    assert point.success_macro == pytest.approx((1 + 0.5 + 0 + 0) / 4)
    assert point.success_micro == pytest.approx(2 / 5)
    assert point.harness_macro == pytest.approx(0.25)
    assert point.harness_micro == pytest.approx(0.2)


def test_averages_are_over_tasks_at_or_below_the_cap() -> None:
    """TEB-V27."""
    point = operating_point(task_results(RECORDS), 0.9)
    assert point.average_cost == pytest.approx(0.65)
    assert point.average_tokens == pytest.approx(200)
    assert point.average_seconds is None


def test_run_times_are_averaged_over_the_same_tasks_as_tokens() -> None:
    """The wall time that a prediction names; tasks without one are left out."""
    timed = [
        one.model_copy(update={"wall_s": seconds}) for one, seconds in zip(RECORDS, (10, None, 90, 5), strict=True)
    ]
    assert operating_point(task_results(timed), 2.0).average_seconds == pytest.approx(50)
    assert operating_point(task_results(timed), 1.0).average_seconds == pytest.approx(10)


def test_a_task_at_exactly_the_cap_is_kept() -> None:
    assert operating_point(task_results(RECORDS), 2.0).success_macro == macro(task_results(RECORDS), "success").value


def test_nothing_is_said_of_the_passing_methods_of_a_capped_task() -> None:
    weak = method(S, undefined=Undefined.NO_DATA).model_copy(update={"weakening": (Weakening.NO_ASSERTION,)})
    idle = method(S, "idle", mutation=score(0, 4))
    [before] = results = task_results([graded("a", weak, idle, cost=9)])
    assert before.weakened and before.unmeasured
    [after] = capped(results, 1)
    assert (after.weakened, after.unasserted, after.unmeasured) == ((), (), ())


def test_a_capped_task_still_sums_to_one_and_keeps_the_developers_values() -> None:
    known = task("a", evidence(coverage=lines(1, 2)))
    result = capped(task_results([graded("a", method(S, coverage=lines(2, 2)), cost=9)], [known]), 1)[0]
    assert (result.values["success"], result.values["harness_fail"], result.values["pass"]) == (0, 1, 0)
    assert (result.values["coverage_pred"], result.values["coverage_pred_success"]) == (0, None)
    assert (result.values["coverage_gold"], result.values["coverage_gold_on_pass"]) == (0.5, None)
    assert "above the cap of 1.00" in result.reasons[0]


costs = st.one_of(st.none(), st.floats(0, 5))
runs = st.lists(st.tuples(costs, st.lists(st.sampled_from([S, E]), min_size=1, max_size=3)), min_size=1, max_size=8)


@given(runs, st.floats(0, 5), st.floats(0, 5))
def test_success_only_rises_with_the_cap(run: list, one: float, other: float) -> None:
    """For success and harness failures, macro and micro."""
    records = [
        graded(f"t{place}", *(method(grade, f"m{n}") for n, grade in enumerate(grades)), cost=cost)
        for place, (cost, grades) in enumerate(run)
    ]
    low, high = (capped(task_results(records), cap) for cap in sorted((one, other)))
    for average in (macro, micro):
        assert (average(low, "success").value or 0) <= (average(high, "success").value or 0) + 1e-12
        assert (average(low, "harness_fail").value or 0) + 1e-12 >= (average(high, "harness_fail").value or 0)


def test_an_operating_point_is_of_one_system() -> None:
    with pytest.raises(ValueError, match="one system"):
        operating_point(task_results([*RECORDS, graded("a", method(S), system="two")]), 1)
