"""What a passing test of the generation track does on old code: every kind of discrimination (TEB-E01 to E11)."""

import pytest
from counter_revisions import (
    COUNTER,
    COUNTS,
    EXTRA,
    GOLD,
    NEW_COUNTER,
    NEW_FILES,
    OLD_COUNTER,
    OLD_FILES,
    OTHER,
    TASK,
    TEST,
    file_of,
    graded,
    only,
)
from tiny_revisions import MAIN, OLD, TESTS, MakeWorkspace, dependency, grade, make, task_of, worker

from testevo.execution.runner import MethodRun
from testevo.grading.verdicts.code_classes import CodeClasses
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


COUNTER_TEST = TestKey(module="", path=TEST, type_name="a.CounterTest", name="counts")
FRAMES = {
    "test": "\tat java.base/java.lang.Class.forName(Class.java:375)\n"
    "\tat app//a.CounterTest.counts(CounterTest.java:8)",
    "helper": "\tat java.base/java.lang.Class.forName(Class.java:375)\n\tat a.Helper.load(CounterTest.java:80)",
    "library": "\tat org.junit.Util.load(Util.java:1)\n\tat a.CounterTest$Inner.load(CounterTest.java:8)",
    "project": "\tat java.base/java.lang.Class.forName(Class.java:375)\n\tat a.Counter.load(Counter.java:8)\n"
    "\tat a.CounterTest.counts(CounterTest.java:8)",
    "project, one line": "\tat java.base/java.lang.Class.forName(Class.java:375)\n\t... 2 more",
}
LOST = "java.lang.ClassNotFoundException: b.C"
WRAPPED = "\tat a.Counter.load(Counter.java:8)\n\tat a.CounterTest.counts(CounterTest.java:8)\nCaused by: "
CLASSES = CodeClasses(is_production="a.Counter".__eq__, is_added="a.Extra".__eq__)


def on_old_code(trace: str) -> Discrimination:
    name, _, said = trace.splitlines()[0].partition(": ")
    run = MethodRun(Outcome.ASSERTION_FAILED, name, said, trace=trace)
    return discrimination(run, COUNTER_TEST, None, CLASSES)


@pytest.mark.parametrize(
    ("form", "caller"),
    [
        *(("{}", caller) for caller in list(FRAMES)[:-1]),
        *(("java.lang.Error: x\n" + WRAPPED + "{}", one) for one in FRAMES),
    ],
)
def test_what_the_project_looks_up_and_does_not_find_is_what_it_does(form: str, caller: str) -> None:
    """Also where only the frames that two throwables have in common tell who has looked."""
    trace = form.format(f"{LOST}\n{FRAMES[caller]}")
    by_project = caller.startswith("project")
    assert on_old_code(trace) is (Discrimination.ASSERTION if by_project else Discrimination.MISSING_CLASS)
    added = on_old_code(trace.replace("b.C", "a.Extra"))
    assert added is Discrimination.MISSING_CLASS, "the project is asked for a class that only the new code has"


def several(*parts: str, name: str = "org.opentest4j.MultipleFailuresError", said: str = "Multiple Failures") -> str:
    """The trace of an error with suppressed ones."""
    inner = "\n".join("\tSuppressed: " + part.replace("\n", "\n\t") for part in parts)
    return f"{name}: {said}\n\tat a.CounterTest.counts(CounterTest.java:5)\n{inner}\n"


NOT_LINKED = (
    "java.lang.NoClassDefFoundError: a/Extra\n\tat a.CounterTest.lambda$counts$0(CounterTest.java:6)\n"
    "Caused by: java.lang.ClassNotFoundException: a.Extra\n\t... 9 more"
)
FAILED = "org.opentest4j.AssertionFailedError: expected: <2> but was: <1>\n\tat a.CounterTest.b(CounterTest.java:7)"
HIDDEN = "java.lang.AssertionError: gone\n\tat a.B.c(B.java:1)\nCaused by: " + f"{LOST}\n{FRAMES['test']}"


@pytest.mark.parametrize(
    ("trace", "kind"),
    [
        (several(NOT_LINKED), Discrimination.MISSING_CLASS),
        (several(HIDDEN, NOT_LINKED), Discrimination.MISSING_CLASS),
        (several(several(NOT_LINKED)), Discrimination.MISSING_CLASS),
        (several(NOT_LINKED, FAILED), Discrimination.ASSERTION),
        (several(f"{LOST}\n{FRAMES['project']}"), Discrimination.ASSERTION),
        (several(NOT_LINKED, said=f"x\n\tSuppressed: {FAILED}"), Discrimination.MISSING_CLASS),
        (several(FAILED, NOT_LINKED, name="java.lang.AssertionError"), Discrimination.MISSING_CLASS),
        (
            "java.lang.NoClassDefFoundError: Could not initialize class a.Counter\n" + WRAPPED[:-11],
            Discrimination.ASSERTION,
        ),
    ],
    ids=["one", "all", "nested", "one of two", "project", "forged", "suppressed", "initialiser"],
)
def test_failures_at_once_are_for_a_missing_class_where_each_is(trace: str, kind: Discrimination) -> None:
    """As `assertAll` throws them; what another failure suppresses counts alone."""
    run = MethodRun(Outcome.ASSERTION_FAILED, trace.split(":", 1)[0], _message(trace), trace=trace)
    assert discrimination(run, COUNTER_TEST, None, CLASSES) is kind


def _message(trace: str) -> str:
    """All before the frames of the test itself."""
    return trace.split("\n\tat a.CounterTest.counts(", 1)[0].partition(": ")[2]


@pytest.mark.parametrize(("causes", "kind"), [(90, "assertion"), (2000, "missing_class")])
def test_a_failure_within_more_others_than_people_nest_is_no_behaviour(causes: int, kind: str) -> None:
    """A test can make a chain of any length, which must not end the grader."""
    chain = "java.lang.AssertionError: a\n\tat a.CounterTest.counts(CounterTest.java:8)\n"
    assert on_old_code(chain + "Caused by: a.Failed: a\n\t... 1 more\n" * causes) is Discrimination(kind)


def test_a_look_up_in_assert_all_is_no_behaviour(make: MakeWorkspace) -> None:
    """Nor one through the project, for a class that only the new code has; what the project itself reports is."""
    body = """package a;
import static org.junit.jupiter.api.Assertions.assertAll;
import org.junit.jupiter.api.Test;
class CounterTest {
    @Test void looks() { assertAll(() -> new Counter(), () -> Class.forName("a.Extra").getConstructor()); }
    @Test void asks() { assertAll(() -> Counter.find("a.Extra")); }
    @Test void loads() { Counter.load(); }
}
"""
    finds = """    static Class<?> find(String name) throws Exception { return Class.forName(name); }
    static void load() {
        %s
    }
}
"""
    fails = 'try { Class.forName("b.Plugin"); } catch (ClassNotFoundException lost) { throw new AssertionError(lost); }'
    old = {COUNTER: OLD_COUNTER.removesuffix("}\n") + finds % fails}
    new = {**NEW_FILES, COUNTER: NEW_COUNTER.removesuffix("}\n") + finds % "", TEST: body}
    names = ["looks", "asks", "loads"]
    task = task_of(new, TEST, names, [dependency(new, COUNTER, "next")])
    done = grade(make(old, new, framework="platform", coverage=False), task, body)
    kinds = [method.discrimination for method in done.methods]
    assert kinds == [Discrimination.MISSING_CLASS, Discrimination.MISSING_CLASS, Discrimination.ASSERTION]


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
