"""Failures that do not depend on the system, and the repository behind a failure rate.

A task that every system fails may be broken, and one that every system passes tells none from another. The
discrimination index of a task is the correlation, over systems, of its success with the success on all other
repositories' tasks.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from testevo.analysis.statistics.glossary import FAILURE_RATES
from testevo.analysis.statistics.metrics import macro
from testevo.analysis.statistics.results import TaskResult, included
from testevo.analysis.statistics.windows import month
from testevo.records.tasks import Track

DOMINANT_SHARE = 0.5
"""A repository dominates a rate when it holds at least half of it ..."""
DOMINANT_LIFT = 1.5
"""... and at least this many times its share of the tasks."""
LEAST_SYSTEMS = 3
"""Below this many systems a correlation over systems says nothing."""


@dataclass(frozen=True)
class Item:
    """A task over all systems."""

    task_id: str
    track: Track
    repository: str
    month: str
    systems: int
    success: float
    """Mean over systems, 0 to 1."""
    passing: int
    """Systems that fully succeed."""
    failing: int
    """Systems with no success at all."""
    discrimination: float | None

    @property
    def all_fail(self) -> bool:
        return self.failing == self.systems

    @property
    def all_pass(self) -> bool:
        return self.passing == self.systems


@dataclass(frozen=True)
class Group:
    """A repository or month: how many of its tasks all systems fail or pass."""

    name: str
    tasks: int
    all_fail: int
    all_pass: int
    success: float


@dataclass(frozen=True)
class Bounds:
    """How many tasks of a repository all systems fail or pass, when rows do not tell which task they are of."""

    track: Track
    repository: str
    tasks: int
    fail_at_least: int
    fail_at_most: int
    pass_at_least: int
    pass_at_most: int


@dataclass(frozen=True)
class Suspect:
    """A task to look at before its failures are held against a system."""

    task_id: str
    track: Track
    repository: str
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Influence:
    """The influence of one repository on a rate of one system: the rate with and without it."""

    system: str
    repository: str
    tasks: int
    task_share: float
    rate_share: float
    """Share of the summed rate that its tasks hold."""
    with_it: float | None
    without_it: float | None


@dataclass(frozen=True)
class Dominance:
    """A repository that holds most of a failure rate, over all systems."""

    key: str
    repository: str
    tasks: int
    task_share: float
    rate_share: float
    rate_inside: float
    """The rate among its own tasks."""
    by_system: tuple[Influence, ...]


def items(results: Iterable[TaskResult]) -> list[Item]:
    """Item analysis of tasks by task id; only tasks graded for every system of their track take part."""
    groups: dict[tuple[Track, str], list[TaskResult]] = defaultdict(list)
    systems: dict[Track, set[str]] = defaultdict(set)
    for result in included(results):
        groups[result.track, result.task_id].append(result)
        systems[result.track].add(result.system)
    scores = rest_scores([one for group in groups.values() for one in group])
    return [
        item(groups[key], scores) for key in sorted(groups) if {one.system for one in groups[key]} == systems[key[0]]
    ]


def rest_scores(results: Iterable[TaskResult]) -> Mapping[tuple[Track, str, str], float]:
    """Mean success by (track, system, repository left out): a repository's own tasks would vouch for each other."""
    totals: dict[tuple[Track, str], list[float]] = defaultdict(lambda: [0.0, 0.0])
    own: dict[tuple[Track, str, str], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for result in results:
        success = result.values.get("success") or 0.0
        for part in (totals[result.track, result.system], own[result.track, result.system, result.repository]):
            part[0] += success
            part[1] += 1
    scores = {}
    for (track, system, repository), (success, count) in own.items():
        everything, whole = totals[track, system]
        if whole > count:
            scores[track, system, repository] = (everything - success) / (whole - count)
    return scores


def item(group: Sequence[TaskResult], scores: Mapping[tuple[Track, str, str], float]) -> Item:
    first = group[0]
    values = [result.values.get("success") or 0.0 for result in group]
    rest = [scores.get((result.track, result.system, result.repository)) for result in group]
    return Item(
        task_id=first.task_id,
        track=first.track,
        repository=first.repository,
        month=month(first.day),
        systems=len(group),
        success=sum(values) / len(values),
        passing=sum(value == 1 for value in values),
        failing=sum(value == 0 for value in values),
        discrimination=correlation(values, rest),
    )


def correlation(values: Sequence[float], rest: Sequence[float | None]) -> float | None:
    """Pearson's; undefined with few systems or when one side does not vary."""
    pairs = [(value, other) for value, other in zip(values, rest, strict=True) if other is not None]
    if len(pairs) < LEAST_SYSTEMS:
        return None
    left, right = (np.array(side) for side in zip(*pairs, strict=True))
    if left.std() < 1e-12 or right.std() < 1e-12:
        return None
    return float(np.corrcoef(left, right)[0, 1])


def grouped(found: Sequence[Item], by: str) -> list[Group]:
    """Items by `repository` or `month`, those with most tasks that all systems fail first."""
    groups: dict[str, list[Item]] = defaultdict(list)
    for one in found:
        groups[one.repository if by == "repository" else one.month].append(one)
    rows = [
        Group(
            name=name,
            tasks=len(group),
            all_fail=sum(one.all_fail for one in group),
            all_pass=sum(one.all_pass for one in group),
            success=sum(one.success for one in group) / len(group),
        )
        for name, group in groups.items()
    ]
    return sorted(rows, key=lambda row: (-row.all_fail, row.success, row.name))


def agreement_bounds(results: Sequence[TaskResult]) -> list[Bounds]:
    """Sharp bounds per repository from the results of one track that are only known to be of a pair (`pair`).

    Of k tasks that S systems fail f1 .. fS times, at least f1 + .. + fS - (S - 1) k and at most min(f) are the same.
    The repositories with most tasks that all systems surely fail come first.
    """
    cells: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for result in included(results):
        cells[result.repository, result.pair][result.system].append(result.values.get("success") or 0.0)
    track = results[0].track if results else Track.UPDATE
    sums: dict[str, list[int]] = defaultdict(lambda: [0] * 5)
    for (repository, _), by_system in cells.items():
        tasks = max(len(values) for values in by_system.values())
        failed = [sum(value == 0 for value in values) for values in by_system.values()]
        passed = [sum(value == 1 for value in values) for values in by_system.values()]
        for place, number in enumerate((tasks, *shared_by_all(failed, tasks), *shared_by_all(passed, tasks))):
            sums[repository][place] += number
    found = [Bounds(track, repository, *numbers) for repository, numbers in sums.items()]
    return sorted(found, key=lambda one: (-one.fail_at_least, -one.fail_at_most, one.repository))


def shared_by_all(counts: Sequence[int], tasks: int) -> tuple[int, int]:
    """Least and largest size of what all of several subsets of `tasks` things share."""
    return max(0, sum(counts) - (len(counts) - 1) * tasks), min(counts)


def suspects(
    results: Sequence[TaskResult], *, gold: Sequence[TaskResult] = (), trivial: Sequence[TaskResult] = ()
) -> list[Suspect]:
    """Tasks whose outcome is likely the benchmark's fault, with every reason that applies.

    Args:
        results: of the systems under comparison, without controls.
        gold: of the developer's own tests, when they were graded.
        trivial: of tests that assert nothing of the task.
    """
    reasons: dict[tuple[Track, str], list[str]] = defaultdict(list)
    repositories = {(result.track, result.task_id): result.repository for result in (*results, *gold, *trivial)}
    by_task: dict[tuple[Track, str], list[TaskResult]] = defaultdict(list)
    for result in included(results):
        by_task[result.track, result.task_id].append(result)
    heavy = {(one.track, one.task_id): one for one in items(results) if one.systems > 1}
    for key, one in heavy.items():
        reasons[key] += item_reasons(one, by_task[key])
    for result in included(gold):
        if result.values.get("success") != 1:
            key = (result.track, result.task_id)
            reasons[key].append("the developer's own test does not reach full success")
            if any(other.values.get("success") == 1 for other in by_task[key]):
                reasons[key].append("a system succeeds where the developer's test does not")
    for result in included(trivial):
        if result.values.get("success"):
            reasons[result.track, result.task_id].append("a test that asserts nothing succeeds")
    return [
        Suspect(task_id, track, repositories[track, task_id], tuple(dict.fromkeys(reasons[track, task_id])))
        for track, task_id in sorted(reasons)
        if reasons[track, task_id]
    ]


def item_reasons(one: Item, group: Sequence[TaskResult]) -> list[str]:
    found = []
    if one.all_fail:
        found.append(f"all {one.systems} systems fail")
        told = {failure_of(result) for result in group}
        if len(told) == 1 and "" not in told:
            found.append(f"they fail alike: {told.pop()}")
    if one.discrimination is not None and one.discrimination < -0.5:
        found.append(f"weaker systems succeed and stronger ones fail (discrimination {one.discrimination:.2f})")
    return found


def failure_of(result: TaskResult) -> str:
    """The messages of the failing methods, without the names of the tests."""
    return "; ".join(sorted({reason.partition(": ")[2] for reason in result.reasons}))


def influences(results: Sequence[TaskResult], key: str) -> list[Influence]:
    """Leave one repository out: every system and repository, the most moving first. Results of one track."""
    by_system: dict[str, list[TaskResult]] = defaultdict(list)
    for result in included(results):
        if result.values.get(key) is not None:
            by_system[result.system].append(result)
    found = [
        influence(system, repository, group, key)
        for system, group in by_system.items()
        for repository in sorted({result.repository for result in group})
    ]
    # Rounded, so that the last digits of a sum do not decide about the order.
    moved = {id(one): round(abs((one.with_it or 0) - (one.without_it or 0)), 12) for one in found}
    return sorted(found, key=lambda one: (one.system, -moved[id(one)], one.repository))


def influence(system: str, repository: str, group: Sequence[TaskResult], key: str) -> Influence:
    own = [result for result in group if result.repository == repository]
    mass = sum(result.values[key] or 0.0 for result in group)
    return Influence(
        system=system,
        repository=repository,
        tasks=len(own),
        task_share=len(own) / len(group),
        rate_share=sum(result.values[key] or 0.0 for result in own) / mass if mass else 0.0,
        with_it=macro(group, key).value,
        without_it=without_repository(group, repository, key),
    )


def without_repository(results: Iterable[TaskResult], repository: str, key: str) -> float | None:
    """The macro average without a repository; None when nothing is left."""
    return macro((result for result in included(results) if result.repository != repository), key).value


def dominances(results: Sequence[TaskResult]) -> list[Dominance]:
    """Every failure rate that one repository dominates. Results of one track."""
    return [found for key in FAILURE_RATES if (found := dominance(results, key)) is not None]


def dominance(results: Sequence[TaskResult], key: str) -> Dominance | None:
    """The repository that holds most of a rate over all systems, if one does. Results of one track."""
    inside = [result for result in included(results) if result.values.get(key) is not None]
    mass: dict[str, float] = defaultdict(float)
    for result in inside:
        mass[result.repository] += result.values[key] or 0.0
    whole = sum(mass.values())
    if not whole:
        return None
    name = max(sorted(mass), key=lambda repository: mass[repository])
    own = [result for result in inside if result.repository == name]
    task_share, rate_share = len(own) / len(inside), mass[name] / whole
    if rate_share < DOMINANT_SHARE or rate_share < DOMINANT_LIFT * task_share:
        return None
    return Dominance(
        key=key,
        repository=name,
        tasks=len({result.task_id for result in own}),
        task_share=task_share,
        rate_share=rate_share,
        rate_inside=mass[name] / len(own),
        by_system=tuple(one for one in influences(inside, key) if one.repository == name),
    )
