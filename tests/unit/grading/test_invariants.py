"""Impossible outcomes: legal records are never reported, planted impossibilities always."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from testevo.grading.dataset.voided_results import of_part, voided
from testevo.grading.mutation.mutation_score import mutation_score
from testevo.grading.verdicts.impossible import IMPOSSIBLE, Impossible
from testevo.grading.verdicts.invariants import impossible_outcomes
from testevo.records.evaluation.grading import Discrimination, Grade, GradedTask, MethodResult, Undefined
from testevo.records.evaluation.predictions import DefectKind
from testevo.records.evidence.mutants import Mutant, MutantAccounting, MutantFate, MutantRun
from testevo.records.labels import LabelKind
from testevo.records.methods import ChangeKind, TestKey
from testevo.records.tasks import Coverage, Task, Track
from testevo.records.verdicts import Outcome
from tests.made_tasks import made_evidence, made_task

CODE = "src/main/java/a/A.java"
MUTANTS = tuple(
    Mutant(
        task_id="t",
        mutant=f"m{line}",
        path=CODE,
        first_line=line,
        original="a",
        mutated="b",
        classes={},
        equivalent=line == 3,
    )
    for line in range(1, 6)
)
NAMES = tuple(mutant.mutant for mutant in MUTANTS)
OLD_RUNS = {
    Discrimination.ASSERTION: Outcome.ASSERTION_FAILED,
    Discrimination.EXCEPTION: Outcome.EXCEPTION,
    Discrimination.OWN_COMPILE_ERROR: Outcome.COMPILE_ERROR_IN_METHOD,
    Discrimination.COLLATERAL_COMPILE_ERROR: Outcome.COMPILE_ERROR_ELSEWHERE,
    Discrimination.MISSING_CLASS: Outcome.EXCEPTION,
    Discrimination.NONE: Outcome.PASSED,
    Discrimination.NOT_JUDGED: Outcome.ABORTED,
}
FAILED_ON_NEW = {
    Grade.EXEC_FAIL: (
        Outcome.ASSERTION_FAILED,
        Outcome.EXCEPTION,
        Outcome.TIMED_OUT,
        Outcome.CRASHED,
        Outcome.SKIPPED,
        Outcome.ABORTED,
    ),
    Grade.COMPILE_FAIL: (
        Outcome.COMPILE_ERROR_IN_METHOD,
        Outcome.COMPILE_ERROR_IN_FILE,
        Outcome.COMPILE_ERROR_ELSEWHERE,
    ),
    Grade.HARNESS_FAIL: (None, Outcome.NOT_FOUND),
}


def task(count: int, track: Track) -> Task:
    evidence = tuple(
        made_evidence(
            TestKey(module="", path="T.java", type_name="T", name=f"t{number}"),
            change=ChangeKind.INSERTED,
            label=LabelKind.DISCRIMINATING,
            mutants=NAMES,
            accounting=(
                MutantAccounting(
                    path=CODE, lines=(1,), emitted=9, compile_failed=2, redundant=1, capped_out=1, count=5
                ),
            ),
        )
        for number in range(count)
    )
    ends = {"old_revision": "0", "new_revision": "1"}
    return made_task(evidence, track=track, repository="o/p", test_file="T.java", **ends)


@st.composite
def passed(draw: st.DrawFn, test: TestKey, track: Track) -> MethodResult:
    """A test that passes on new code, measured or not, judged on old code where it is."""
    lines = draw(st.sets(st.integers(1, 8)))
    executable = draw(st.integers(1, 8))
    covered = draw(st.integers(0, min(executable, len(lines))))
    unmeasured = [Undefined.NO_DATA, Undefined.SWITCHED_OFF, Undefined.HIDDEN]
    more: dict[str, Any] = {"coverage_undefined": draw(st.sampled_from(unmeasured))}
    if draw(st.booleans()):
        raw = executable + draw(st.integers(0, 5))
        coverage = Coverage(covered=covered, raw_lines=raw, executable_lines=executable)
        more = {"coverage": coverage, "entered": {CODE: tuple(sorted(lines))} if lines else {}}
    if draw(st.booleans()):
        fates = [fate for fate in MutantFate if fate is not MutantFate.NOT_COVERED]
        runs = [
            MutantRun(
                mutant=mutant.mutant,
                fate=draw(st.sampled_from(fates))
                if "entered" not in more or mutant.first_line in lines
                else MutantFate.NOT_COVERED,
            )
            for mutant in MUTANTS
        ]
        more |= {"mutation": mutation_score(runs, MUTANTS), "mutant_runs": tuple(runs)}
    else:
        more |= {"mutation_undefined": draw(st.sampled_from([Undefined.NO_MUTANTS, Undefined.SWITCHED_OFF]))}
    if track is Track.UPDATE:
        return behavioural(MethodResult(test=test, grade=Grade.SUCCESS, new_run=Outcome.PASSED, **more), True)
    kind = draw(st.sampled_from(list(Discrimination)))
    result = MethodResult(
        test=test,
        grade=Grade.SUCCESS if kind.fails else Grade.REDUNDANT,
        new_run=Outcome.PASSED,
        old_run=OLD_RUNS[kind],
        discrimination=kind,
        **more,
    )
    return behavioural(result, kind.behavioural)


def behavioural(result: MethodResult, tells: bool) -> MethodResult:
    return result.model_copy(
        update={"behavioural_success": tells and not result.enters_no_focal_line and not result.hides_coverage}
    )


@st.composite
def not_passed(draw: st.DrawFn, test: TestKey) -> MethodResult:
    grade = draw(st.sampled_from(sorted(FAILED_ON_NEW)))
    return MethodResult(
        test=test,
        grade=grade,
        new_run=draw(st.sampled_from(FAILED_ON_NEW[grade])),
        coverage_undefined=Undefined.NOT_PASSED,
        mutation_undefined=Undefined.NOT_PASSED,
    )


@st.composite
def legal(draw: st.DrawFn, least_passed: int = 0, track: Track | None = None) -> tuple[GradedTask, Task]:
    """A graded task as a sound harness writes it."""
    track = track or draw(st.sampled_from(list(Track)))
    of = task(draw(st.integers(max(1, least_passed), 4)), track)
    methods = [
        draw(passed(evidence.test, track))
        if place < least_passed or draw(st.booleans())
        else draw(not_passed(evidence.test))
        for place, evidence in enumerate(of.tests)
    ]
    return graded(of, methods, cost_usd=draw(st.none() | st.floats(0, 5))), of


def graded(of: Task, methods: list[MethodResult], **more: Any) -> GradedTask:
    known: dict[str, Any] = {"edit": "e", "system": "s", "key": "k"} | more
    return GradedTask(
        task_id=of.task_id,
        track=of.track,
        repository=of.repository,
        old_revision="0",
        new_revision="1",
        new_time=1,
        methods=tuple(methods),
        **known,
    )


@settings(deadline=None, derandomize=True, max_examples=300)
@given(legal())
def test_what_a_sound_harness_writes_is_never_reported(made: tuple[GradedTask, Task]) -> None:
    one, of = made
    assert impossible_outcomes([one], [of], MUTANTS) == []
    assert impossible_outcomes([one], [of]) == []
    assert sum(one.share(grade) for grade in Grade) == pytest.approx(1.0)


def in_module(test: TestKey) -> TestKey:
    return test.model_copy(update={"module": "web", "path": "web/T.java"})


def test_each_of_two_tasks_with_one_id_is_held_to_its_own_methods() -> None:
    """A test file of one name in two modules."""
    one = task(1, Track.UPDATE)
    tests = tuple(evidence.model_copy(update={"test": in_module(evidence.test)}) for evidence in one.tests)
    other = one.model_copy(update={"module": "web", "test_file": "web/T.java", "tests": tests})
    failed = MethodResult(
        test=one.tests[0].test,
        grade=Grade.HARNESS_FAIL,
        new_run=None,
        coverage_undefined=Undefined.NOT_PASSED,
        mutation_undefined=Undefined.NOT_PASSED,
    )
    records = [graded(of, [failed.model_copy(update={"test": of.tests[0].test})]) for of in (one, other)]
    assert impossible_outcomes(records, [one, other]) == []
    strange = graded(one, [failed.model_copy(update={"test": TestKey(module="", path="", type_name="U", name="u")})])
    assert len(impossible_outcomes([*records, strange], [one, other])) == 1


Plant = Callable[[GradedTask], GradedTask]


def first(**changes: Any) -> Plant:
    """Change the first method, which has passed."""

    def plant(one: GradedTask) -> GradedTask:
        methods = (one.methods[0].model_copy(update=changes), *one.methods[1:])
        return one.model_copy(update={"methods": methods})

    return plant


def whole(**changes: Any) -> Plant:
    return lambda one: one.model_copy(update=changes)


FULL = Coverage(covered=1, raw_lines=3, executable_lines=2)
KILLED = (MutantRun(mutant="m1", fate=MutantFate.KILLED_BY_ASSERTION),)
SCORE = mutation_score(KILLED, MUTANTS)
PLANTS: dict[str, Plant] = {
    "success without a recorded run": first(new_run=None),
    "success of a test that failed": first(new_run=Outcome.ASSERTION_FAILED, old_run=None, discrimination=None),
    "no run on old code": first(old_run=None),
    "no discrimination": first(discrimination=None),
    "redundant and failing on old code": first(
        grade=Grade.REDUNDANT,
        old_run=Outcome.ASSERTION_FAILED,
        discrimination=Discrimination.ASSERTION,
        behavioural_success=False,
    ),
    "success and passing on old code": first(
        grade=Grade.SUCCESS, old_run=Outcome.PASSED, discrimination=Discrimination.NONE, behavioural_success=False
    ),
    "an assertion without a failing run": first(
        grade=Grade.SUCCESS, old_run=Outcome.PASSED, discrimination=Discrimination.ASSERTION, behavioural_success=True
    ),
    "behaviour by a compile error": first(
        grade=Grade.SUCCESS,
        old_run=Outcome.COMPILE_ERROR_IN_METHOD,
        discrimination=Discrimination.OWN_COMPILE_ERROR,
        behavioural_success=True,
    ),
    "coverage on a compile failure": first(
        grade=Grade.COMPILE_FAIL,
        new_run=Outcome.COMPILE_ERROR_IN_FILE,
        old_run=None,
        discrimination=None,
        behavioural_success=False,
        coverage=FULL,
        coverage_undefined=None,
        entered={},
    ),
    "coverage neither defined nor undefined": first(coverage=None, coverage_undefined=None, entered=None),
    "coverage above what is executable": first(
        coverage=Coverage(covered=3, raw_lines=3, executable_lines=2), coverage_undefined=None
    ),
    "coverage of no lines": first(
        coverage=Coverage(covered=0, raw_lines=0, executable_lines=0), coverage_undefined=None
    ),
    "coverage that enters nothing": first(coverage=FULL, coverage_undefined=None, entered={}),
    "undefined for not passing though it passes": first(
        coverage=None, entered=None, coverage_undefined=Undefined.NOT_PASSED
    ),
    "kill of an uncovered mutant": first(
        coverage=FULL,
        coverage_undefined=None,
        entered={CODE: (2,)},
        mutation=SCORE,
        mutation_undefined=None,
        mutant_runs=KILLED,
    ),
    "a covered mutant that was not run": first(
        coverage=FULL,
        coverage_undefined=None,
        entered={CODE: (1,)},
        mutation_undefined=None,
        mutant_runs=(MutantRun(mutant="m1", fate=MutantFate.NOT_COVERED),),
        mutation=mutation_score([MutantRun(mutant="m1", fate=MutantFate.NOT_COVERED)], MUTANTS),
    ),
    "a score that its runs contradict": first(
        mutation=SCORE.model_copy(update={"killed_by_assertion": 0, "killed_by_exception": 1}),
        mutation_undefined=None,
        mutant_runs=KILLED,
    ),
    "a score that does not add up": first(
        mutation=SCORE.model_copy(update={"mutants": 7}), mutation_undefined=None, mutant_runs=KILLED
    ),
    "runs without a score": first(mutation=None, mutation_undefined=Undefined.NO_MUTANTS, mutant_runs=KILLED),
    "a mutant outside the kill set": first(
        mutation=mutation_score(KILLED, MUTANTS), mutation_undefined=None, mutant_runs=KILLED, entered=None
    ),
    "a grade of nothing": whole(edit=None),
    "a grade of a broken harness": whole(infrastructure="no JVM"),
    "passes on old code with all dependencies new": whole(infrastructure=f"{IMPOSSIBLE}passes without its classes"),
    "a task of another dataset": whole(task_id="unknown"),
    "a method lost": lambda one: one.model_copy(update={"methods": one.methods[1:]}),
    "a method twice": lambda one: one.model_copy(update={"methods": (*one.methods, one.methods[0])}),
}


@pytest.mark.parametrize("plant", PLANTS.values(), ids=list(PLANTS))
@settings(deadline=None, derandomize=True, max_examples=25)
@given(made=legal(least_passed=1, track=Track.GENERATION))
def test_a_planted_impossibility_is_always_reported(plant: Plant, made: tuple[GradedTask, Task]) -> None:
    one, of = made
    planted = plant(one)
    found = impossible_outcomes([planted], [of], MUTANTS)
    assert found and all((one.system, one.task_id) == ("s", planted.task_id) for one in found)


def test_an_update_is_never_redundant_nor_judged_on_old_code() -> None:
    of = task(1, Track.UPDATE)
    judged = MethodResult(
        test=of.tests[0].test,
        grade=Grade.REDUNDANT,
        new_run=Outcome.PASSED,
        old_run=Outcome.PASSED,
        discrimination=Discrimination.NONE,
        coverage_undefined=Undefined.NO_DATA,
        mutation_undefined=Undefined.NO_MUTANTS,
    )
    found = impossible_outcomes([graded(of, [judged])], [of])
    assert any("redundant" in one.text for one in found) and any("judged" in one.text for one in found)


def test_two_systems_with_one_edit_reach_the_same() -> None:
    """A contradiction raises an alarm."""
    of = task(1, Track.UPDATE)
    fails = MethodResult(
        test=of.tests[0].test,
        grade=Grade.EXEC_FAIL,
        new_run=Outcome.EXCEPTION,
        coverage_undefined=Undefined.NOT_PASSED,
        mutation_undefined=Undefined.NOT_PASSED,
    )
    passes = MethodResult(
        test=of.tests[0].test,
        grade=Grade.SUCCESS,
        new_run=Outcome.PASSED,
        behavioural_success=True,
        coverage_undefined=Undefined.NO_DATA,
        mutation_undefined=Undefined.NO_MUTANTS,
    )
    one, other = graded(of, [passes]), graded(of, [fails], system="other")
    found = impossible_outcomes([one, other], [of])
    assert list(map(str, found)) == ["other, t: another grade than s for the same edit"]
    assert impossible_outcomes([one, other.model_copy(update={"key": "another edit"})], [of]) == []


@pytest.mark.parametrize("change", [{"capped_out": 2}, {"count": 4}, {"emitted": 0}])
def test_an_accounting_that_does_not_close_is_reported(change: dict[str, int]) -> None:
    """TEB-V16."""
    of = task(1, Track.UPDATE)
    account = of.tests[0].accounting[0].model_copy(update=change)
    evidence = of.tests[0].model_copy(update={"accounting": (account,)})
    assert impossible_outcomes([], [of.model_copy(update={"tests": (evidence,)})])


def test_an_impossible_outcome_costs_the_result_that_has_it_and_no_other() -> None:
    """It stays graded on all targets, as a harness failure that says why."""
    of = task(2, Track.UPDATE)
    fails = [
        MethodResult(
            test=evidence.test,
            grade=Grade.EXEC_FAIL,
            new_run=Outcome.EXCEPTION,
            coverage_undefined=Undefined.NOT_PASSED,
            mutation_undefined=Undefined.NOT_PASSED,
        )
        for evidence in of.tests
    ]
    sound = graded(of, fails, system="sound").model_copy(update={"key": "another edit"})
    results = [graded(of, fails[:1], system="odd"), sound]
    made = voided(results, [of], impossible_outcomes(results, [of]))
    assert [str(one) for one in made.impossible] == ["odd, t: the graded methods are not the target methods, each once"]
    odd, untouched = made.graded
    assert untouched == sound
    assert [(method.test, method.grade) for method in odd.methods] == [
        (evidence.test, Grade.HARNESS_FAIL) for evidence in of.tests
    ]
    assert [(one.kind, one.message) for one in odd.defects] == [
        (DefectKind.IMPOSSIBLE_OUTCOME, made.impossible[0].text)
    ]
    assert odd.infrastructure is None  # it stays in the averages of its system
    assert voided(made.graded, [of], impossible_outcomes(made.graded, [of])).impossible == ()


def test_a_result_on_a_task_that_is_not_there_is_voided_too() -> None:
    lost = graded(task(1, Track.UPDATE), []).model_copy(update={"task_id": "unknown"})
    made = voided([lost], [], impossible_outcomes([lost], []))
    assert len(made.impossible) == 1 and made.graded[0].methods == ()


def test_the_impossible_outcomes_of_a_part_are_those_of_its_systems_and_of_its_tasks_themselves() -> None:
    of = task(1, Track.UPDATE)
    shown = [Impossible("s", "t", Track.UPDATE, "why"), Impossible(None, "t", Track.UPDATE, "why")]
    others = [Impossible("s@2", "t", Track.UPDATE, "why"), Impossible("s", "t", Track.GENERATION, "why")]
    assert of_part([*shown, *others], [of], ["s"]) == tuple(shown)
