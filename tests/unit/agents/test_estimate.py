"""Estimates before runs: from the expectation, from earlier runs, never above the budget."""

from datetime import date
from typing import Any

import pytest

from testevo.agents.gateway.prices import price_table
from testevo.agents.solving.estimate import Estimate, estimate
from testevo.config.solving import Solving
from testevo.records.agents.runs import AgentRun, RunStatus
from testevo.records.agents.usage import Budget, ModelUsage
from testevo.records.tasks import Track


def run(number: int, cost: float, status: RunStatus = RunStatus.FINISHED, **other: Any) -> AgentRun:
    made = AgentRun(
        system="s",
        task_id=f"task {number}",
        track=Track.UPDATE,
        repository="o/r",
        key="",
        program="command",
        version="1",
        model="gpt-5-mini",
        sandbox="bubblewrap",
        status=status,
        budget=Budget.model_validate({"cost_usd": 3.0, "seconds": 3600}),
        usage=ModelUsage(cost_usd=cost),
        wall_s=60.0,
        cpu_s=1.0,
        patch=None,
        trajectory="",
    )
    return made.model_copy(update=other)


def estimated(model: str, *done: AgentRun, cost: float = 3.0) -> Estimate:
    given = {"systems": {"s": {"model": model, "address": "http://x"}}, "attempts": 2, "budget": {"cost_usd": cost}}
    return estimate("s", Solving.model_validate(given), price_table(date(2026, 12, 1)), 10, done)


def test_without_runs_the_expectation_is_priced() -> None:
    one = estimated("gpt-5-mini")
    assert one.cost_each == pytest.approx((90_000 * 0.25 + 510_000 * 0.025 + 10_000 * 2) / 1e6)
    assert (one.runs, one.finished, one.most) == (20, 0, 180.0)
    assert one.hours == pytest.approx(20 * 420 / 3600)


def test_a_run_is_expected_to_cost_no_more_than_its_budget() -> None:
    assert estimated("gpt-5-mini", cost=0.01).cost_each == 0.01


def test_earlier_runs_tell_better_and_need_not_be_made() -> None:
    one = estimated("gpt-5-mini", run(1, 0.5), run(2, 1.5), run(3, 9.0, RunStatus.INFRASTRUCTURE))
    assert (one.cost_each, one.runs, one.finished, one.seconds_each) == (1.0, 18, 2, 60.0)


@pytest.mark.parametrize("other", [{"model": "m"}, {"program": "p"}, {"budget": Budget()}, {"attempt": 3}])
def test_runs_that_will_be_made_again_are_not_done(other: dict[str, Any]) -> None:
    """After a change of the model or the budget: a plan of nothing would be followed by the bill for all."""
    assert estimated("gpt-5-mini", run(1, 0.5), run(2, 9.0, **other)).finished == 1


def test_a_model_without_a_price_has_no_estimate() -> None:
    assert estimated("nobody/knows").cost is None
