"""The grade of each target method of one edit (TEB-V01 to V07)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from testevo.builds.engine import BuildResult, BuiltTree
from testevo.execution.runner import MESSAGE_CHARACTERS, MethodRun, shortened
from testevo.execution.verdicts.compile_errors import BuildFailure, build_failure
from testevo.grading.candidate_trees import CandidateTrees, InfrastructureError
from testevo.grading.method_runs import MeasuredRun, MethodRunner
from testevo.grading.mutation.mutation import Mutation
from testevo.grading.submissions.candidate_file import (
    ABSENT,
    CandidateFile,
    CandidateMethod,
    choosing,
    hiding_coverage,
    missing,
    without_focal_line,
)
from testevo.grading.verdicts.code_classes import CodeClasses
from testevo.grading.verdicts.discrimination import discrimination
from testevo.grading.verdicts.repeats import repeated
from testevo.grading.verdicts.shadowing import TestFile, members_in_reserve
from testevo.grading.verdicts.ungraded import NOT_MEASURED, ungraded
from testevo.grading.verdicts.weakening import weakenings
from testevo.records.evaluation.grading import Discrimination, Grade, MethodResult, Undefined
from testevo.records.evaluation.predictions import Defect
from testevo.records.executions import Combination
from testevo.records.tasks import Task, TestEvidence, Track
from testevo.records.verdicts import Diagnostic, Outcome


class MethodGrader:
    """Grades the targets of one edit, one after the other.

    Args:
        mutation: None leaves mutation undefined.
        log_names: what records call the folders of the methods, by their place in the task.
        logs: the folder in which these folders are; None keeps none.
    """

    def __init__(
        self,
        task: Task,
        file: CandidateFile,
        trees: CandidateTrees,
        runner: MethodRunner,
        mutation: Mutation | None,
        log_names: Sequence[str],
        logs: Path | None,
    ) -> None:
        self._task = task
        self._file = file
        self._trees = trees
        self._runner = runner
        self._mutation = mutation
        self._log_names = log_names
        self._logs = logs
        self.defects: list[Defect] = []
        """Targets that there was nothing to run of, or that run no focal code."""

    def grade(self) -> tuple[MethodResult, ...]:
        """The results, in the order of the task.

        Raises:
            InfrastructureError: the harness failed.
        """
        results = tuple(self._method(place) for place in range(len(self._task.tests)))
        if any(one.discrimination is not None and one.discrimination.behavioural for one in results):
            self._look_for_reserves()
        return results

    def _look_for_reserves(self) -> None:
        """Mark a file that leaves it to the compiler to choose by what the old code lacks."""
        old, new, path = self._trees.old.tree, self._trees.new.tree, self._task.test_file
        if old is None or new is None:
            return
        names = members_in_reserve(TestFile(path, self._file.package, self._file.imports), old, new)
        if names:
            self.defects.append(choosing(path, names[:MOST_NAMES]))

    def _method(self, place: int) -> MethodResult:
        evidence, candidate = self._task.tests[place], self._file.methods[place]
        if candidate is None and self._file.readable:
            return self._absent(evidence, ABSENT, None)
        built = self._trees.new
        if built.tree is None:
            return self._not_compiled(evidence, candidate, built)
        if candidate is None:
            return self._absent(evidence, "the edited file has no such method that can be read", None)
        logs = self._folder(place, "new")
        done = self._runner.run(built.tree, candidate.test, evidence.dependencies, logs)
        if done.run.outcome is Outcome.INFRASTRUCTURE:
            done = self._ended_by_candidate(evidence, done)
        if done.run.outcome is Outcome.NOT_FOUND:
            return self._absent(evidence, "the test engine finds no such test", Outcome.NOT_FOUND)
        if done.run.outcome is not Outcome.PASSED:
            return self._result(place, Grade.EXEC_FAIL, done.run, **NOT_MEASURED)
        if done.measured.undefined is Undefined.NO_DATA and built.tree is not self._trees.base:
            again = self._runner.measured_again(built.tree, candidate.test, self._trees.base, evidence)
            done = replace(done, measured=again)
        return self._passed(place, candidate, built.tree, done)

    def _ended_by_candidate(self, evidence: TestEvidence, done: MeasuredRun) -> MeasuredRun:
        """Blame a run that gave no verdict twice on the candidate, where the developer's test gives one.

        Raises:
            InfrastructureError: the developer's test gives no pass here either, so the harness is at fault.
        """
        said = done.run.message or "a test run gave no verdict"
        if self._runner.run_plainly(self._trees.base, evidence.test, None).outcome is not Outcome.PASSED:
            raise InfrastructureError(said)
        message = f"{said}; twice, while the developer's test passes here"
        return replace(done, run=replace(done.run, outcome=Outcome.CRASHED, message=message))

    def _passed(self, place: int, candidate: CandidateMethod, tree: BuiltTree, done: MeasuredRun) -> MethodResult:
        entered = done.measured.entered
        measured: dict[str, Any] = {
            "coverage": done.measured.coverage,
            "coverage_undefined": done.measured.undefined,
            "entered": entered and {path: tuple(sorted(lines)) for path, lines in sorted(entered.items()) if lines},
        }
        if self._mutation is None:
            measured["mutation_undefined"] = Undefined.SWITCHED_OFF
        else:
            target = self._task.tests[place].test
            apart = bool(self._file.looks_around) or done.measured.undefined is Undefined.HIDDEN
            measured |= self._mutation.fields(self._task, target, tree, candidate.test, done, apart=apart)
        if self._task.track is Track.UPDATE:
            old_source = self._task.tests[place].old_source
            weaker = weakenings(old_source, candidate.text) if old_source is not None else ()
            result = self._result(
                place, Grade.SUCCESS, done.run, behavioural_success=True, weakening=weaker, **measured
            )
        else:
            result = self._compared(place, candidate, done, measured)
        if not result.enters_no_focal_line and not result.hides_coverage:
            return result
        defect = hiding_coverage if result.hides_coverage else without_focal_line
        self.defects.append(defect(self._task.tests[place]))
        return result.model_copy(update={"behavioural_success": False})

    def _compared(
        self, place: int, candidate: CandidateMethod, done: MeasuredRun, measured: dict[str, Any]
    ) -> MethodResult:
        """Generation: the same file on the old code."""
        built = self._trees.old
        diagnostics: tuple[Diagnostic, ...] = ()
        if built.tree is None:
            failure = build_failure(built, self._trees.old_path, candidate.span)
            run, diagnostics = MethodRun(failure.outcome, message=failure.message), _few(failure.diagnostics)
        else:
            tree, test, logs = built.tree, self._trees.at_old(candidate.test), self._folder(place, "old")
            # Whoever tosses a coin has to win twice.
            run = repeated(
                lambda: self._runner.run_plainly(tree, test, logs),
                lambda run: not self._discrimination(place, candidate, run).behavioural,
            )
            if run.outcome is Outcome.PASSED:
                self._trees.require_clean(self._task.tests[place])
        kind = self._discrimination(place, candidate, run)
        return self._result(
            place,
            Grade.SUCCESS if kind.fails else Grade.REDUNDANT,
            run,
            new_run=done.run.outcome,
            old_run=run.outcome,
            discrimination=kind,
            behavioural_success=kind.behavioural,
            diagnostics=diagnostics,
            **measured,
        )

    def _discrimination(self, place: int, candidate: CandidateMethod, run: MethodRun) -> Discrimination:
        gold = self._task.tests[place].outcomes.get(Combination.NEW_TEST_OLD_CODE)
        return discrimination(run, candidate.test, gold, self._classes())

    def _classes(self) -> CodeClasses | None:
        """Those of both trees of the edit; None where one does not compile."""
        old, new = self._trees.old.tree, self._trees.new.tree
        return None if old is None or new is None else CodeClasses.of(old, new)

    def _result(self, place: int, grade: Grade, run: MethodRun, **more: Any) -> MethodResult:
        """`run` is the one that decides: its outcome is that on new code unless `more` says otherwise."""
        return MethodResult(
            test=self._task.tests[place].test,
            grade=grade,
            exception=shortened(run.exception),
            message=shortened(run.message),
            logs=self._log_names[place],
            **({"new_run": run.outcome} | more),
        )

    def _not_compiled(
        self, evidence: TestEvidence, candidate: CandidateMethod | None, built: BuildResult
    ) -> MethodResult:
        failure = _compile_failure(built, self._task, candidate)
        return MethodResult(
            test=evidence.test,
            grade=Grade.COMPILE_FAIL,
            new_run=failure.outcome,
            message=shortened(failure.message),
            diagnostics=_few(failure.diagnostics),
            **NOT_MEASURED,
        )

    def _absent(self, evidence: TestEvidence, reason: str, outcome: Outcome | None) -> MethodResult:
        self.defects.append(missing(evidence, reason))
        return ungraded(evidence.test, outcome)

    def _folder(self, place: int, side: str) -> Path | None:
        return None if self._logs is None else self._logs / self._log_names[place] / side


MOST_NAMES = 20
"""How many members a defect names."""
MOST_DIAGNOSTICS = 100
"""How many messages of the compiler a grade keeps."""


def _compile_failure(built: BuildResult, task: Task, candidate: CandidateMethod | None) -> BuildFailure:
    """Why the new code does not build with the edit. It builds without it, so the edit is at fault in any case."""
    failure = build_failure(built, task.test_file, candidate.span if candidate else None)
    if failure.outcome is Outcome.INFRASTRUCTURE:
        return replace(failure, outcome=Outcome.COMPILE_ERROR_IN_FILE)
    return failure


def _few(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The first ones, each of bounded length: a candidate can draw as many and as long ones as it likes."""
    first = diagnostics[:MOST_DIAGNOSTICS]
    return tuple(one.model_copy(update={"message": one.message[:MESSAGE_CHARACTERS]}) for one in first)
