"""The cost of runs before they are made: what is expected, and the most that the budget allows (F-15)."""

from collections.abc import Sequence
from dataclasses import dataclass

from testevo.agents.gateway.prices import PriceTable
from testevo.config.solving import Solving
from testevo.records.agents.runs import AgentRun, RunStatus
from testevo.records.agents.usage import Tokens


@dataclass(frozen=True)
class Estimate:
    """Of one system on some tasks."""

    system: str
    model: str
    runs: int
    """That are still to be made."""
    finished: int
    source: str
    """Where the numbers of one run come from."""
    cost_each: float | None
    """US dollars; None where the model has no price."""
    seconds_each: float
    most: float | None
    """US dollars at the budget of each try, the last call of a try not counted; None without such a budget."""

    @property
    def cost(self) -> float | None:
        return None if self.cost_each is None else self.cost_each * self.runs

    @property
    def hours(self) -> float:
        """Of one run at a time."""
        return self.seconds_each * self.runs / 3600


def estimate(system: str, solving: Solving, prices: PriceTable, tasks: int, done: Sequence[AgentRun]) -> Estimate:
    """What the runs of a system would cost that are not there yet.

    Args:
        done: its runs so far; where some ended by themselves or at a limit, theirs are the numbers.
    """
    model, budget = solving.systems[system].model, solving.budget
    counted = [run for run in done if run.status is not RunStatus.INFRASTRUCTURE]
    left = max(0, tasks * solving.attempts - len(counted))
    costs = [cost for run in counted if (cost := run.spent.usage.cost_usd) is not None]
    if costs:
        source, cost = f"mean of {len(costs)} runs", sum(costs) / len(costs)
        seconds = sum(run.spent.wall_s for run in counted) / len(counted)
        return _estimate(system, solving, left, len(counted), source, cost, seconds)
    expected = solving.expected
    tokens = Tokens(
        input=expected.input_tokens,
        cached_input=round(expected.input_tokens * expected.cached_share),
        output=expected.output_tokens,
    )
    price = prices.cost(model, tokens)
    capped = price if price is None or budget.cost_usd is None else min(price, budget.cost_usd)
    return _estimate(system, solving, left, len(counted), "solving.expected", capped, expected.seconds)


def _estimate(
    system: str, solving: Solving, left: int, finished: int, source: str, cost: float | None, seconds: float
) -> Estimate:
    limit = solving.budget.cost_usd
    most = None if limit is None else limit * left * solving.tries
    return Estimate(system, solving.systems[system].model, left, finished, source, cost, seconds, most)
