"""Grades one edit of one task: build, run, compare with the old code, measure (TEB-E01 to E11, V01 to V20).

Modules beside this one do the parts: `candidate_file` finds the targets, `candidate_trees` builds, `method_grading`
grades each target, `method_runs` runs it and measures coverage, `mutation` runs mutants, `discrimination` names what
the old code does, `result_key` and `result_store` remember.
"""

from pathlib import Path

from testevo.execution.runners.by_tree import RunnerByTree
from testevo.grading.candidate_trees import CandidateTrees, InfrastructureError
from testevo.grading.method_grading import MethodGrader
from testevo.grading.method_runs import MethodRunner
from testevo.grading.mutation.mutation import MutantsOf, Mutation
from testevo.grading.result_key import ResultKeys, edit_digest
from testevo.grading.result_store import ResultStore, StoredGrade, log_folder
from testevo.grading.submissions.candidate_file import read_candidate
from testevo.grading.verdicts.ungraded import ungraded
from testevo.java.encodings import UnwritableError
from testevo.packaging.start_states.start_state import TargetFile
from testevo.records.evaluation.grading import GradedTask
from testevo.records.evaluation.predictions import Defect, DefectKind, Edit
from testevo.records.tasks import Task
from testevo.records.verdicts import Outcome
from testevo.revisions.workspace import Workspace
from testevo.runtime.files.files import require_space


class Grader:
    """Grades edits of the tasks of one repository.

    Args:
        workspace: the repository, unpacked. Its configuration says how tests are built and run.
        store: grades that are known already.
        logs: the stage folder below which stdout, stderr and JUnit XML of every run are kept (TEB-E07), or None.
        mutants_of: the mutants of a task, which passing tests are run against; None leaves mutation undefined.
        runner: runs and measures methods; graders may share one, and then do not close it.
    """

    def __init__(
        self,
        workspace: Workspace,
        store: ResultStore,
        logs: Path | None = None,
        mutants_of: MutantsOf | None = None,
        runner: MethodRunner | None = None,
    ) -> None:
        self._workspace = workspace
        self._store = store
        self._logs = logs
        self._keys = ResultKeys(workspace)
        self._runner = runner or MethodRunner(workspace)
        self._owns_runner = runner is None
        self._mutation = None
        if mutants_of is not None and workspace.config.evaluation.mutation.enabled:
            self._mutation = Mutation(workspace.config, workspace.runs, mutants_of)

    def grade(self, task: Task, edit: Edit, target: TargetFile) -> GradedTask:
        """Grade an edit. An equal edit of an equal task under equal tools and settings is looked up, not run.

        A failure of the harness is named in `infrastructure`; it is never blamed on the candidate, and not stored.

        Raises:
            MachineError: the machine is broken: no space, no JDK, no launcher.
        """
        key = self._keys.key(task, edit.content, self._mutation.key(task) if self._mutation else None)
        if edit.content is None:
            nothing = StoredGrade(methods=tuple(ungraded(evidence.test) for evidence in task.tests))
            return self._graded(task, edit, key, nothing)
        stored = self._store.get(key)
        if stored is None:
            require_space(self._store.folder)
            try:
                stored = self._grade(task, edit.content, target.gold, key)
            except InfrastructureError as error:
                failed = tuple(ungraded(evidence.test, Outcome.INFRASTRUCTURE) for evidence in task.tests)
                return self._graded(task, edit, key, StoredGrade(methods=failed), str(error))
            except UnwritableError as error:
                stored = _not_written(task, error)
            stored = self._store.put(key, stored)
        return self._graded(task, edit, key, stored)

    def close(self) -> None:
        """End the helper processes; the workspace stays open."""
        if self._owns_runner:
            self._runner.close()

    def _grade(self, task: Task, content: bytes, gold: bytes, key: str) -> StoredGrade:
        names = [log_folder(key, str(place)) for place in range(len(task.tests))]
        file = read_candidate(task, content, gold)
        trees = CandidateTrees(self._workspace, task, content, gold)
        grader = MethodGrader(task, file, trees, self._runner, self._mutation, names, self._logs)
        methods = grader.grade()
        return StoredGrade(methods=methods, defects=tuple(grader.defects), by_surefire=trees.needs_surefire)

    def _graded(
        self, task: Task, edit: Edit, key: str, grade: StoredGrade, infrastructure: str | None = None
    ) -> GradedTask:
        """The record: the grade, and around it what is known of the system."""
        methods = grade.methods
        if self._logs is None:
            methods = tuple(method.model_copy(update={"logs": None}) for method in methods)
        known = {(defect.kind, defect.message) for defect in edit.defects}
        found = [defect for defect in grade.defects if (defect.kind, defect.message) not in known]
        return GradedTask(
            system=edit.system,
            task_id=task.task_id,
            track=task.track,
            repository=task.repository,
            old_revision=task.old_revision,
            new_revision=task.new_revision,
            new_time=task.new_time,
            key=key,
            edit=edit_digest(edit.content),
            sandbox=self._sandbox(grade),
            applied_by=edit.applied_by,
            defects=(*edit.defects, *found),
            infrastructure=infrastructure,
            quarantined=task.quarantined,
            methods=methods,
            cost_usd=edit.cost_usd,
            tokens_in=edit.tokens_in,
            tokens_out=edit.tokens_out,
            wall_s=edit.wall_s,
            exit_status=edit.exit_status,
        )

    def _sandbox(self, grade: StoredGrade) -> str:
        """What the tests ran in."""
        runner = self._workspace.runner
        if grade.by_surefire and isinstance(runner, RunnerByTree):
            return runner.surefire.sandbox
        return runner.sandbox


def _not_written(task: Task, error: UnwritableError) -> StoredGrade:
    """The grade of an edit that the build of an end would read as something else."""
    defect = Defect(kind=DefectKind.UNWRITABLE, message=f"{error}.")
    return StoredGrade(methods=tuple(ungraded(evidence.test) for evidence in task.tests), defects=(defect,))
