"""Costs of a system, and its results within a cost cap (TEB-V27, V28).

A cap turns every task that cost more into a harness failure; a task without a recorded cost is never capped and is
counted. Success can only rise with the cap.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from testevo.analysis.statistics.metrics import macro, mean, micro
from testevo.analysis.statistics.results import TaskResult, as_harness_failure, included


@dataclass(frozen=True)
class OperatingPoint:
    """One system at one cap; `cap` None is the run as it was."""

    system: str
    cap: float | None
    tasks: int
    unknown: int
    """Tasks without a recorded cost."""
    kept: float | None
    """Share of the tasks with a known cost that cost at most the cap."""
    average_cost: float | None
    """US dollars, over tasks at or below the cap."""
    average_tokens: float | None
    average_seconds: float | None
    """Wall time of the system's runs, over the same tasks as tokens."""
    success_macro: float | None
    success_micro: float | None
    harness_macro: float | None
    harness_micro: float | None


def capped(results: Iterable[TaskResult], cap: float | None) -> list[TaskResult]:
    """The results with every task above the cap as a harness failure."""
    return [
        as_harness_failure(result, f"cost {result.cost_usd:.2f} is above the cap of {cap:.2f} US dollars")
        if cap is not None and result.cost_usd is not None and result.cost_usd > cap
        else result
        for result in results
    ]


def operating_point(results: Iterable[TaskResult], cap: float | None) -> OperatingPoint:
    """Table 10's row of one system; the results must be of one system and one track.

    Raises:
        ValueError: no result, or more than one system.
    """
    inside = included(results)
    systems = {result.system for result in inside}
    if len(systems) != 1:
        raise ValueError(f"an operating point is of one system, not of {sorted(systems)}")
    known = [result for result in inside if result.cost_usd is not None]
    below = [result for result in known if cap is None or (result.cost_usd or 0) <= cap]
    averaged = below if known else inside
    after = capped(inside, cap)
    return OperatingPoint(
        system=systems.pop(),
        cap=cap,
        tasks=len(inside),
        unknown=len(inside) - len(known),
        kept=len(below) / len(known) if known else None,
        average_cost=mean(result.cost_usd for result in below),
        average_tokens=mean(result.tokens for result in averaged),
        average_seconds=mean(result.seconds for result in averaged),
        success_macro=macro(after, "success").value,
        success_micro=micro(after, "success").value,
        harness_macro=macro(after, "harness_fail").value,
        harness_micro=micro(after, "harness_fail").value,
    )
