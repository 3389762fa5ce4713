"""Coverage of graded tests, and that measuring it changes no verdict (TEB-V01 to V07)."""

import pytest
from counter_revisions import GOLD, HEAD, NEW_FILES, OLD_FILES, TASK, file_of, graded, only
from tiny_revisions import NEW, OLD, MakeWorkspace, grade, make, worker

from testevo.grading.verdicts.invariants import impossible_outcomes
from testevo.records.evaluation.grading import Discrimination, Grade, Undefined
from testevo.records.evaluation.predictions import DefectKind
from testevo.records.tasks import Coverage
from testevo.records.verdicts import Outcome

__all__ = ["make", "worker"]


def test_a_test_that_fails_where_it_sees_probes_keeps_its_grade_and_is_not_behavioural(make: MakeWorkspace) -> None:
    """Measuring decides no grade, and no data is not 0 %; but a test that runs no focal line could hide it so."""
    body = "counts() { assertEquals(3, Counter.class.getDeclaredMethods().length); }"
    done, _ = graded(make, file_of(body))
    (result,) = done.methods
    assert (result.new_run, result.grade, result.discrimination) == (
        Outcome.PASSED,
        Grade.SUCCESS,
        Discrimination.ASSERTION,
    )
    assert (result.coverage, result.coverage_undefined) == (None, Undefined.HIDDEN)
    assert [defect.kind for defect in done.defects] == [DefectKind.HIDES_COVERAGE]
    assert not result.behavioural_success and impossible_outcomes([done], [TASK]) == []


def test_what_fails_once_where_it_is_measured_hides_nothing(make: MakeWorkspace) -> None:
    workspace = make(OLD_FILES, NEW_FILES)
    workspace.runner.tosses = {NEW: [Outcome.PASSED, Outcome.ASSERTION_FAILED]}
    (result,) = grade(workspace, TASK, GOLD + "// once\n").methods
    assert result.coverage is not None and result.behavioural_success


def test_where_the_developers_test_cannot_be_measured_nothing_is_hidden(make: MakeWorkspace) -> None:
    """Nor by the developer's test itself."""
    outcomes = [Outcome.PASSED, Outcome.ASSERTION_FAILED, Outcome.PASSED, Outcome.ASSERTION_FAILED]
    for content, more in ((GOLD + "// again\n", [*outcomes, Outcome.ASSERTION_FAILED]), (GOLD, outcomes[:3])):
        workspace = make(OLD_FILES, NEW_FILES)
        workspace.engine.folder /= str(len(more))
        workspace.scratch /= str(len(more))
        workspace.runner.tosses = {NEW: more}
        done = grade(workspace, TASK, content)
        assert (done.methods[0].coverage_undefined, done.defects) == (Undefined.NO_DATA, ())
        assert done.methods[0].behavioural_success and workspace.runner.tosses[NEW] == []


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
    done = grade(workspace, TASK, file_of(body))
    (result,) = done.methods
    assert result.new_run is Outcome.PASSED
    assert (result.coverage, result.coverage_undefined) == (None, Undefined.HIDDEN)
    assert impossible_outcomes([done], [TASK]) == []


def test_coverage_can_be_switched_off(make: MakeWorkspace) -> None:
    workspace = make(OLD_FILES, NEW_FILES, coverage=False)
    result = grade(workspace, TASK, GOLD).methods[0]
    assert (result.grade, result.coverage, result.coverage_undefined) == (Grade.SUCCESS, None, Undefined.SWITCHED_OFF)


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


def test_the_gold_edit_covers_what_it_covers(make: MakeWorkspace) -> None:
    result = only(graded(make, GOLD))
    assert result.coverage == Coverage(covered=1, raw_lines=3, executable_lines=1)
    assert OLD != NEW and result.coverage_undefined is None
