"""What a passing test of the generation track does on old code: every kind of discrimination (TEB-E01 to E11)."""

import pytest
from counter_revisions import COUNTS, EXTRA, GOLD, NEW_FILES, OLD_FILES, OTHER, TASK, TEST, file_of, graded, only
from tiny_revisions import MAIN, OLD, TESTS, MakeWorkspace, dependency, grade, make, task_of, worker

from testevo.execution.runner import MethodRun
from testevo.grading.verdicts.discrimination import discrimination
from testevo.grading.verdicts.invariants import impossible_outcomes
from testevo.records.evaluation.grading import Discrimination, Grade
from testevo.records.evaluation.predictions import DefectKind
from testevo.records.methods import ChangeKind, TestKey
from testevo.records.tasks import Track
from testevo.records.verdicts import Outcome

__all__ = ["make", "worker"]


@pytest.mark.parametrize(
    ("body", "kind", "old_run"),
    [
        ("{ assertEquals(2, new Counter().next(1)); }", Discrimination.ASSERTION, Outcome.ASSERTION_FAILED),
        ("{ assertEquals(8, new Counter().next(7)); }", Discrimination.EXCEPTION, Outcome.EXCEPTION),
        ("{ assertEquals(9, new Counter().next(8)); }", Discrimination.NOT_JUDGED, Outcome.CRASHED),
        (
            "{ assertEquals(2, new Counter().after(1)); }",
            Discrimination.OWN_COMPILE_ERROR,
            Outcome.COMPILE_ERROR_IN_METHOD,
        ),
        ('throws Exception { Class.forName("a.Extra"); }', Discrimination.MISSING_CLASS, Outcome.EXCEPTION),
        (
            'throws Exception { Counter.class.getMethod("after", int.class); }',
            Discrimination.MISSING_CLASS,
            Outcome.EXCEPTION,
        ),
        (
            '{ try { Class.forName("a.Extra"); } catch (Exception gone) { throw new AssertionError("gone", gone); } }',
            Discrimination.MISSING_CLASS,
            Outcome.ASSERTION_FAILED,
        ),
        (
            '{ try { Counter.class.getMethod("after", int.class); }\n'
            "catch (Exception gone) { throw new RuntimeException(gone); } }",
            Discrimination.MISSING_CLASS,
            Outcome.EXCEPTION,
        ),
        ("{ assertTrue(new Counter().version() > 0); }", Discrimination.NONE, Outcome.PASSED),
        ("{ assumeTrue(new Counter().version() > 1); }", Discrimination.NOT_JUDGED, Outcome.ABORTED),
    ],
)
def test_a_passing_generated_test_is_told_by_what_it_does_on_old_code(
    make: MakeWorkspace, body: str, kind: Discrimination, old_run: Outcome
) -> None:
    """Success as in the paper, and the stricter one beside it."""
    done = graded(make, file_of(f"counts() {body}"))
    result = only(done)
    assert impossible_outcomes([done[0]], [TASK]) == []
    assert (result.discrimination, result.old_run, result.new_run) == (kind, old_run, Outcome.PASSED)
    assert result.grade is (Grade.SUCCESS if kind.fails else Grade.REDUNDANT)
    assert result.behavioural_success is (kind in (Discrimination.ASSERTION, Discrimination.EXCEPTION))


@pytest.mark.parametrize(
    ("caller", "kind"), [("a.Counter", Discrimination.ASSERTION), ("a.CounterTest$Inner", Discrimination.MISSING_CLASS)]
)
def test_what_the_project_looks_up_and_does_not_find_is_what_it_does(caller: str, kind: Discrimination) -> None:
    frames = f"\tat java.base/java.lang.Class.forName(Class.java:375)\n\tat app//{caller}.load(Counter.java:8)\n"
    trace = (
        f"java.lang.AssertionError: x\n\tat a.B.c(B.java:1)\nCaused by: java.lang.ClassNotFoundException: b.C\n{frames}"
    )
    run = MethodRun(Outcome.ASSERTION_FAILED, "java.lang.AssertionError", trace=trace)
    assert discrimination(run, TestKey(module="", path=TEST, type_name="a.CounterTest", name="counts")) is kind


def test_ending_the_jvm_on_old_code_counts_where_the_developers_test_ends_it_too(make: MakeWorkspace) -> None:
    content = file_of("counts() { assertEquals(9, new Counter().next(8)); }")
    result = only(graded(make, content, outcomes={"new_test_old_code": Outcome.TIMED_OUT}))
    assert (result.discrimination, result.old_run) == (Discrimination.EXCEPTION, Outcome.CRASHED)
    assert result.behavioural_success


def test_a_failure_on_old_code_that_a_second_run_does_not_confirm_is_none(make: MakeWorkspace) -> None:
    workspace = make(OLD_FILES, NEW_FILES)
    workspace.runner.tosses = {OLD: [Outcome.ASSERTION_FAILED, Outcome.PASSED]}
    (result,) = grade(workspace, TASK, GOLD).methods
    assert (result.grade, result.discrimination) == (Grade.REDUNDANT, Discrimination.NONE)


