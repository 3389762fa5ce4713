"""Every grade, on compiled revisions and real JVMs (TEB-E01 to E11)."""

from pathlib import Path

import pytest
from counter_revisions import (
    COUNTER,
    COUNTS,
    GOLD,
    HEAD,
    NEW_COUNTER,
    NEW_FILES,
    OLD_FILES,
    OTHER,
    TASK,
    TEST,
    file_of,
    graded,
    only,
)
from tiny_revisions import NEW, TESTS, MakeWorkspace, dependency, grade, make, task_of, worker

from testevo.grading.result_store import ResultStore
from testevo.grading.submissions.candidate_file import read_candidate
from testevo.grading.verdicts.invariants import impossible_outcomes
from testevo.records.evaluation.grading import Discrimination, Grade, Undefined, Weakening
from testevo.records.evaluation.predictions import Defect, DefectKind
from testevo.records.tasks import Track
from testevo.records.verdicts import Outcome

__all__ = ["make", "worker"]


def test_a_pass_on_new_code_that_no_second_run_confirms_is_none(make: MakeWorkspace) -> None:
    workspace = make(OLD_FILES, NEW_FILES)
    workspace.runner.tosses = {NEW: [Outcome.PASSED, Outcome.ASSERTION_FAILED, Outcome.ASSERTION_FAILED]}
    done = grade(workspace, TASK, GOLD)
    assert (done.methods[0].grade, done.methods[0].coverage_undefined) == (Grade.EXEC_FAIL, Undefined.NOT_PASSED)
    assert impossible_outcomes([done], [TASK]) == []


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


def test_a_target_is_what_the_compiler_reads() -> None:
    """An escaped line end or comment hides where the method ends; its lines are those of the file."""
    hidden = "counts() { // \\u000a } void later() {\n        assertEquals(2, new Counter().next(1));\n    }"
    (method,) = read_candidate(TASK, file_of(hidden, OTHER).encode(), GOLD.encode()).methods
    assert method is not None and "assertEquals" not in method.text
    (named,) = read_candidate(TASK, GOLD.replace("counts", "\\u0063ounts").encode(), GOLD.encode()).methods
    assert named is not None and named.span == TASK.tests[0].new_span


def test_an_overload_that_is_a_test_of_its_own_is_not_taken_for_the_target() -> None:
    """A target may get other parameters; a test that the developer has beside it stands for itself alone."""
    overload = "counts(int last) { assertEquals(last + 1, new Counter().next(last)); }"
    gold = file_of(COUNTS, overload)
    (method,) = read_candidate(TASK, file_of(overload).encode(), gold.encode()).methods
    assert method is None
    (renamed,) = read_candidate(
        TASK, file_of(overload.replace("int", "long"), overload).encode(), gold.encode()
    ).methods
    assert renamed is not None and renamed.test.parameters == ("long",)
    helper = gold.replace("@Test\n    public void counts(int", "public void counts(int")
    (turned,) = read_candidate(TASK, file_of(overload).encode(), helper.encode()).methods
    assert turned is not None and turned.test.parameters == ("int",)


def test_a_provider_that_has_the_name_of_its_target_is_not_taken_for_the_target() -> None:
    """Where the target is missing, what the developer has beside it, such as its data, is no test."""
    provider = "counts(int last) { new Counter().next(last); }"
    gold = file_of(COUNTS, provider).replace("@Test\n    public void counts(int", "public void counts(int")
    left = file_of(provider).replace("@Test\n", "")
    (method,) = read_candidate(TASK, left.encode(), gold.encode()).methods
    assert "counts(int" in left and method is None


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


def test_an_equal_edit_is_graded_once_and_a_changed_one_again(make: MakeWorkspace, tmp_path: Path) -> None:
    """Whatever the systems are called."""
    workspace = make(OLD_FILES, NEW_FILES)
    store = ResultStore(tmp_path / "store")
    first = grade(workspace, TASK, GOLD, store, tmp_path / "stage")
    runs = len(workspace.runner.asked)
    again = grade(workspace, TASK, GOLD, store, tmp_path / "stage", system="another", cost_usd=1.0)
    assert len(workspace.runner.asked) == runs == 4  # new code, its coverage, old code twice
    assert again.methods == first.methods and again.key == first.key
    assert (again.system, again.cost_usd) == ("another", 1.0)
    changed = grade(workspace, TASK, GOLD + "// changed\n", store, tmp_path / "stage")
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
