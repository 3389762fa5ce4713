"""Averages over tasks and over methods, always told apart (TEB-V08, V09, V22).

Macro: every task weighs the same, whatever its number of methods. Micro: every method weighs the same.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from testevo.analysis.statistics.glossary import metrics_of
from testevo.analysis.statistics.results import TaskResult, included
from testevo.records.evaluation.grading import PASSING, GradedTask
from testevo.records.tasks import Track


@dataclass(frozen=True)
class Average:
    """A mean and what it is taken over; None over nothing: undefined is not zero."""

    value: float | None
    count: int
    """Tasks (macro) or methods (micro)."""


@dataclass(frozen=True)
class Summary:
    """The metrics of one system on one track."""

    system: str
    track: Track
    tasks: int
    """Tasks in the aggregates."""
    methods: int | None
    repositories: int
    macro: Mapping[str, Average]
    micro: Mapping[str, Average]
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Tasks outside the aggregates, by kind: infrastructure, quarantined."""
    worst: Mapping[str, Average] = field(default_factory=dict)
    """Success by averaging (`macro`, `micro`) with every task outside the aggregates as a failure."""


def macro(results: Iterable[TaskResult], key: str) -> Average:
    """Mean over the tasks where the metric is defined (TEB-V22)."""
    values = [value for result in results if (value := result.values.get(key)) is not None]
    return Average(sum(values) / len(values) if values else None, len(values))


def micro(results: Iterable[TaskResult], key: str) -> Average:
    """Mean over methods: their full count for rates and wide values, the measured ones for narrow values (TEB-V09)."""
    sums = [one for result in results if (one := result.sums.get(key)) is not None]
    count = sum(one.count for one in sums)
    return Average(sum(one.total for one in sums) / count if count else None, count)


def summarise(results: Sequence[TaskResult]) -> list[Summary]:
    """A summary per system and track that has tasks, sorted."""
    groups: dict[tuple[str, Track], list[TaskResult]] = {}
    for result in results:
        groups.setdefault((result.system, result.track), []).append(result)
    return [summary(system, track, groups[system, track]) for system, track in sorted(groups)]


def summary(system: str, track: Track, results: Sequence[TaskResult]) -> Summary:
    inside = included(results)
    sizes = [result.methods for result in inside]
    keys = [metric.key for metric in metrics_of(track)]
    return Summary(
        system=system,
        track=track,
        tasks=len(inside),
        methods=None if None in sizes else sum(size or 0 for size in sizes),
        repositories=len({result.repository for result in inside}),
        macro={key: macro(inside, key) for key in keys},
        micro={key: micro(inside, key) for key in keys},
        left_out=Counter(one.excluded.partition(":")[0] for one in results if one.excluded is not None),
        worst=worst_success(results),
    )


def worst_success(results: Sequence[TaskResult]) -> dict[str, Average]:
    """Success where every task that is in no aggregate counts as a failure: nobody gains by being left out."""
    outside = [result for result in results if result.excluded is not None]
    inside = included(results)
    return {
        "macro": _diluted(macro(inside, "success"), len(outside)),
        "micro": _diluted(micro(inside, "success"), sum(result.methods or 0 for result in outside)),
    }


def _diluted(average: Average, failures: int) -> Average:
    """The average over some more, all of which fail."""
    count = average.count + failures
    value = 0.0 if average.value is None else average.value * average.count
    known = average.value is not None or failures
    return Average(value / count if count and known else None, count)


def run_warnings(results: Sequence[TaskResult], controls: Collection[str] = ()) -> list[str]:
    """Signs of a broken run, a sentence each: nothing measured although asked, nothing resolved.

    A run that was asked not to measure has no value either way and is not named.

    Args:
        controls: names of control submissions, of which some submit nothing on purpose.
    """
    said = []
    for one in summarise(results):
        name = f"{one.system} on {one.track.value}"
        if not one.tasks:
            said.append(f"{name}: no task is left for the aggregates ({counted(one.left_out)}).")
            continue
        passed = one.macro["pass"].value or 0
        for stem, what in (("coverage", "coverage"), ("mutation_score", "mutation")):
            asked = one.macro[f"{stem}_pred"].value is not None
            if passed and asked and one.macro[f"{stem}_pred_success"].value is None:
                said.append(
                    f"{name}: tests pass, but not one of them has a {what} value, which was asked for "
                    f"({counted(why_unmeasured(results, one, stem))})."
                )
        if one.macro["harness_fail"].value == 1 and one.system not in controls:
            said.append(f"{name}: every task is a harness failure. Run `testevo lint` on the predictions.")
    return said


