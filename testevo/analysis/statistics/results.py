"""The result of a system on a task, in the one form all statistics take: a value per metric (TEB-V08, V20 to V25).

Graded tasks and rows of the released leaderboard both become `TaskResult`s; nothing below knows where they come from.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from testevo.analysis.statistics.glossary import MEASURES, PARTITION
from testevo.analysis.statistics.oracles import unasserted
from testevo.records.evaluation.grading import PASSING, Grade, GradedTask, MethodResult, Undefined
from testevo.records.evaluation.predictions import DefectKind
from testevo.records.evidence.mutants import MutationScore
from testevo.records.methods import TestKey
from testevo.records.tasks import Coverage, Task, TestEvidence, Track
from testevo.runtime.clock import utc_date

Values = Mapping[str, float | None]
Evidence = Mapping[tuple[str, TestKey], TestEvidence]
RATES_OF_RUNS = ("pass", "behavioural", "weakened", "hollow", "unasserted", "suspect", "compiles")
"""Rates beside the outcome partition; all are 0 where nothing ran."""


@dataclass(frozen=True)
class Sum:
    """A metric over the methods of a task: `total` over the `count` methods that it is taken over."""

    total: float
    count: int


@dataclass(frozen=True)
class TaskResult:
    """One system on one task."""

    system: str
    task_id: str
    track: Track
    repository: str
    pair: str
    """Old and new revision with the repository: tasks of one pair share a code change."""
    day: date
    """UTC day of the new revision; windows are cut by it (TEB-K08)."""
    values: Values
    """By metric key: the task's own average, 0 to 1; None where undefined."""
    methods: int | None = None
    """Number of target methods; None when the source does not tell."""
    sums: Mapping[str, Sum] = field(default_factory=dict)
    """By metric key: what micro averages are made of; empty when the source does not tell."""
    cost_usd: float | None = None
    tokens: int | None = None
    seconds: float | None = None
    """Wall time of the system's run."""
    excluded: str | None = None
    """Why it is in no aggregate (infrastructure failure or quarantine); counted beside them."""
    grades: tuple[Grade, ...] = ()
    rates: Mapping[str, tuple[bool, ...]] = field(default_factory=dict)
    """By metric key of a rate: which methods have it, in the order of the task; empty when the source does not tell."""
    reasons: tuple[str, ...] = ()
    """One line per method that did not succeed, and per defect of the prediction."""
    weakened: tuple[str, ...] = ()
    """One line per method that succeeds and checks less than the old test did."""
    unasserted: tuple[str, ...] = ()
    """One line per method that succeeds and would without its assertions, as far as its runs show."""
    unmeasured: tuple[tuple[str, Undefined], ...] = ()
    """(`coverage` or `mutation_score`, why there is no value) of every passing method without one."""


def evidence_of(tasks: Iterable[Task]) -> Evidence:
    """The results of every target method, by task id and test."""
    return {(task.task_id, test.test): test for task in tasks for test in task.tests}


def task_results(graded: Iterable[GradedTask], tasks: Iterable[Task] = ()) -> list[TaskResult]:
    """Graded tasks as results, in the order of system and task id.

    Args:
        graded: of any number of systems.
        tasks: the dataset; without it the developer's values are undefined.
    """
    records = sorted(graded, key=lambda one: (one.system, one.task_id))
    evidence = evidence_of(tasks)
    off = switched_off(records)  # by the run: a system of which nothing passes does not tell
    known = has_gold(evidence)
    # Jobs of one run may lie on several machines: what cannot be graded on one of them is left out for all systems.
    quarantined = {(one.task_id, one.track): one.quarantined for one in records if one.quarantined is not None}
    records = [one.model_copy(update={"quarantined": quarantined.get((one.task_id, one.track))}) for one in records]
    return [task_result(one, evidence, off, known) for one in records]


def switched_off(records: Iterable[GradedTask]) -> frozenset[str]:
    """The measurements, `coverage` or `mutation`, that a run was asked not to make."""
    found = set()
    for method in (method for record in records for method in record.methods):
        if method.coverage_undefined is Undefined.SWITCHED_OFF:
            found.add("coverage")
        if method.mutation_undefined is Undefined.SWITCHED_OFF:
            found.add("mutation")
    return frozenset(found)


def has_gold(evidence: Evidence) -> frozenset[str]:
    """The measurements that the dataset has of any developer's test."""
    coverage = any(one.gold_coverage is not None for one in evidence.values())
    mutation = any(one.gold_mutation is not None for one in evidence.values())
    return frozenset(name for name, there in (("coverage", coverage), ("mutation", mutation)) if there)


