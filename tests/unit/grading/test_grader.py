"""Every grade and every kind of discrimination, on compiled revisions and real JVMs (TEB-E01 to E11, V01 to V07)."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tiny_revisions import (
    MAIN,
    NEW,
    OLD,
    TESTS,
    Files,
    MakeWorkspace,
    TinyWorkspace,
    dependency,
    grade,
    make,
    task_of,
    worker,
)

from testevo.builds.engine import BuildResult
from testevo.grading.result_store import ResultStore
from testevo.grading.verdicts.invariants import impossible_outcomes
from testevo.records.evaluation.grading import Discrimination, Grade, GradedTask, MethodResult, Undefined, Weakening
from testevo.records.evaluation.predictions import Defect, DefectKind
from testevo.records.methods import ChangeKind
from testevo.records.tasks import Coverage, Track
from testevo.records.verdicts import BuildOutcome, Outcome

__all__ = ["make", "worker"]

COUNTER = f"{MAIN}/a/Counter.java"
TEST = f"{TESTS}/a/CounterTest.java"
OLD_COUNTER = """package a;

public class Counter {
    public int next(int last) {
        if (last == 7) {
            throw new IllegalStateException("seven");
        }
        if (last == 8) {
            System.exit(0);
        }
        return last;
    }

    public int version() {
        return 1;
    }
}
"""
NEW_COUNTER = """package a;

public class Counter {
    public int next(int last) {
        return last + 1;
    }

    public int after(int last) {
        return next(last);
    }

    public int version() {
        return 2;
    }
}
"""
EXTRA = "package a;\n\npublic class Extra {\n}\n"
HEAD = """package a;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import org.junit.Test;