OWN_CLASSES = """    static class Counter { int next(int last) { return last + 1; } }
    static void assertEquals(int expected, int found) { }
}
"""


@pytest.mark.parametrize("track", [Track.UPDATE, Track.GENERATION])
def test_a_test_of_classes_of_its_own_is_never_behavioural(make: MakeWorkspace, track: Track) -> None:
    content = GOLD.removesuffix("}\n") + OWN_CLASSES
    done, _ = graded(make, content, track=track, old_source=f"@Test public void {COUNTS}")
    assert [defect.kind for defect in done.defects] == [DefectKind.ENTERS_NO_FOCAL_LINE]
    assert done.methods[0].new_run is Outcome.PASSED and not done.methods[0].behavioural_success


def test_another_method_of_the_file_that_does_not_compile_on_old_code_is_collateral(make: MakeWorkspace) -> None:
    innocent = "counts() { assertTrue(true); }"
    done = graded(make, file_of(innocent, "more() { new Counter().after(1); }"))
    result = only(done)
    assert result.discrimination is Discrimination.COLLATERAL_COMPILE_ERROR
    assert (result.old_run, result.grade) == (Outcome.COMPILE_ERROR_IN_FILE, Grade.SUCCESS)
    assert not result.behavioural_success and {found.path for found in result.diagnostics} == {TEST}


def test_other_test_files_that_need_what_the_edit_dropped_are_collateral_too(make: MakeWorkspace) -> None:
    old = {
        **OLD_FILES,
        TEST: file_of(OTHER).replace("{\n    @Test", "{\n    static int HELP = 1;\n    @Test", 1),
        f"{TESTS}/a/OtherTest.java": "package a;\n\nclass OtherTest {\n    int help = CounterTest.HELP;\n}\n",
    }
    done = graded(make, GOLD, old=old, old_path=TEST)
    assert only(done).old_run is Outcome.COMPILE_ERROR_ELSEWHERE
    assert only(done).discrimination is Discrimination.COLLATERAL_COMPILE_ERROR


def test_on_old_code_the_edit_replaces_the_file_at_its_old_path(make: MakeWorkspace) -> None:
    before = f"{TESTS}/a/OldName.java"
    old = {**OLD_FILES, before: GOLD.replace("public class", "class")}
    done = graded(make, GOLD, old=old, old_path=before)
    assert (only(done).old_run, only(done).discrimination) == (Outcome.ASSERTION_FAILED, Discrimination.ASSERTION)


def test_an_edit_that_ends_the_compiler_on_old_code_is_not_shown_to_tell_it_from_the_new(make: MakeWorkspace) -> None:
    workspace = make(OLD_FILES, NEW_FILES)
    workspace.engine.without_verdict = 2
    done = grade(workspace, TASK, GOLD)  # nothing to compile on the new code
    (result,) = done.methods
    assert (result.grade, result.discrimination) == (Grade.REDUNDANT, Discrimination.NOT_JUDGED)
    assert impossible_outcomes([done], [TASK]) == []


def test_a_pass_on_old_code_by_classes_that_it_does_not_have_is_the_fault_of_the_harness(make: MakeWorkspace) -> None:
    """As with class files that are left over from another revision."""
    extra = EXTRA.replace("}\n", "    public int one() {\n        return 1;\n    }\n}\n")
    new = {**NEW_FILES, f"{MAIN}/a/Extra.java": extra}
    content = file_of("counts() { assertEquals(1, new Extra().one()); }")
    task = task_of(new, TEST, ["counts"], [dependency(new, f"{MAIN}/a/Extra.java", "one", ChangeKind.INSERTED)])
    clean = make(OLD_FILES, new)
    assert grade(clean, task, content).methods[0].discrimination is Discrimination.OWN_COMPILE_ERROR
    dirty = make(OLD_FILES, new)
    dirty.engine.folder = dirty.engine.folder / "dirty"
    dirty.engine.left_over = {f"{MAIN}/a/Extra.java": extra}
    dirty.scratch = dirty.scratch / "dirty"
    done = grade(dirty, task, content)
    assert done.infrastructure is not None and "not clean" in done.infrastructure


def test_a_class_of_the_test_with_the_name_of_an_inserted_one_is_no_contradiction(make: MakeWorkspace) -> None:
    extra = f"{MAIN}/a/Extra.java"
    new = {**NEW_FILES, extra: EXTRA.replace("}\n", "    public int one() {\n        return 1;\n    }\n}\n")}
    task = task_of(new, TEST, ["counts"], [dependency(new, extra, "one", ChangeKind.INSERTED)])
    own = "private static class Extra { int one() { return 1; } }"
    content = file_of(f"counts() {{ assertEquals(1, new Extra().one()); }}\n{own}")
    done = grade(make(OLD_FILES, new), task, content)
    assert (done.infrastructure, done.methods[0].grade) == (None, Grade.REDUNDANT)
