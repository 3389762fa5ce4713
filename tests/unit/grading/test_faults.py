"""Runs and builds without a verdict: the fault of the edit, or of the harness."""

from pathlib import Path

from counter_revisions import COUNTS, GOLD, NEW_FILES, OLD_FILES, OTHER, TASK, TEST, file_of
from tiny_revisions import MakeWorkspace, grade, make, task_of, worker

from testevo.builds.engine import BuildResult
from testevo.execution.runner import MethodRun
from testevo.grading.result_store import ResultStore
from testevo.grading.verdicts.invariants import impossible_outcomes
from testevo.records.evaluation.grading import Grade
from testevo.records.verdicts import BuildOutcome, Outcome

__all__ = ["make", "worker"]


def test_a_task_is_graded_with_the_jdk_that_it_was_proven_with(make: MakeWorkspace) -> None:
    workspace = make(OLD_FILES, NEW_FILES)
    done = grade(workspace, TASK.model_copy(update={"jdk": TASK.jdk + 1}), GOLD)
    assert done.infrastructure is not None and f"install JDK {TASK.jdk + 1}" in done.infrastructure
    assert done.methods[0].grade is Grade.HARNESS_FAIL


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
    workspace.engine.without_verdict = 1
    assert grade(workspace, TASK, file_of(COUNTS)).methods[0].grade is Grade.SUCCESS
    workspace.engine.without_verdict = 2
    done = grade(workspace, TASK, file_of(COUNTS, OTHER) + "// overflows\n")
    (result,) = done.methods
    assert (done.infrastructure, result.grade) == (None, Grade.COMPILE_FAIL)
    assert result.new_run is Outcome.COMPILE_ERROR_IN_FILE and "javac failed" in (result.message or "")
    assert impossible_outcomes([done], [TASK]) == []


def test_an_edit_that_alone_needs_a_jar_that_is_not_there_is_a_compile_failure_of_that_edit(
    make: MakeWorkspace,
) -> None:
    """As with the engine of another JUnit; where the revision lacks it as well, the machine does."""
    workspace = make(OLD_FILES, NEW_FILES)
    workspace.engine.without_verdict, workspace.engine.ends_as = 2, BuildOutcome.DEPENDENCY_UNAVAILABLE
    done = grade(workspace, TASK, file_of(COUNTS, OTHER) + "// another engine\n")
    (result,) = done.methods
    assert (done.infrastructure, result.grade) == (None, Grade.COMPILE_FAIL)
    assert result.new_run is Outcome.COMPILE_ERROR_IN_FILE and "dependency_unavailable" in (result.message or "")
    assert impossible_outcomes([done], [TASK]) == []
    workspace.engine.without_verdict = 4
    lost = grade(workspace, TASK, GOLD + "// where the local repository was emptied\n")
    assert lost.infrastructure is not None and "dependency_unavailable" in lost.infrastructure


def test_an_edit_that_passes_the_limit_of_the_compiler_has_its_time_once_and_few_of_its_messages(
    make: MakeWorkspace,
) -> None:
    workspace = make(OLD_FILES, NEW_FILES, build_seconds=7)
    workspace.engine.without_verdict, workspace.engine.ends_as = 1, BuildOutcome.TIMED_OUT
    (result,) = grade(workspace, TASK, GOLD + "// slow\n").methods
    assert result.grade is Grade.COMPILE_FAIL and "timed_out" in (result.message or "")
    assert "in 7 s" in (result.message or "")
    flood = file_of("counts() { " + "".join(f"Missing m{n}; " for n in range(2000)) + "}")
    (result,) = grade(workspace, TASK, flood).methods
    assert (result.grade, len(result.diagnostics)) == (Grade.COMPILE_FAIL, 100)


def test_a_run_without_verdict_counts_against_the_edit_where_the_developers_test_passes(make: MakeWorkspace) -> None:
    workspace = make(OLD_FILES, NEW_FILES)
    workspace.runner.without_verdict = 1
    assert grade(workspace, TASK, GOLD).methods[0].grade is Grade.SUCCESS
    workspace.runner.without_verdict = 2
    done = grade(workspace, TASK, GOLD + "// forges its trace\n")
    (result,) = done.methods
    assert (done.infrastructure, result.grade, result.new_run) == (None, Grade.EXEC_FAIL, Outcome.CRASHED)
    workspace.runner.without_verdict = 3  # the developer's run is repeated as well
    again = grade(workspace, TASK, GOLD + "// forges its trace again\n")
    assert (again.infrastructure, again.methods[0].new_run) == (None, Outcome.CRASHED)
    workspace.runner.without_verdict = 4
    broken = grade(workspace, TASK, GOLD + "// on a machine that runs nothing\n")
    assert broken.infrastructure == "no verdict" and broken.methods[0].grade is Grade.HARNESS_FAIL


class Saying:
    """Stands in for the runner below the counting one: each run throws an exception of a long name."""

    def run_method(self, *_: object) -> MethodRun:
        return MethodRun(Outcome.EXCEPTION, "a." + "b" * 60_000, "c" * 60_000)


def test_names_and_messages_of_exceptions_are_short_in_grades(make: MakeWorkspace) -> None:
    workspace = make(OLD_FILES, NEW_FILES)
    workspace.runner.real = Saying()  # type: ignore[assignment]
    (result,) = grade(workspace, TASK, GOLD).methods
    assert (result.exception, result.message) == ("a." + "b" * 498, "c" * 500)