public class CounterTest {
"""


def file_of(*methods: str, head: str = HEAD) -> str:
    return head + "\n".join(f"    @Test\n    public void {method}\n" for method in methods) + "}\n"


COUNTS = "counts() { assertEquals(2, new Counter().next(1)); }"
OTHER = "other() { assertTrue(true); }"
GOLD = file_of(COUNTS, OTHER)
OLD_FILES: Files = {COUNTER: OLD_COUNTER}
NEW_FILES: Files = {COUNTER: NEW_COUNTER, f"{MAIN}/a/Extra.java": EXTRA, TEST: GOLD}


def graded(
    make: MakeWorkspace,
    content: str | None,
    names: Sequence[str] = ("counts",),
    track: Track = Track.GENERATION,
    old: Files = OLD_FILES,
    **more: object,
) -> tuple[GradedTask, TinyWorkspace]:
    workspace = make(old, NEW_FILES)
    task = task_of(NEW_FILES, TEST, names, [dependency(NEW_FILES, COUNTER, "next")], track, **more)  # type: ignore[arg-type]
    return grade(workspace, task, content), workspace


def only(done: tuple[GradedTask, TinyWorkspace]) -> MethodResult:
    (method,) = done[0].methods
    return method


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
        ("{ assertTrue(new Counter().version() > 0); }", Discrimination.NONE, Outcome.PASSED),
        ("{ assumeTrue(new Counter().version() > 1); }", Discrimination.NOT_JUDGED, Outcome.ABORTED),
    ],
)
def test_a_passing_generated_test_is_told_by_what_it_does_on_old_code(
    make: MakeWorkspace, body: str, kind: Discrimination, old_run: Outcome
) -> None:
    """Success as in the paper, and the stricter one beside it."""
    result = only(graded(make, file_of(f"counts() {body}")))
    assert (result.discrimination, result.old_run, result.new_run) == (kind, old_run, Outcome.PASSED)
    assert result.grade is (Grade.SUCCESS if kind.fails else Grade.REDUNDANT)
    assert result.behavioural_success is (kind in (Discrimination.ASSERTION, Discrimination.EXCEPTION))


def test_ending_the_jvm_on_old_code_counts_where_the_developers_test_ends_it_too(make: MakeWorkspace) -> None:
    content = file_of("counts() { assertEquals(9, new Counter().next(8)); }")
    result = only(graded(make, content, outcomes={"new_test_old_code": Outcome.TIMED_OUT}))
    assert (result.discrimination, result.old_run) == (Discrimination.EXCEPTION, Outcome.CRASHED)
    assert result.behavioural_success


def test_a_failure_on_old_code_that_a_second_run_does_not_confirm_is_none(make: MakeWorkspace) -> None:
    workspace = make(OLD_FILES, NEW_FILES)
    task = task_of(NEW_FILES, TEST, ["counts"], [dependency(NEW_FILES, COUNTER, "next")])
    workspace.runner.tosses = {OLD: [Outcome.ASSERTION_FAILED, Outcome.PASSED]}
    (result,) = grade(workspace, task, GOLD).methods
    assert (result.grade, result.discrimination) == (Grade.REDUNDANT, Discrimination.NONE)


def test_a_pass_on_new_code_that_no_second_run_confirms_is_none(make: MakeWorkspace) -> None:
    workspace = make(OLD_FILES, NEW_FILES)
    task = task_of(NEW_FILES, TEST, ["counts"], [dependency(NEW_FILES, COUNTER, "next")])
    workspace.runner.tosses = {NEW: [Outcome.PASSED, Outcome.ASSERTION_FAILED, Outcome.ASSERTION_FAILED]}
    done = grade(workspace, task, GOLD)
    assert (done.methods[0].grade, done.methods[0].coverage_undefined) == (Grade.EXEC_FAIL, Undefined.NOT_PASSED)
    assert impossible_outcomes([done], [task]) == []


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


def test_a_task_is_graded_with_the_jdk_that_it_was_proven_with(make: MakeWorkspace) -> None:
    workspace = make(OLD_FILES, NEW_FILES)
    task = task_of(NEW_FILES, TEST, ["counts"], [dependency(NEW_FILES, COUNTER, "next")])
    done = grade(workspace, task.model_copy(update={"jdk": task.jdk + 1}), GOLD)
    assert done.infrastructure is not None and f"install JDK {task.jdk + 1}" in done.infrastructure
    assert done.methods[0].grade is Grade.HARNESS_FAIL


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


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("{ assertEquals(3, new Counter().next(1)); }", Outcome.ASSERTION_FAILED),
        ("{ throw new IllegalStateException(); }", Outcome.EXCEPTION),
        ("{ System.exit(0); }", Outcome.CRASHED),
        ("{ new Counter().next(1); Runtime.getRuntime().halt(0); }", Outcome.CRASHED),
        ("{ assumeTrue(false); }", Outcome.ABORTED),
    ],
)
def test_what_compiles_and_returns_no_pass_fails_in_execution(make: MakeWorkspace, body: str, outcome: Outcome) -> None:
    """Skipped and aborted tests do not pass either; a halted JVM leaves no coverage, which is not 0."""
    result = only(graded(make, file_of(f"counts() {body}")))
    assert (result.grade, result.new_run, result.old_run) == (Grade.EXEC_FAIL, outcome, None)
    assert (result.coverage, result.coverage_undefined) == (None, Undefined.NOT_PASSED)
    assert result.mutation_undefined is Undefined.NOT_PASSED and result.discrimination is None


def test_an_ignored_test_does_not_pass(make: MakeWorkspace) -> None:
    ignored = GOLD.replace("    @Test\n", "    @org.junit.Ignore\n    @Test\n")
    result = only(graded(make, ignored))
    assert (result.grade, result.new_run) == (Grade.EXEC_FAIL, Outcome.SKIPPED)


def test_one_broken_method_breaks_the_file_and_the_record_says_whose_fault_it_is(make: MakeWorkspace) -> None:
    done, _ = graded(make, file_of("counts() { new Counter().nothing(); }", OTHER), ["counts", "other"])
    assert [method.grade for method in done.methods] == [Grade.COMPILE_FAIL, Grade.COMPILE_FAIL]
    assert [method.new_run for method in done.methods] == [
        Outcome.COMPILE_ERROR_IN_METHOD,
        Outcome.COMPILE_ERROR_IN_FILE,
    ]
    assert done.share(Grade.COMPILE_FAIL) == 1.0 and done.methods[0].logs is None
    assert "nothing" in (done.methods[0].message or "")


def test_an_edit_that_breaks_another_file_is_a_compile_failure_elsewhere(make: MakeWorkspace) -> None:
    new = {**NEW_FILES, f"{TESTS}/a/OtherTest.java": "package a;\n\nclass OtherTest extends CounterTest {\n}\n"}
    workspace = make(OLD_FILES, new)
    task = task_of(new, TEST, ["counts"], [])
    result = grade(workspace, task, GOLD.replace("public class", "public final class")).methods[0]
    assert (result.grade, result.new_run) == (Grade.COMPILE_FAIL, Outcome.COMPILE_ERROR_ELSEWHERE)


def test_a_syntax_error_is_a_compile_failure_even_where_it_hides_the_target(make: MakeWorkspace) -> None:
    result = only(graded(make, "package a;\n\npublic class CounterTest { @Test void cou"))
    assert (result.grade, result.new_run) == (Grade.COMPILE_FAIL, Outcome.COMPILE_ERROR_IN_FILE)


@pytest.mark.parametrize(
    "content",
    [
        file_of(OTHER),
        GOLD.replace("class CounterTest", "class RenamedTest"),
        file_of(OTHER).replace(
            "}\n}", "}\n    public static class Inner {\n        @Test public void counts() { }\n}\n}"
        ),
    ],
    ids=["method gone", "class renamed", "nested"],
)
def test_a_target_that_is_gone_is_a_harness_failure_with_a_defect(make: MakeWorkspace, content: str) -> None:
    done, workspace = graded(make, content)
    assert (done.methods[0].grade, done.methods[0].new_run) == (Grade.HARNESS_FAIL, None)
    assert [defect.kind for defect in done.defects] == [DefectKind.TARGET_MISSING]
    assert workspace.runner.asked == []


def test_a_method_that_is_no_test_any_more_is_a_harness_failure(make: MakeWorkspace) -> None:
    done, _ = graded(make, GOLD.replace("    @Test\n    public void counts", "    public void counts"))
    assert (done.methods[0].grade, done.methods[0].new_run) == (Grade.HARNESS_FAIL, Outcome.NOT_FOUND)
    assert [defect.kind for defect in done.defects] == [DefectKind.TARGET_MISSING]


def test_the_targets_that_are_there_are_graded_beside_one_that_is_gone(make: MakeWorkspace) -> None:
    done, _ = graded(make, file_of(COUNTS), ["counts", "other"])
    assert [method.grade for method in done.methods] == [Grade.SUCCESS, Grade.HARNESS_FAIL]
    assert sum(done.share(grade) for grade in Grade) == 1.0


def test_nothing_handed_in_is_a_harness_failure_with_its_defects_and_costs(make: MakeWorkspace) -> None:
    workspace = make(OLD_FILES, NEW_FILES)
    task = task_of(NEW_FILES, TEST, ["counts"], [])
    defect = Defect(kind=DefectKind.EMPTY, message="nothing there")
    done = grade(workspace, task, None, defects=(defect,), cost_usd=0.5)
    assert (done.methods[0].grade, done.edit, done.cost_usd) == (Grade.HARNESS_FAIL, None, 0.5)
    assert done.defects == (defect,) and workspace.engine.built == 0


def test_an_update_succeeds_by_passing_on_new_code_and_is_never_run_on_old(make: MakeWorkspace) -> None:
    second = "assertEquals(3, new Counter().next(2)); }"
    old_source = f"@Test public void {COUNTS.removesuffix('}')}{second}"
    done, workspace = graded(make, GOLD, track=Track.UPDATE, old_source=old_source)
    result = done.methods[0]
    assert (result.grade, result.behavioural_success, result.discrimination) == (Grade.SUCCESS, True, None)
    assert {revision for revision, _ in workspace.runner.asked} == {NEW}
    assert Weakening.ASSERTIONS_REMOVED in result.weakening


def test_a_parameterised_target_may_take_other_parameters(make: MakeWorkspace) -> None:
    """Selected by the types that byte code has."""
    head = (
        HEAD.replace("org.junit.Assert.", "org.junit.jupiter.api.Assertions.")
        .replace(
            "import org.junit.Test;",
            "import org.junit.jupiter.params.ParameterizedTest;\nimport org.junit.jupiter.params.provider.CsvSource;",
        )
        .replace("import static org.junit.Assume.assumeTrue;\n", "")
    )
    rows = '    @ParameterizedTest\n    @CsvSource({"1,2", "4,5"})\n    void counts'
    gold = head + rows + "(int last, int next) {\n        assertEquals(next, new Counter().next(last));\n    }\n}\n"
    mine = (
        head + rows + "(Integer last, String next) {\n        "
        "assertEquals(next, String.valueOf(new Counter().next(last)));\n    }\n}\n"
    )
    new = {COUNTER: NEW_COUNTER, TEST: gold}
    workspace = make(OLD_FILES, new, framework="platform")
    task = task_of(new, TEST, ["counts"], [dependency(new, COUNTER, "next")])
    result = grade(workspace, task, mine).methods[0]
    assert (result.grade, result.discrimination) == (Grade.SUCCESS, Discrimination.ASSERTION)
    assert result.test == task.tests[0].test
    assert workspace.runner.asked[0][1].parameters == ("Integer", "String")


def test_on_old_code_the_edit_replaces_the_file_at_its_old_path(make: MakeWorkspace) -> None:
    before = f"{TESTS}/a/OldName.java"
    old = {**OLD_FILES, before: GOLD.replace("public class", "class")}
    done = graded(make, GOLD, old=old, old_path=before)
    assert (only(done).old_run, only(done).discrimination) == (Outcome.ASSERTION_FAILED, Discrimination.ASSERTION)


def test_a_test_that_stumbles_over_the_probes_keeps_its_verdict_and_loses_its_coverage(make: MakeWorkspace) -> None:
    """Measuring must never decide, and no data is not 0 %."""
    body = "counts() { assertEquals(3, Counter.class.getDeclaredMethods().length); new Counter().next(1); }"
    result = only(graded(make, file_of(body)))
    assert result.new_run is Outcome.PASSED
    assert (result.coverage, result.coverage_undefined) == (None, Undefined.NO_DATA)


@pytest.mark.parametrize(
    "change",
    [
        '{ new Counter().next(1); java.util.Arrays.fill((boolean[]) probes.getField("LINES").get(null), false); }',
        """{
            new Counter();
            java.lang.reflect.Field taken = probes.getDeclaredField("TAKEN");
            taken.setAccessible(true);
            for (Object one : ((java.util.Map<?, ?>) taken.get(null)).values()) {
                java.util.Arrays.fill((boolean[]) one, true);
            }
        }""",
    ],
    ids=["cleared", "filled"],
)
def test_probes_that_a_test_has_cleared_or_filled_cost_its_own_coverage(make: MakeWorkspace, change: str) -> None:
    """And nothing else: no impossible outcome stands in the way of everybody's tables."""
    body = f"""counts() throws Exception {{
        Class<?> probes;
        try {{
            probes = Class.forName("testevo.coverage.Probes");
        }} catch (ClassNotFoundException unmeasured) {{
            return;
        }}
        {change}
    }}"""
    workspace = make(OLD_FILES, NEW_FILES)
    task = task_of(NEW_FILES, TEST, ["counts"], [dependency(NEW_FILES, COUNTER, "next")])
    done = grade(workspace, task, file_of(body))
    (result,) = done.methods
    assert result.new_run is Outcome.PASSED
    assert (result.coverage, result.coverage_undefined) == (None, Undefined.NO_DATA)
    assert impossible_outcomes([done], [task]) == []


def test_coverage_can_be_switched_off(make: MakeWorkspace) -> None:
    workspace = make(OLD_FILES, NEW_FILES, coverage=False)
    task = task_of(NEW_FILES, TEST, ["counts"], [dependency(NEW_FILES, COUNTER, "next")])
    result = grade(workspace, task, GOLD).methods[0]
    assert (result.grade, result.coverage, result.coverage_undefined) == (Grade.SUCCESS, None, Undefined.SWITCHED_OFF)


def test_a_revision_that_builds_no_more_is_the_fault_of_the_harness_and_is_not_remembered(
    make: MakeWorkspace, tmp_path: Path
) -> None:
    workspace = make(OLD_FILES, NEW_FILES)
    workspace.engine.broken = BuildResult(BuildOutcome.DEPENDENCY_UNAVAILABLE, "no such jar")
    task = task_of(NEW_FILES, TEST, ["counts"], [])
    store = ResultStore(tmp_path / "store")
    done = grade(workspace, task, GOLD, store)
    assert done.infrastructure is not None and "no such jar" in done.infrastructure
    assert (done.methods[0].grade, done.methods[0].new_run) == (Grade.HARNESS_FAIL, Outcome.INFRASTRUCTURE)
    assert not list(store.folder.rglob("*.json"))


def test_an_edit_that_ends_the_compiler_is_a_compile_failure_of_that_edit(make: MakeWorkspace) -> None:
    """Once may be a busy machine; the revision itself builds."""
    workspace = make(OLD_FILES, NEW_FILES)
    task = task_of(NEW_FILES, TEST, ["counts"], [dependency(NEW_FILES, COUNTER, "next")])
    workspace.engine.without_verdict = 1
    assert grade(workspace, task, file_of(COUNTS)).methods[0].grade is Grade.SUCCESS
    workspace.engine.without_verdict = 2
    done = grade(workspace, task, file_of(COUNTS, OTHER) + "// overflows\n")
    (result,) = done.methods
    assert (done.infrastructure, result.grade) == (None, Grade.COMPILE_FAIL)
    assert result.new_run is Outcome.COMPILE_ERROR_IN_FILE and "javac failed" in (result.message or "")
    assert impossible_outcomes([done], [task]) == []


def test_an_edit_that_passes_the_limit_of_the_compiler_has_its_time_once_and_few_of_its_messages(
    make: MakeWorkspace,
) -> None:
    workspace = make(OLD_FILES, NEW_FILES, build_seconds=7)
    task = task_of(NEW_FILES, TEST, ["counts"], [dependency(NEW_FILES, COUNTER, "next")])
    workspace.engine.without_verdict, workspace.engine.ends_as = 1, BuildOutcome.TIMED_OUT
    (result,) = grade(workspace, task, GOLD + "// slow\n").methods
    assert result.grade is Grade.COMPILE_FAIL and "timed_out" in (result.message or "")
    assert "in 7 s" in (result.message or "")
    flood = file_of("counts() { " + "".join(f"Missing m{n}; " for n in range(2000)) + "}")
    (result,) = grade(workspace, task, flood).methods
    assert (result.grade, len(result.diagnostics)) == (Grade.COMPILE_FAIL, 100)


def test_an_edit_that_ends_the_compiler_on_old_code_is_not_shown_to_tell_it_from_the_new(make: MakeWorkspace) -> None:
    workspace = make(OLD_FILES, NEW_FILES)
    task = task_of(NEW_FILES, TEST, ["counts"], [dependency(NEW_FILES, COUNTER, "next")])
    workspace.engine.without_verdict = 2
    done = grade(workspace, task, GOLD)  # nothing to compile on the new code
    (result,) = done.methods
    assert (result.grade, result.discrimination) == (Grade.REDUNDANT, Discrimination.NOT_JUDGED)
    assert impossible_outcomes([done], [task]) == []


def test_a_run_without_verdict_counts_against_the_edit_where_the_developers_test_passes(make: MakeWorkspace) -> None:
    workspace = make(OLD_FILES, NEW_FILES)
    task = task_of(NEW_FILES, TEST, ["counts"], [dependency(NEW_FILES, COUNTER, "next")])
    workspace.runner.without_verdict = 1
    assert grade(workspace, task, GOLD).methods[0].grade is Grade.SUCCESS
    workspace.runner.without_verdict = 2
    done = grade(workspace, task, GOLD + "// forges its trace\n")
    (result,) = done.methods
    assert (done.infrastructure, result.grade, result.new_run) == (None, Grade.EXEC_FAIL, Outcome.CRASHED)
    workspace.runner.without_verdict = 3  # the developer's run is repeated as well
    again = grade(workspace, task, GOLD + "// forges its trace again\n")
    assert (again.infrastructure, again.methods[0].new_run) == (None, Outcome.CRASHED)
    workspace.runner.without_verdict = 4
    broken = grade(workspace, task, GOLD + "// on a machine that runs nothing\n")
    assert broken.infrastructure == "no verdict" and broken.methods[0].grade is Grade.HARNESS_FAIL


def test_a_test_cannot_tell_by_the_probes_that_it_runs_on_new_code(make: MakeWorkspace) -> None:
    """One that knows no code and fails unless its class path is that of a measured run."""
    body = """counts() throws Exception {
        boolean measured = System.getProperty("java.class.path").contains("coverage");
        for (Field field : Counter.class.getDeclaredFields()) {
            measured |= field.isSynthetic();
        }
        assertTrue(measured);
    }"""
    head = HEAD.replace("import org.junit.Test;", "import java.lang.reflect.Field;\nimport org.junit.Test;")
    result = only(graded(make, file_of(body, head=head)))
    assert (result.grade, result.new_run) == (Grade.EXEC_FAIL, Outcome.ASSERTION_FAILED)


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


def test_an_equal_edit_is_graded_once_and_a_changed_one_again(make: MakeWorkspace, tmp_path: Path) -> None:
    """Whatever the systems are called."""
    workspace = make(OLD_FILES, NEW_FILES)
    task = task_of(NEW_FILES, TEST, ["counts"], [dependency(NEW_FILES, COUNTER, "next")])
    store = ResultStore(tmp_path / "store")
    first = grade(workspace, task, GOLD, store, tmp_path / "stage")
    runs = len(workspace.runner.asked)
    again = grade(workspace, task, GOLD, store, tmp_path / "stage", system="another", cost_usd=1.0)
    assert len(workspace.runner.asked) == runs == 4  # new code, its coverage, old code twice
    assert again.methods == first.methods and again.key == first.key
    assert (again.system, again.cost_usd) == ("another", 1.0)
    changed = grade(workspace, task, GOLD + "// changed\n", store, tmp_path / "stage")
    assert changed.key != first.key and len(workspace.runner.asked) == 2 * runs


def test_what_a_run_wrote_is_kept_beside_the_grade(make: MakeWorkspace, tmp_path: Path) -> None:
    """TEB-E07: bytes stay bytes."""
    workspace = make(OLD_FILES, NEW_FILES)
    task = task_of(NEW_FILES, TEST, ["counts"], [])
    content = file_of("counts() { System.out.write(200); System.out.flush(); assertEquals(2, new Counter().next(1)); }")
    done = grade(workspace, task, content, logs=tmp_path / "stage")
    logs = done.methods[0].logs
    assert logs is not None and logs.startswith("logs/")
    assert (tmp_path / "stage" / logs / "new" / "stdout").read_bytes() == b"\xc8"
    assert b'value="passed"' in (tmp_path / "stage" / logs / "new" / "result.xml").read_bytes()
    assert b'value="assertion_failed"' in (tmp_path / "stage" / logs / "old" / "result.xml").read_bytes()


def test_the_gold_edit_covers_what_it_covers(make: MakeWorkspace) -> None:
    result = only(graded(make, GOLD))
    assert result.coverage == Coverage(covered=1, raw_lines=3, executable_lines=1)
    assert OLD != NEW and result.coverage_undefined is None
