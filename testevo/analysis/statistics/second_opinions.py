"""Agreement of PIT with the mutation scores: per task, and in one row per system and track.

PIT's mutants are others, made of byte code by its own operators, so equal scores are not to be expected; what is looked
at is whether both put the tasks into one order, and whether they say the same of tests that kill all or nothing. A task
is compared over its test methods that have both scores.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import methodcaller
from statistics import fmean
from typing import Literal

from testevo.analysis.output.file_names import SECOND_OPINIONS
from testevo.analysis.output.tables import Column, Table, table_of
from testevo.analysis.statistics.results import exclusion
from testevo.records.evaluation.grading import PASSING, GradedTask, MethodResult
from testevo.records.evaluation.second_opinions import MethodOpinion, PitStatus, SecondOpinion
from testevo.records.evidence.mutants import MutationScore
from testevo.records.tasks import Track

Extent = Literal["all", "some", "none"]
OURS: dict[str, Callable[[MutationScore], float | None]] = {
    "paper": lambda score: score.paper,
    "strict": lambda score: score.strict,
}
"""Our scores, by name; PIT is held against each."""
LEAST_TASKS = 3
"""Fewer have no rank correlation worth the name."""


@dataclass(frozen=True)
class Pair:
    """Both scores of one task, each the mean over the test methods that have both; 0 to 1."""

    ours: float
    pit: float


@dataclass(frozen=True)
class ComparedTask:
    """One system on one task: its passing test methods, asked of both."""

    system: str
    task_id: str
    track: Track
    methods: int
    """Passing."""
    with_ours: int
    with_pit: int
    mutants: int
    """Ours, over the methods with a score."""
    killed: int
    opinions: tuple[MethodOpinion, ...]
    pairs: dict[str, Pair]
    """By name of our score; without those that no method has both for."""

    def count(self, status: PitStatus) -> int:
        return sum(one.count(status) for one in self.opinions)

    @property
    def reasons(self) -> str:
        """Why PIT has no score, with the number of methods."""
        why = [one.undefined.value for one in self.opinions if one.undefined is not None]
        return ", ".join(f"{reason} ({why.count(reason)})" for reason in sorted(set(why)))


@dataclass(frozen=True)
class Agreement:
    """Over the tasks that have both scores. Statistics are None where they are undefined."""

    tasks: int
    all_of_both: int
    some_of_both: int
    none_of_both: int
    ours: float | None
    pit: float | None
    difference: float | None
    """Mean absolute difference of the scores of a task."""
    spearman: float | None


def extent(score: float) -> Extent:
    """How many of the mutants are killed."""
    return "all" if score == 1 else "none" if score == 0 else "some"


def agreement(pairs: Sequence[Pair]) -> Agreement:
    """The agreement of both mutation engines on the pairs of some tasks."""
    same = [extent(pair.ours) for pair in pairs if extent(pair.ours) == extent(pair.pit)]
    return Agreement(
        tasks=len(pairs),
        all_of_both=same.count("all"),
        some_of_both=same.count("some"),
        none_of_both=same.count("none"),
        ours=fmean(pair.ours for pair in pairs) if pairs else None,
        pit=fmean(pair.pit for pair in pairs) if pairs else None,
        difference=fmean(abs(pair.ours - pair.pit) for pair in pairs) if pairs else None,
        spearman=spearman(pairs),
    )


def spearman(pairs: Sequence[Pair]) -> float | None:
    """Rank correlation, ties by mean rank; None for fewer than three pairs, or where one side is always the same."""
    from scipy import stats  # slow, and every command imports this module

    ours, pit = [pair.ours for pair in pairs], [pair.pit for pair in pairs]
    if len(pairs) < LEAST_TASKS or len(set(ours)) == 1 or len(set(pit)) == 1:
        return None
    return float(stats.spearmanr(ours, pit).statistic)


def compared_tasks(graded: Iterable[GradedTask], opinions: Iterable[SecondOpinion]) -> list[ComparedTask]:
    """Every task with a passing test method, sorted by system, track and task; those out of aggregates are left out.

    Raises:
        ValueError: a task has no opinion, or one on another grade.
    """
    asked = {(one.system, one.task_id, one.track): one for one in opinions}
    found = []
    for record in sorted(graded, key=lambda one: (one.system, one.track, one.task_id)):
        opinion = asked.get((record.system, record.task_id, record.track))
        if opinion is None or opinion.key != record.key:
            raise ValueError(f"{record.system}, {record.task_id}: PIT was not asked about this grade")
        if exclusion(record) is None and any(method.grade in PASSING for method in record.methods):
            found.append(_compared(record, opinion))
    return found


def _compared(record: GradedTask, opinion: SecondOpinion) -> ComparedTask:
    by_test = {one.test: one for one in opinion.methods}
    passing = [(method, by_test[method.test]) for method in record.methods if method.grade in PASSING]
    scores = [method.mutation for method, _ in passing if method.mutation is not None]
    return ComparedTask(
        system=record.system,
        task_id=record.task_id,
        track=record.track,
        methods=len(passing),
        with_ours=sum(score.paper is not None for score in scores),
        with_pit=sum(one.score is not None for _, one in passing),
        mutants=sum(score.mutants for score in scores),
        killed=sum(score.killed for score in scores),
        opinions=tuple(one for _, one in passing),
        pairs={name: pair for name in OURS if (pair := _pair(passing, name)) is not None},
    )


def _pair(passing: Sequence[tuple[MethodResult, MethodOpinion]], name: str) -> Pair | None:
    both = [
        (ours, one.score)
        for method, one in passing
        if method.mutation is not None and (ours := OURS[name](method.mutation)) is not None and one.score is not None
    ]
    return Pair(fmean(ours for ours, _ in both), fmean(pit for _, pit in both)) if both else None


def summary_table(tasks: Sequence[ComparedTask]) -> Table:
    """One row per system, track and score of ours."""
    groups = sorted({(one.track, one.system) for one in tasks})
    rows: list[tuple[Track, str, str, list[ComparedTask], Agreement]] = []
    for track, system in groups:
        mine = [one for one in tasks if (one.track, one.system) == (track, system)]
        for name in OURS:
            found = agreement([one.pairs[name] for one in mine if name in one.pairs])
            rows.append((track, system, name, mine, found))
    return table_of(
        SECOND_OPINIONS[0],
        "PIT as a second opinion on the mutation score",
        rows,
        (
            (Column("Track"), lambda row: row[0].value),
            (Column("System"), lambda row: row[1]),
            (Column("Our score"), lambda row: row[2]),
            (Column("Tasks", "count"), lambda row: len(row[3])),
            (
                Column("Only we have mutants", "count"),
                lambda row: sum(one.with_ours > 0 and one.with_pit == 0 for one in row[3]),
            ),
            (
                Column("Only PIT has mutants", "count"),
                lambda row: sum(one.with_pit > 0 and one.with_ours == 0 for one in row[3]),
            ),
            (Column("Both have", "count"), lambda row: row[4].tasks),
            (Column("Both: all killed", "count"), lambda row: row[4].all_of_both),
            (Column("Both: some", "count"), lambda row: row[4].some_of_both),
            (Column("Both: none", "count"), lambda row: row[4].none_of_both),
            (Column("Ours", "percent"), lambda row: row[4].ours),
            (Column("PIT", "percent"), lambda row: row[4].pit),
            (Column("Mean difference", "percent"), lambda row: row[4].difference),
            (Column("Spearman", "number", digits=2), lambda row: row[4].spearman),
        ),
        notes=(
            "Over tasks with a passing test method. Scores are means over the methods that have both, then over tasks; "
            "difference: mean of the absolute differences of tasks. PIT's mutants are made of byte code by its default "
            "operators, on the same lines; its score counts time-outs and errors as killed.",
            f"Spearman: rank correlation over tasks; none below {LEAST_TASKS} tasks or where one side never differs.",
        ),
    )


def task_table(tasks: Sequence[ComparedTask]) -> Table:
    """One row per system and task."""
    return table_of(
        SECOND_OPINIONS[1],
        "PIT and our mutants, task by task",
        sorted(tasks, key=lambda one: (one.track, one.system, one.task_id)),
        (
            (Column("Track"), lambda one: one.track.value),
            (Column("System"), lambda one: one.system),
            (Column("Task"), lambda one: one.task_id),
            (Column("Methods passing", "count"), lambda one: one.methods),
            (Column("With our score", "count"), lambda one: one.with_ours),
            (Column("With PIT's", "count"), lambda one: one.with_pit),
            (Column("Our mutants", "count"), lambda one: one.mutants),
            (Column("Killed", "count"), lambda one: one.killed),
            (Column("PIT's mutants", "count"), lambda one: sum(map(one.count, PitStatus))),
            *(
                (Column(f"PIT: {status.value.replace('_', ' ')}", "count"), methodcaller("count", status))
                for status in PitStatus
            ),
            (Column("Ours", "percent"), lambda one: one.pairs["paper"].ours if "paper" in one.pairs else None),
            (
                Column("Ours, strict", "percent"),
                lambda one: one.pairs["strict"].ours if "strict" in one.pairs else None,
            ),
            (Column("PIT", "percent"), lambda one: one.pairs["paper"].pit if "paper" in one.pairs else None),
            (Column("PIT has none"), lambda one: one.reasons),
        ),
        notes=("Counts are sums over the passing test methods; scores are means over the methods that have both.",),
    )


def opinion_tables(graded: Iterable[GradedTask], opinions: Iterable[SecondOpinion]) -> list[Table]:
    tasks = compared_tasks(graded, opinions)
    return [summary_table(tasks), task_table(tasks)]
