"""What several attempts of a system reach: pass@k and attempt@k of every rate that should be high.

`pass@k` is the chance that at least one of k attempts has the rate, estimated without bias from all attempts at a task
(Chen et al. 2021, "Evaluating large language models trained on code"). `attempt@k`: one of the first k has it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb

from testevo.analysis.statistics.glossary import RATES
from testevo.analysis.statistics.intervals import Interval, interval
from testevo.analysis.statistics.metrics import macro, micro
from testevo.analysis.statistics.results import Sum, TaskResult
from testevo.config.model import Analysis
from testevo.config.systems import attempts_of
from testevo.records.evaluation.grading import GradedTask
from testevo.records.tasks import Track

RESOLVED = "resolved"
"""One attempt succeeds in every target method of the task."""
ATTEMPTED = (RESOLVED, *(metric.key for metric in RATES if metric.better == "up"))
_PASS, _FIRST = "pass_at_k", "attempt_at_k"


@dataclass(frozen=True)
class AttemptPoint:
    """One metric of a system's attempts at one k, over the tasks with at least k attempts."""

    system: str
    key: str
    k: int
    pass_at_k: Interval
    """Macro: every task weighs the same; repositories are the clusters."""
    pass_at_k_micro: float | None
    """Every method weighs the same; for `resolved`, every task."""
    attempt_at_k: float | None
    """Macro, of the first k attempts in their order."""
    fewer: int
    """Tasks with fewer attempts, which are left out."""


def pass_at_k(attempts: int, successes: int, k: int) -> float:
    """The chance that k attempts, drawn without replacement from those made, hold a success.

    Raises:
        ValueError: there are fewer than k attempts, more successes than attempts, or k is below 1.
    """
    if not 1 <= k <= attempts or not 0 <= successes <= attempts:
        raise ValueError(f"pass@{k} is undefined for {successes} successes in {attempts} attempts")
    return 1 - comb(attempts - successes, k) / comb(attempts, k)


def first_attempts(graded: Sequence[GradedTask], controls: Collection[str]) -> list[GradedTask]:
    """The records of controls and of systems' first attempts, in their order."""
    first = {*controls, *attempts_of({one.system for one in graded}.difference(controls))}
    return [one for one in graded if one.system in first]


def attempt_points(
    results: Sequence[TaskResult], track: Track, attempts: Mapping[str, Sequence[str]], settings: Analysis
) -> list[AttemptPoint]:
    """All points on a track of the systems with more than one attempt.

    Args:
        results: of all attempts.
        attempts: the names of each system's attempts in the results, in their order.
    """
    points = []
    for system, names in sorted(attempts.items()):
        by_task = _by_task([one for one in results if one.track is track], names) if len(names) > 1 else []
        if by_task:
            points += [
                _point(system, key, k, by_task, settings)
                for key in ATTEMPTED
                for k in range(1, max(map(len, by_task)) + 1)
            ]
    return points


def _by_task(results: Sequence[TaskResult], names: Sequence[str]) -> list[list[TaskResult]]:
    """The attempts at each task, in their order, without those that say nothing of the system."""
    found: dict[str, list[TaskResult]] = {}
    for name in names:
        for result in results:
            if result.system == name and result.excluded is None:
                found.setdefault(result.task_id, []).append(result)
    return [found[task] for task in sorted(found)]


def _point(system: str, key: str, k: int, by_task: Sequence[Sequence[TaskResult]], settings: Analysis) -> AttemptPoint:
    tried = [_of_task(key, k, attempts) for attempts in by_task if len(attempts) >= k]
    return AttemptPoint(
        system=system,
        key=key,
        k=k,
        pass_at_k=interval(tried, _PASS, settings),
        pass_at_k_micro=micro(tried, _PASS).value,
        attempt_at_k=macro(tried, _FIRST).value,
        fewer=len(by_task) - len(tried),
    )


def _of_task(key: str, k: int, attempts: Sequence[TaskResult]) -> TaskResult:
    """The attempts at a task as one result, with a value for pass@k and one for attempt@k."""
    flags = [(all(one.rates["success"]),) if key == RESOLVED else one.rates[key] for one in attempts]
    passed = [pass_at_k(len(attempts), sum(method), k) for method in zip(*flags, strict=True)]
    first = [float(any(method)) for method in zip(*flags[:k], strict=True)]
    values = {_PASS: sum(passed) / len(passed), _FIRST: sum(first) / len(first)}
    return replace(attempts[0], values=values, sums={_PASS: Sum(sum(passed), len(passed))})
