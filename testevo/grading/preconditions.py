"""Prove on this machine what a task claims, before anything is graded on it (TEB-E08).

The developer's test passes on the new code. Update: the old test passes on the old code and not on the new one.
Generation: the developer's test fails on the old code. Where that does not hold, with whole files in place as a
candidate's are, no grade says anything.
"""

import platform
from collections.abc import Iterator, Sequence
from pathlib import Path

from testevo.builds.engine import BuildResult
from testevo.grading.candidate_trees import CandidateTrees, InfrastructureError, at_path
from testevo.grading.method_runs import MethodRunner
from testevo.grading.result_key import ResultKeys
from testevo.grading.submissions.candidate_file import CandidateFile, read_candidate
from testevo.java.encodings import UnwritableError
from testevo.packaging.start_states.start_state import TargetFile
from testevo.records.evaluation.grading import NOT_HERE
from testevo.records.executions import Combination
from testevo.records.methods import TestKey
from testevo.records.tasks import Task, Track
from testevo.records.verdicts import Outcome
from testevo.revisions.workspace import Workspace
from testevo.runtime.files.files import content_key
from testevo.runtime.files.whole_files import write_once


class Preconditions:
    """Proves tasks of one workspace, each once per machine, JDK and version of testevo.

    Args:
        folder: of what was found, a file each; many processes may share it.
    """

    def __init__(self, workspace: Workspace, folder: Path) -> None:
        self._workspace = workspace
        self._folder = folder
        self._keys = ResultKeys(workspace)
        self._runner = MethodRunner(workspace)

    def proven(self, task: Task, target: TargetFile) -> Task:
        """The task; quarantined, with the reason, where its preconditions do not hold here.

        A failure of the harness is found anew by the next call.

        Raises:
            MachineError: the machine is broken: no space, no JDK, no launcher.
        """
        if task.quarantined is not None:
            return task
        key = content_key("preconditions", platform.node(), self._keys.key(task, target.gold))
        file = self._folder / key[:2] / key
        if not file.is_file():
            try:
                found = "; ".join(self._broken(task, target))
            except (InfrastructureError, UnwritableError) as error:
                return _quarantined(task, str(error))
            write_once(file, found.encode())
        return _quarantined(task, file.read_text(encoding="utf-8"))

    def _broken(self, task: Task, target: TargetFile) -> Iterator[str]:
        """Every run that ends otherwise than the task says."""
        gold = CandidateTrees(self._workspace, task, target.gold, target.gold)
        new_file = read_candidate(task, target.gold, target.gold)
        yield from self._ended(Combination.NEW_TEST_NEW_CODE, gold.new, _tests(new_file), True)
        if task.track is Track.GENERATION:
            moved = [gold.at_old(test) for test in _tests(new_file)]
            yield from self._ended(Combination.NEW_TEST_OLD_CODE, gold.old, moved, False)
        elif target.start is not None:
            old_file = read_candidate(task, target.start, target.gold)
            start = CandidateTrees(self._workspace, task, target.start, target.gold)
            yield from self._ended(Combination.OLD_TEST_NEW_CODE, start.new, _tests(old_file), False)
            old = self._workspace.build(task.old_revision)
            yield from self._ended(Combination.OLD_TEST_OLD_CODE, old, _at_old(task, old, _tests(old_file)), True)

    def _ended(
        self, combination: Combination, built: BuildResult, tests: Sequence[TestKey], passes: bool
    ) -> Iterator[str]:
        if built.tree is None:
            if passes:
                yield f"{combination.value} does not compile"
            return
        for test in tests:
            run = self._runner.run_plainly(built.tree, test, None)
            if run.outcome is Outcome.INFRASTRUCTURE:
                raise InfrastructureError(f"{test.short}: {run.message}")
            if (run.outcome is Outcome.PASSED) if passes else run.outcome.failed:
                continue
            yield f"{test.short}: {combination.value} ends as {run.outcome.value}"


def _tests(file: CandidateFile) -> list[TestKey]:
    return [method.test for method in file.methods if method is not None]


def _at_old(task: Task, built: BuildResult, tests: Sequence[TestKey]) -> list[TestKey]:
    """The tests where their file lies at the old revision."""
    if task.old_test_file is None or built.tree is None:
        return list(tests)
    return [at_path(test, task, task.old_test_file, built.tree) for test in tests]


def _quarantined(task: Task, reason: str) -> Task:
    return task.model_copy(update={"quarantined": f"{NOT_HERE}{reason.removesuffix('.')}."}) if reason else task