def why_unmeasured(results: Iterable[TaskResult], one: Summary, stem: str) -> Counter[str]:
    """Reasons for having no value, with the number of methods."""
    own = [result for result in included(results) if (result.system, result.track) == (one.system, one.track)]
    return Counter(reason.value for result in own for kind, reason in result.unmeasured if kind == stem)


def counted(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) or "none was graded"


@dataclass(frozen=True)
class MutationStatistics:
    """The paper's Table 4 for one system and track (TEB-V26); means over methods with at least one mutant."""

    system: str
    track: Track
    tasks: int
    methods: int
    with_mutants: float
    """Methods that were run against at least one mutant; a mean over systems need not be whole."""
    share: float | None
    generated: float | None
    killed: float | None
    kill_rate: float | None
    """Mean of the methods' own rates."""
    pooled_rate: float | None
    """All killed over all generated: smaller methods weigh less."""


def mutation_statistics(
    graded: Iterable[GradedTask],
    outside: Iterable[tuple[str, str, Track]] = (),
    capped: Iterable[tuple[str, str, Track]] = (),
) -> list[MutationStatistics]:
    """Table 4 per system and track.

    Args:
        outside: (system, task id, track) of tasks that are in no aggregate.
        capped: of tasks above a cost cap: their methods count, and none of them passes.
    """
    left_out, failed = set(outside), set(capped)
    groups: dict[tuple[str, Track], list[GradedTask]] = {}
    for record in graded:
        if (record.system, record.task_id, record.track) not in left_out:
            groups.setdefault((record.system, record.track), []).append(record)
    return [statistics_of(system, track, groups[system, track], failed) for system, track in sorted(groups)]


def statistics_of(
    system: str, track: Track, records: Sequence[GradedTask], failed: Set[tuple[str, str, Track]]
) -> MutationStatistics:
    methods = [method for record in records for method in record.methods]
    scores = [
        method.mutation
        for record in records
        if (system, record.task_id, track) not in failed
        for method in record.methods
        if method.grade in PASSING and method.mutation is not None and method.mutation.mutants
    ]
    mutants, killed = sum(one.mutants for one in scores), sum(one.killed for one in scores)
    count = len(scores)
    return MutationStatistics(
        system=system,
        track=track,
        tasks=len(records),
        methods=len(methods),
        with_mutants=count,
        share=count / len(methods) if methods else None,
        generated=mutants / count if count else None,
        killed=killed / count if count else None,
        kill_rate=mean(one.killed / one.mutants for one in scores),
        pooled_rate=killed / mutants if mutants else None,
    )


def averaged_over_systems(rows: Sequence[MutationStatistics], systems: Iterable[str]) -> list[MutationStatistics]:
    """One row per track, the mean over systems, as the paper's Table 4 has it."""
    wanted = set(systems)
    found = []
    for track in Track:
        mine = [row for row in rows if row.track is track and row.system in wanted]
        if mine:
            found.append(
                MutationStatistics(
                    system="mean",
                    track=track,
                    tasks=max(row.tasks for row in mine),
                    methods=max(row.methods for row in mine),
                    with_mutants=sum(row.with_mutants for row in mine) / len(mine),
                    share=mean(row.share for row in mine),
                    generated=mean(row.generated for row in mine),
                    killed=mean(row.killed for row in mine),
                    kill_rate=mean(row.kill_rate for row in mine),
                    pooled_rate=mean(row.pooled_rate for row in mine),
                )
            )
    return found


def mean(values: Iterable[float | None]) -> float | None:
    """Over the values that are there; None where none is."""
    there = [value for value in values if value is not None]
    return sum(there) / len(there) if there else None