def task_result(record: GradedTask, evidence: Evidence, off: frozenset[str], known: frozenset[str]) -> TaskResult:
    excluded = exclusion(record)
    sums = {} if excluded else metric_sums(record, evidence, off, known)
    tokens = [one for one in (record.tokens_in, record.tokens_out) if one is not None]
    return TaskResult(
        system=record.system,
        task_id=record.task_id,
        track=record.track,
        repository=record.repository,
        pair=f"{record.repository} {record.old_revision}..{record.new_revision}",
        day=utc_date(record.new_time),
        values={key: averaged(one) for key, one in sums.items()},
        methods=len(record.methods),
        sums={key: one for key, one in sums.items() if one is not None},
        cost_usd=record.cost_usd,
        tokens=sum(tokens) if tokens else None,
        seconds=record.wall_s,
        excluded=excluded,
        grades=tuple(method.grade for method in record.methods),
        rates={} if excluded else method_rates(record),
        reasons=reasons(record),
        weakened=weakened(record),
        unasserted=tuple(f"{m.test.short}: {how}" for m in record.methods if (how := unasserted(m)) is not None),
        unmeasured=unmeasured(record),
    )


def exclusion(record: GradedTask) -> str | None:
    if record.infrastructure is not None:
        return f"infrastructure: {record.infrastructure}"
    if record.quarantined is not None:
        return f"quarantined: {record.quarantined}"
    return None if record.methods else "infrastructure: no method was graded"


def averaged(one: Sum | None) -> float | None:
    return one.total / one.count if one is not None and one.count else None


def metric_sums(
    record: GradedTask, evidence: Evidence, off: frozenset[str], known: frozenset[str]
) -> dict[str, Sum | None]:
    """Every metric of a task over its methods; None where it is undefined."""
    methods = record.methods
    sums: dict[str, Sum | None] = {key: total(flags) for key, flags in method_rates(record).items()}
    found = [evidence.get((record.task_id, method.test)) for method in methods]
    for stem in MEASURES:
        kind = stem.partition("_")[0]
        candidate = [candidate_value(stem, method) for method in methods]
        developer = [developer_value(stem, one) for one in found]
        passed = [method.grade in PASSING for method in methods]
        sums |= measure_sums(stem, candidate, developer, passed, kind in off, kind in known)
    return sums


def method_rates(record: GradedTask) -> dict[str, tuple[bool, ...]]:
    """By key of a rate, which methods of a task have it, in the order of the task."""
    methods = record.methods
    rates = {grade.value: tuple(m.grade is grade for m in methods) for grade in Grade}
    absent = record.is_missing
    rates["missing"] = tuple(absent for _ in methods)
    if absent:
        rates["harness_fail"] = tuple(False for _ in methods)
    rates["pass"] = tuple(m.grade in PASSING for m in methods)
    rates["behavioural"] = tuple(m.behavioural_success for m in methods)
    suspect = any(defect.kind in (DefectKind.LOOKS_AROUND, DefectKind.HAS_RESERVES) for defect in record.defects)
    rates["hollow"] = tuple(m.grade is Grade.SUCCESS and m.enters_no_focal_line for m in methods)
    rates["unasserted"] = tuple(unasserted(m) is not None for m in methods)
    rates["suspect"] = tuple(m.grade is Grade.SUCCESS and (suspect or m.hides_coverage) for m in methods)
    rates["compiles"] = tuple(m.grade in (*PASSING, Grade.EXEC_FAIL) for m in methods)
    if record.track is Track.UPDATE:
        del rates["redundant"]
        rates["weakened"] = tuple(m.grade is Grade.SUCCESS and bool(m.weakening) for m in methods)
    return rates


def total(flags: Iterable[bool]) -> Sum:
    values = [float(flag) for flag in flags]
    return Sum(sum(values), len(values))


def candidate_value(stem: str, method: MethodResult) -> float | None:
    """The value of the candidate's test; undefined unless it passes (TEB-E11)."""
    return _value(stem, method.coverage, method.mutation) if method.grade in PASSING else None


def developer_value(stem: str, evidence: TestEvidence | None) -> float | None:
    return None if evidence is None else _value(stem, evidence.gold_coverage, evidence.gold_mutation)


def _value(stem: str, coverage: Coverage | None, score: MutationScore | None) -> float | None:
    if stem.startswith("coverage"):
        return None if coverage is None else (coverage.executable if stem.endswith("executable") else coverage.raw)
    if score is None:
        return None
    return {"mutation_score_strict": score.strict, "mutation_score_asserted": score.asserted}.get(stem, score.paper)


