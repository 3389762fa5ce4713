"""The cost of runs before they are made: what is expected, and the most that the budget allows."""

from collections.abc import Sequence
from dataclasses import dataclass

from testevo.agents.gateway.prices import PriceTable
from testevo.config.solving import Solving
from testevo.records.agents.runs import AgentRun, RunStatus
from testevo.records.agents.usage import Budget, Tokens


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
        done: its runs so far; where some ended by themselves or at a limit, theirs are the numbers. Those of another
            model, program or budget will be made again, and do not count.
    """
    counted = [run for run in done if run.status is not RunStatus.INFRASTRUCTURE and _is_asked(run, system, solving)]
    left = max(0, tasks * solving.attempts - len(counted))
    model, limit = solving.systems[system].model, solving.budget.cost_usd
    costs = [cost for run in counted if (cost := run.spent.usage.cost_usd) is not None]
    if costs:
        source, cost = f"mean of {len(costs)} runs", sum(costs) / len(costs)
        seconds = sum(run.spent.wall_s for run in counted) / len(counted)
    else:
        source, cost, seconds = "solving.expected", _expected_cost(model, solving, prices), solving.expected.seconds
    most = None if limit is None else limit * left * solving.tries
    return Estimate(system, model, left, len(counted), source, cost, seconds, most)


def _is_asked(run: AgentRun, system: str, solving: Solving) -> bool:
    """Whether a run is one of those that are asked for now, as far as its record tells."""
    asked, budget = solving.systems[system], Budget.model_validate(solving.budget.model_dump())
    is_same = (run.program, run.model, run.budget) == (asked.program, asked.model, budget)
    return is_same and run.attempt <= solving.attempts


def _expected_cost(model: str, solving: Solving, prices: PriceTable) -> float | None:
    expected, limit = solving.expected, solving.budget.cost_usd
    tokens = Tokens(
        input=expected.input_tokens,
        cached_input=round(expected.input_tokens * expected.cached_share),
        output=expected.output_tokens,
    )
    price = prices.cost(model, tokens)
    return price if price is None or limit is None else min(price, limit)
