"""Short ways to say what was graded."""

from datetime import UTC, date, datetime

from testevo.analysis.statistics.results import TaskResult
from testevo.records.evaluation.grading import Discrimination, Grade, GradedTask, MethodResult, Undefined
from testevo.records.evidence.mutants import MutationScore
from testevo.records.methods import TestKey
from testevo.records.tasks import Coverage, Task, TestEvidence, Track
from testevo.records.verdicts import Outcome
from tests.made_tasks import NEW, OLD, made_evidence, made_task

RUNS = {
    Grade.SUCCESS: Outcome.PASSED,
    Grade.REDUNDANT: Outcome.PASSED,
    Grade.EXEC_FAIL: Outcome.ASSERTION_FAILED,
    Grade.COMPILE_FAIL: Outcome.COMPILE_ERROR_IN_METHOD,
    Grade.HARNESS_FAIL: None,
}


def test_key(name: str = "adds") -> TestKey:
    return TestKey(module="", path="src/test/java/p/ATest.java", type_name="p.ATest", name=name)


test_key.__test__ = False  # type: ignore[attr-defined]


def score(killed: int, mutants: int) -> MutationScore:
    return MutationScore(
        mutants=mutants,
        killed=killed,
        strict_mutants=mutants,
        strict_killed=killed,
        killed_by_assertion=killed,
        killed_by_exception=0,
        timed_out=0,
        harness=0,
        survived=mutants - killed,
        not_covered=0,
    )


def lines(covered: int, raw: int, executable: int | None = None) -> Coverage:
    return Coverage(covered=covered, raw_lines=raw, executable_lines=raw if executable is None else executable)


def method(
    grade: Grade,
    name: str = "adds",
    *,
    coverage: Coverage | None = None,
    mutation: MutationScore | None = None,
    behavioural: bool | None = None,
    undefined: Undefined | None = None,
    message: str | None = None,
) -> MethodResult:
    return MethodResult(
        test=test_key(name),
        grade=grade,
        new_run=RUNS[grade],
        discrimination=Discrimination.ASSERTION if grade is Grade.SUCCESS else None,
        behavioural_success=grade is Grade.SUCCESS if behavioural is None else behavioural,
        coverage=coverage,
        coverage_undefined=undefined or (Undefined.NOT_PASSED if coverage is None else None),
        mutation=mutation,
        mutation_undefined=undefined or (Undefined.NOT_PASSED if mutation is None else None),
        message=message,
    )


def graded(
    task_id: str,
    *methods: MethodResult,
    system: str = "one",
    track: Track = Track.UPDATE,
    repository: str = "o/r",
    day: date = date(2020, 3, 1),
    cost: float | None = None,
    tokens: int | None = None,
    infrastructure: str | None = None,
    quarantined: str | None = None,
) -> GradedTask:
    return GradedTask(
        system=system,
        task_id=task_id,
        track=track,
        repository=repository,
        old_revision=OLD,
        new_revision=NEW,
        new_time=int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()),
        key="k",
        edit="e",
        infrastructure=infrastructure,
        quarantined=quarantined,
        methods=methods,
        cost_usd=cost,
        tokens_in=tokens,
    )


def evidence(
    name: str = "adds", *, coverage: Coverage | None = None, mutation: MutationScore | None = None
) -> TestEvidence:
    return made_evidence(
        test_key(name),
        old_source="void adds() {}",
        new_source="@Test void adds() { check(1); }",
        gold_coverage=coverage,
        gold_mutation=mutation,
    )


def task(
    task_id: str,
    *tests: TestEvidence,
    track: Track = Track.UPDATE,
    repository: str = "o/r",
    quarantined: str | None = None,
) -> Task:
    of_task = {"track": track, "repository": repository, "quarantined": quarantined}
    return made_task(tests, task_id=task_id, new_time=1_583_020_800, **of_task)


def result(
    task_id: str,
    success: float | None,
    *,
    system: str = "one",
    track: Track = Track.UPDATE,
    repository: str = "o/r",
    pair: str = "p",
    day: date = date(2020, 3, 1),
    methods: int | None = 1,
    reasons: tuple[str, ...] = (),
    **values: float | None,
) -> TaskResult:
    """A result with a success share and whatever other values are given."""
    return TaskResult(
        system=system,
        task_id=task_id,
        track=track,
        repository=repository,
        pair=pair,
        day=day,
        values={"success": success, **values},
        methods=methods,
        reasons=reasons,
    )
