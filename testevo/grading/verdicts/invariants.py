"""Outcomes that cannot be. They count for nothing, and of a control they stop a release.

`testevo.grading.dataset.voided_results` takes the results that they spoil out of the counts.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from testevo.grading.verdicts.impossible import IMPOSSIBLE, Impossible
from testevo.records.evaluation.grading import Discrimination, Grade, GradedTask, MethodResult, Undefined
from testevo.records.evidence.mutants import Mutant, MutantFate, MutationScore
from testevo.records.tasks import Coverage, Task, TestEvidence, Track
from testevo.records.verdicts import Outcome

_BY_DISCRIMINATION: dict[Discrimination, frozenset[Outcome]] = {
    Discrimination.ASSERTION: frozenset({Outcome.ASSERTION_FAILED}),
    Discrimination.EXCEPTION: frozenset({Outcome.EXCEPTION, Outcome.TIMED_OUT, Outcome.CRASHED}),
    Discrimination.OWN_COMPILE_ERROR: frozenset({Outcome.COMPILE_ERROR_IN_METHOD}),
    Discrimination.COLLATERAL_COMPILE_ERROR: frozenset(
        {Outcome.COMPILE_ERROR_IN_FILE, Outcome.COMPILE_ERROR_ELSEWHERE}
    ),
    Discrimination.MISSING_CLASS: frozenset({Outcome.EXCEPTION, Outcome.ASSERTION_FAILED}),
    Discrimination.NONE: frozenset({Outcome.PASSED}),
    Discrimination.NOT_JUDGED: frozenset(
        {
            Outcome.SKIPPED,
            Outcome.ABORTED,
            Outcome.NOT_FOUND,
            Outcome.TIMED_OUT,
            Outcome.CRASHED,
            Outcome.INFRASTRUCTURE,
        }
    ),
}
_OF_EXEC_FAIL = frozenset(
    outcome for outcome in Outcome if outcome.failed or outcome in (Outcome.SKIPPED, Outcome.ABORTED)
)
_OF_HARNESS_FAIL = frozenset({None, Outcome.NOT_FOUND, Outcome.INFRASTRUCTURE})

Complaints = Iterator[str]


@dataclass(frozen=True)
class _Of:
    """The circumstances in which a method was graded."""

    graded: GradedTask
    evidence: TestEvidence
    mutants: Mapping[str, Mutant]


def impossible_outcomes(
    graded: Sequence[GradedTask], tasks: Sequence[Task], mutants: Sequence[Mutant] = ()
) -> list[Impossible]:
    """Each with system, task and method, sorted; none when every outcome is possible.

    Args:
        graded: of any number of systems.
        tasks: that they were graded on, and perhaps others.
        mutants: of these tasks; without them, runs of mutants are not held to the lines that the test entered one by
            one.
    """
    by_id: dict[tuple[str, Track], list[Task]] = defaultdict(list)
    for each in tasks:
        by_id[each.task_id, each.track].append(each)
    by_task: dict[str, dict[str, Mutant]] = defaultdict(dict)
    for mutant in mutants:
        by_task[mutant.task_id][mutant.mutant] = mutant
    found = [Impossible(None, each.task_id, each.track, text) for each in tasks for text in _of_task(each)]
    for one in graded:
        task = _task_of(one, by_id.get((one.task_id, one.track), ()))
        unknown = ["graded on a task that is not there"]
        complaints = unknown if task is None else _of_graded(one, task, by_task[one.task_id])
        found += [Impossible(one.system, one.task_id, one.track, text) for text in complaints]
    return sorted([*found, *_unequal(graded)], key=str)


def _task_of(graded: GradedTask, same_id: Sequence[Task]) -> Task | None:
    """Of tasks that share an id the one with the graded methods, else the first."""
    return next((task for task in same_id if _has_methods_of(task, graded)), same_id[0] if same_id else None)


def _has_methods_of(task: Task, graded: GradedTask) -> bool:
    return [method.test for method in graded.methods] == [evidence.test for evidence in task.tests]


def _of_task(task: Task) -> Complaints:
    for evidence in task.tests:
        for account in evidence.accounting:
            if not account.closes:
                yield f"{evidence.test.short}: the accounting of mutants of {account.path} does not close"
        if evidence.accounting and sum(account.count for account in evidence.accounting) != len(evidence.mutants):
            yield f"{evidence.test.short}: {len(evidence.mutants)} mutants in the kill set, other than counted"
        for text in (*_of_coverage(evidence.gold_coverage), *_of_score(evidence.gold_mutation)):
            yield f"{evidence.test.short}, developer's test: {text}"


def _of_graded(graded: GradedTask, task: Task, mutants: Mapping[str, Mutant]) -> Complaints:
    if not _has_methods_of(task, graded):
        yield "the graded methods are not the target methods, each once"
        return
    if abs(sum(graded.share(grade) for grade in Grade) - 1.0) > 1e-9:
        yield "the shares of the grades do not add up to one"
    if graded.infrastructure is not None and any(method.grade is not Grade.HARNESS_FAIL for method in graded.methods):
        yield "the harness failed, and yet there is a grade"
    if graded.infrastructure is not None and graded.infrastructure.startswith(IMPOSSIBLE):
        yield graded.infrastructure.removeprefix(IMPOSSIBLE)
    if graded.edit is None and any(method.grade is not Grade.HARNESS_FAIL for method in graded.methods):
        yield "nothing was submitted, and yet there is a grade"
    for method, evidence in zip(graded.methods, task.tests, strict=True):
        for complaints in _OF_METHOD:
            for text in complaints(method, _Of(graded, evidence, mutants)):
                yield f"{method.test.short}: {text}"


def _grade(method: MethodResult, of: _Of) -> Complaints:
    possible: dict[Grade, Callable[[Outcome | None], bool]] = {
        Grade.SUCCESS: lambda run: run is Outcome.PASSED,
        Grade.REDUNDANT: lambda run: run is Outcome.PASSED,
        Grade.EXEC_FAIL: lambda run: run in _OF_EXEC_FAIL,
        Grade.COMPILE_FAIL: lambda run: run is not None and run.compile_error,
        Grade.HARNESS_FAIL: lambda run: run in _OF_HARNESS_FAIL,
    }
    if not possible[method.grade](method.new_run):
        run = method.new_run.value if method.new_run else "no run"
        yield f"{method.grade.value} with {run} on the new code"
    if method.new_run is Outcome.INFRASTRUCTURE and of.graded.infrastructure is None:
        yield "a run that the harness failed, in a task that it did not fail"


def _old_code(method: MethodResult, of: _Of) -> Complaints:
    judged = of.graded.track is Track.GENERATION and method.new_run is Outcome.PASSED
    if not judged:
        if method.old_run is not None or method.discrimination is not None:
            yield "judged on the old code, which only passing tests of the generation track are"
        if method.grade is Grade.REDUNDANT:
            yield "redundant, which only tests of the generation track are"
    elif method.old_run is None or method.discrimination is None:
        yield "passes on the new code without a recorded run on the old code"
    elif method.old_run not in _BY_DISCRIMINATION[method.discrimination]:
        yield f"{method.discrimination.value} with {method.old_run.value} on the old code"
    elif method.discrimination.fails is not (method.grade is Grade.SUCCESS):
        yield f"{method.grade.value} with {method.discrimination.value} on the old code"
    update = of.graded.track is Track.UPDATE
    behavioural = update or (method.discrimination is not None and method.discrimination.behavioural)
    behavioural &= method.grade is Grade.SUCCESS and not method.enters_no_focal_line and not method.hides_coverage
    if method.behavioural_success is not behavioural:
        yield "its behavioural success contradicts its grade"


def _measured(method: MethodResult, of: _Of) -> Complaints:
    passed = method.new_run is Outcome.PASSED
    for name, value, undefined in (
        ("coverage", method.coverage, method.coverage_undefined),
        ("mutation", method.mutation, method.mutation_undefined),
    ):
        if (value is None) is (undefined is None):
            yield f"{name} must be either defined or have a reason why not"
        if value is not None and not passed:
            yield f"{name} of a test that does not pass"
        if passed and undefined is Undefined.NOT_PASSED:
            yield f"no {name} for not passing, of a test that passes"
    if method.coverage is not None and method.coverage.covered and method.entered == {}:
        yield "covers lines and enters none"
    if method.entered is not None and method.coverage is None:
        yield "entered lines without coverage"
    yield from _of_coverage(method.coverage)
    yield from _of_score(method.mutation)


def _mutants(method: MethodResult, of: _Of) -> Complaints:
    score, runs = method.mutation, method.mutant_runs
    if score is None:
        if runs:
            yield "mutants were run and there is no score"
        return
    names = [run.mutant for run in runs]
    if len(set(names)) != len(names):
        yield "a mutant was run twice"
    if of.evidence.mutants and set(names) != set(of.evidence.mutants):
        yield "the mutants run are not the kill set"
    if Counter(run.fate for run in runs) != Counter({fate: getattr(score, fate.value) for fate in MutantFate}):
        yield "the score contradicts the runs of the mutants"
    if method.entered is not None:
        for run in runs:
            mutant = of.mutants.get(run.mutant)
            entered = any(method.entered.values()) if mutant is None else _is_entered(mutant, method.entered)
            if run.fate.killed and not entered:
                yield f"kills the mutant {run.mutant} without entering its line"
            if run.fate is MutantFate.NOT_COVERED and entered and mutant is not None:
                yield f"enters the line of the mutant {run.mutant}, which was not run"


def _is_entered(mutant: Mutant, entered: Mapping[str, Sequence[int]]) -> bool:
    return mutant.first_line in entered.get(mutant.path, ())


def _of_coverage(coverage: Coverage | None) -> Complaints:
    if coverage is None:
        return
    if not 0 <= coverage.covered <= coverage.executable_lines <= coverage.raw_lines:
        yield f"covers {coverage.covered} of {coverage.executable_lines} executable of {coverage.raw_lines} lines"
    if coverage.raw_lines == 0:
        yield "coverage of no lines, which is undefined"


def _of_score(score: MutationScore | None) -> Complaints:
    if score is None:
        return
    if not score.closes or min(score.mutants, score.killed, score.survived, score.not_covered, score.not_believed) < 0:
        yield "the counts of its mutants do not add up"
    if not 0 <= score.strict_killed <= score.strict_mutants <= score.mutants or score.strict_killed > score.killed:
        yield "a strict count of its mutants is above the paper's"
    if score.mutants == 0:
        yield "a mutation score without mutants, which is undefined"


def _unequal(graded: Sequence[GradedTask]) -> Iterator[Impossible]:
    """Equal keys mean equal task, edit, tools and settings; then the grades are equal too."""
    by_key: dict[str, list[GradedTask]] = defaultdict(list)
    for one in graded:
        if one.infrastructure is None:
            by_key[one.key].append(one)
    for same in by_key.values():
        first = same[0]
        for other in same[1:]:
            if [method.grade for method in other.methods] != [method.grade for method in first.methods]:
                text = f"another grade than {first.system} for the same edit"
                yield Impossible(other.system, other.task_id, other.track, text)


_OF_METHOD = (_grade, _old_code, _measured, _mutants)