def measure_sums(
    stem: str,
    candidate: Sequence[float | None],
    developer: Sequence[float | None],
    passed: Sequence[bool],
    off: bool,
    known: bool,
) -> dict[str, Sum | None]:
    """Wide, narrow and paired sums of one measurement (TEB-V21, V24, V25); only the wide ones take None as 0.

    Args:
        off: the run was asked not to measure it: then even the wide form is undefined.
        known: the dataset has developer's values at all.
    """
    size = len(candidate)
    own = [value for value in candidate if value is not None]
    gold = [value for value in developer if value is not None]
    both = [
        (value, human)
        for value, human, passing in zip(candidate, developer, passed, strict=True)
        if passing and value is not None and human is not None
    ]
    return {
        f"{stem}_pred": None if off else Sum(sum(own), size),
        f"{stem}_pred_success": Sum(sum(own), len(own)) if own else None,
        f"{stem}_gold": Sum(sum(gold), size) if known else None,
        f"{stem}_gold_success": Sum(sum(gold), len(gold)) if gold else None,
        f"{stem}_gold_on_pass": Sum(sum(human for _, human in both), len(both)) if both else None,
        f"{stem}_delta_on_pass": Sum(sum(value - human for value, human in both), len(both)) if both else None,
    }


def unmeasured(record: GradedTask) -> tuple[tuple[str, Undefined], ...]:
    passing = [method for method in record.methods if method.grade in PASSING]
    found = [("coverage", method.coverage_undefined) for method in passing if method.coverage is None]
    found += [("mutation_score", method.mutation_undefined) for method in passing if method.mutation is None]
    return tuple((stem, reason) for stem, reason in found if reason is not None)


def reasons(record: GradedTask) -> tuple[str, ...]:
    """Why a task did not fully succeed, a line each."""
    lines = [f"{defect.kind.value}: {defect.message}" for defect in record.defects]
    if record.exit_status and any(method.grade is Grade.HARNESS_FAIL for method in record.methods):
        lines.append(f"the system ended with: {record.exit_status}")
    for method in record.methods:
        if method.grade is not Grade.SUCCESS:
            lines.append(f"{method.test.short}: {reason_of(method)}")
        lines += [f"{method.test.short}: weakened, {one.doc}" for one in method.weakening]
    return tuple(lines)


def weakened(record: GradedTask) -> tuple[str, ...]:
    """Test and how it checks less, a line per weakened Success."""
    return tuple(
        f"{method.test.short}: {'; '.join(kind.doc for kind in method.weakening)}"
        for method in record.methods
        if method.grade is Grade.SUCCESS and method.weakening
    )


def reason_of(method: MethodResult) -> str:
    """Grade, then what the run said."""
    said = [method.grade.value]
    if method.new_run is not None and method.grade is not Grade.REDUNDANT:
        said.append(method.new_run.value)
    if method.exception:
        said.append(method.exception)
    if method.message:
        said.append(" ".join(method.message.split())[:160])
    if method.diagnostics:
        first = method.diagnostics[0]
        said.append(f"{first.path}:{first.line} {' '.join(first.message.split())[:160]}")
    return ", ".join(said)


def included(results: Iterable[TaskResult]) -> list[TaskResult]:
    """Those that count in aggregates."""
    return [result for result in results if result.excluded is None]


def as_harness_failure(result: TaskResult, reason: str) -> TaskResult:
    """The result as if nothing had been submitted: what a cost cap does to a task above it (TEB-V28)."""
    size = result.methods
    values: dict[str, float | None] = {key: 0.0 for key in result.values if key in RATES_OF_RUNS}
    values |= {key: float(key == "harness_fail") for key in PARTITION if key in result.values}
    for key, value in result.values.items():
        if key not in values:
            kept = "_gold" in key and not key.endswith("_on_pass")
            wide = key.endswith("_pred")
            values[key] = value if kept else (0.0 if wide and value is not None else None)
    counts = {
        key: result.sums[key] if "_gold" in key else Sum((value or 0.0) * (size or 0), size or 0)
        for key, value in values.items()
        if value is not None and key in result.sums
    }
    grades = (Grade.HARNESS_FAIL,) * len(result.grades)
    rates = {key: (key == "harness_fail",) * len(flags) for key, flags in result.rates.items()}
    counted = replace(result, values=values, sums=counts, grades=grades, rates=rates)
    # What is said of methods that succeed or pass is said of none.
    return replace(counted, reasons=(reason, *result.reasons), weakened=(), unasserted=(), unmeasured=())
