"""The second opinion on one graded task: PIT on each of its test methods that passed."""

from pathlib import Path

from testevo.execution.journal import Journal
from testevo.grading.candidate_trees import CandidateTrees, InfrastructureError
from testevo.grading.mutation.mutation_lines import MutationLines
from testevo.grading.pit.pit_runs import PitRunner, pit_key
from testevo.grading.submissions.candidate_file import read_candidate
from testevo.java.encodings import UnwritableError
from testevo.packaging.start_states.start_state import TargetFile
from testevo.records.base import Part
from testevo.records.evaluation.grading import PASSING, GradedTask
from testevo.records.evaluation.predictions import Edit
from testevo.records.evaluation.second_opinions import MethodOpinion, OpinionUndefined, SecondOpinion
from testevo.records.methods import TestKey
from testevo.records.tasks import Task
from testevo.revisions.workspace import Workspace
from testevo.runtime.files.files import content_key

NOT_SETTLED = (OpinionUndefined.NOT_BUILT, OpinionUndefined.NO_REPORT, OpinionUndefined.TIMED_OUT)
"""Failures that another attempt may not meet; the next run asks again."""


class _Asked(Part):
    """The journal entry of a graded task."""

    methods: tuple[MethodOpinion, ...]


class SecondOpinions:
    """Asks PIT about graded edits of the tasks of one repository.

    Args:
        workspace: the repository, unpacked.
        work: folder outside all trees for private folders of runs.
        journal: what was asked before; the grade's own key says when it holds.

    Raises:
        MachineError: the sandbox asked for is not installed, or PIT was not fetched.
    """

    def __init__(self, workspace: Workspace, work: Path, journal: Journal) -> None:
        self._workspace = workspace
        self._lines = workspace.config.evaluation.mutation.lines
        self._journal = journal
        self._runner = PitRunner(workspace.config, work)

    def ask(self, task: Task, edit: Edit, target: TargetFile, graded: GradedTask) -> SecondOpinion:
        """The opinion on every target method.

        Args:
            graded: the grade of this edit of this task.

        Raises:
            MachineError: no JVM can be started.
        """
        key = content_key("second opinion", pit_key(), graded.key)
        asked = self._journal.remembered(
            key,
            _Asked,
            lambda: _Asked(methods=tuple(self._asked(task, edit, target, graded))),
            lambda made: not any(one.undefined in NOT_SETTLED for one in made.methods),
        )
        return SecondOpinion(
            system=graded.system, task_id=graded.task_id, track=graded.track, key=graded.key, methods=asked.methods
        )

    def _asked(self, task: Task, edit: Edit, target: TargetFile, graded: GradedTask) -> list[MethodOpinion]:
        passed = [method.grade in PASSING for method in graded.methods]
        unmeasured = [_undefined(method.test, OpinionUndefined.NOT_PASSED) for method in graded.methods]
        if edit.content is None or not any(passed):
            return unmeasured
        try:
            tree = CandidateTrees(self._workspace, task, edit.content, target.gold).new.tree
        except (InfrastructureError, UnwritableError):
            tree = None
        candidates = read_candidate(task, edit.content, target.gold).methods
        lines = MutationLines(task, self._workspace, self._lines)
        found = []
        for place, evidence in enumerate(task.tests):
            candidate = candidates[place]
            if not passed[place] or candidate is None:
                found.append(unmeasured[place])
            elif tree is None:
                found.append(_undefined(evidence.test, OpinionUndefined.NOT_BUILT))
            else:
                wanted = lines.of(evidence.dependencies)
                opinion = self._runner.run(tree, candidate.test, evidence.dependencies, wanted)
                found.append(opinion.model_copy(update={"test": evidence.test}))
        return found


def _undefined(test: TestKey, reason: OpinionUndefined) -> MethodOpinion:
    return MethodOpinion(test=test, undefined=reason)
