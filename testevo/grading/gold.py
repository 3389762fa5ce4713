"""Measure the developer's test of a task before any system's (TEB-K06, K09)."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.grading.grader import Grader
from testevo.grading.method_runs import MethodRunner
from testevo.grading.mutation.mutants import Classes, TaskMutants, make_mutants
from testevo.grading.preconditions import Preconditions
from testevo.grading.result_store import ResultStore
from testevo.grading.stability import StabilityMeter, unstable
from testevo.packaging.start_states.start_state import TargetFile
from testevo.records.evaluation.grading import Grade, GradedTask
from testevo.records.evaluation.predictions import Edit, encoded
from testevo.records.evidence.mutants import Mutant
from testevo.records.tasks import Task, TestEvidence, Track
from testevo.revisions.workspace import Workspace
from testevo.runtime.errors import MachineError

SYSTEM = "gold"
LEAST_METHODS = 5
"""With fewer test methods, zero coverage does not count as a fault of the harness."""
NOT_GRADED = "The developer's test could not be graded: "
"""How the reason begins when the harness failed, which says nothing about the test; worth another try."""
SHARED_ID = "Another task has the same id, so that predictions cannot tell them apart."


@dataclass(frozen=True)
class GoldMeasurement:
    """A task with what its developer's test reaches."""

    task: Task
    mutants: tuple[Mutant, ...] = ()
    classes: Classes | None = None
    """Class files of the mutants; None when mutants were not asked for or the task is quarantined."""
    problems: tuple[str, ...] = ()
    """Files that could not be mutated, each with the reason."""


class GoldMeter:
    """Measures developers' tests of one repository, with the grader that all systems meet.

    Args:
        workspace: the repository, unpacked.
        stores: folder of grades that are known already, a folder per run: a repeated run must not be looked up.
        shared: ids that several tasks have; predictions cannot tell those apart, so they are quarantined.
    """

    def __init__(self, workspace: Workspace, stores: Path, shared: frozenset[str] = frozenset()) -> None:
        self._workspace = workspace
        self._shared = shared
        self._evaluation = workspace.config.evaluation
        self._runner = MethodRunner(workspace)
        plain = self._evaluation.gold_runs - (1 if self._evaluation.mutation.enabled else 0)
        self._graders = [
            Grader(workspace, ResultStore(stores / f"run-{number}"), runner=self._runner)
            for number in range(1, plain + 1)
        ]
        self._stability = StabilityMeter(workspace)
        self._preconditions = Preconditions(workspace, stores / "preconditions")
        self._made: TaskMutants | None = None
        self._mutating = Grader(
            workspace, ResultStore(stores / "mutants"), mutants_of=lambda task: self._made, runner=self._runner
        )

    def measure(self, task: Task, target: TargetFile) -> GoldMeasurement:
        """Grade the developer's test several times; when it is a success every time, make mutants and run it on them.

        Raises:
            MachineError: the machine is broken.
        """
        edit = Edit(task_id=task.task_id, system=SYSTEM, applied_by="control", **encoded(target.gold))
        runs = [grader.grade(task, edit, target) for grader in self._graders]
        quarantined = SHARED_ID if task.task_id in self._shared else quarantine_reason(runs)
        if quarantined is None and task.track is Track.UPDATE:  # the runs of a generation task have shown theirs
            quarantined = self._preconditions.proven(task, target).quarantined
        if quarantined is None:
            tree = self._workspace.built(task.new_revision)
            stability = {one.test: self._stability.measure(tree, one.test) for one in task.tests}
            task = with_evidence(task, lambda one: {"stability": stability[one.test]})
            quarantined = unstable(stability)
        if quarantined is not None or not self._evaluation.mutation.enabled:
            return GoldMeasurement(with_coverage(task.model_copy(update={"quarantined": quarantined}), runs))
        made = make_mutants(task, self._workspace)
        self._made = made
        named = with_mutants(task, made)
        graded = self._mutating.grade(named, edit, target)
        quarantined = quarantine_reason([*runs, graded])
        if quarantined is not None:
            return GoldMeasurement(with_coverage(task.model_copy(update={"quarantined": quarantined}), runs))
        measured = with_coverage(with_scores(named, graded), [*runs, graded])
        return GoldMeasurement(measured, made.mutants, made.classes, made.problems)

    def close(self) -> None:
        """End the helper processes; the workspace stays open."""
        self._runner.close()


def is_settled(task: Task) -> bool:
    """Whether measuring a task again would find the same; not so when the harness failed."""
    return task.quarantined is None or not task.quarantined.startswith(NOT_GRADED)


def shared_ids(tasks: Iterable[Task]) -> frozenset[str]:
    """Ids of several tasks: test files of one name and with equal methods in different modules."""
    return frozenset(name for name, times in Counter(task.task_id for task in tasks).items() if times > 1)


def require_coverage(tasks: Iterable[Task]) -> None:
    """Refuse measurements in which no developer's test of a repository covers anything.

    A single one may: a method that leaves by an exception at once counts as not covered.

    Raises:
        MachineError: coverage does not work here.
    """
    found = [one.gold_coverage for task in tasks for one in task.tests if one.gold_coverage is not None]
    lines = [one for one in found if one.executable_lines]
    if len(lines) >= LEAST_METHODS and not any(one.covered for one in lines):
        raise MachineError(
            f"None of {len(lines)} passing developers' tests covers any line of its focal methods, so coverage is not "
            f"measured as it should be. Switch it off (evaluation.coverage: false), or report this with the log."
        )


def quarantine_reason(runs: Sequence[GradedTask]) -> str | None:
    """Why a task is left out of aggregates: some method of it was no success in some run of the developer's test."""
    broken = next((run.infrastructure for run in runs if run.infrastructure is not None), None)
    if broken is not None:
        return f"{NOT_GRADED}{broken}"
    short = Counter(
        (method.test.short, method.grade, method.new_run)
        for run in runs
        for method in run.methods
        if method.grade is not Grade.SUCCESS
    )
    if not short:
        return None
    found = "; ".join(
        f"{name} is {grade.value}{f' ({outcome.value})' if outcome else ''} in {times} of {len(runs)} runs"
        for (name, grade, outcome), times in sorted(short.items(), key=str)
    )
    return f"The developer's test does not reach success every time: {found}."


def with_coverage(task: Task, runs: Sequence[GradedTask]) -> Task:
    """The task with the focal coverage of the first graded run (TEB-V11)."""
    coverage = {method.test: method.coverage for run in runs[:1] for method in run.methods}
    return with_evidence(task, lambda one: {"gold_coverage": coverage.get(one.test)})


def with_mutants(task: Task, made: TaskMutants) -> Task:
    """The task with its kill sets and what became of all mutants (TEB-V15 to V17)."""
    named = with_evidence(
        task, lambda one: {"mutants": made.kill_sets[one.test], "accounting": made.accounting[one.test]}
    )
    return named.model_copy(update={"mutants": len(made.mutants)})


def with_scores(task: Task, graded: GradedTask) -> Task:
    """The task with the mutation scores of a graded run (TEB-V19)."""
    scores = {method.test: method.mutation for method in graded.methods}
    return with_evidence(task, lambda one: {"gold_mutation": scores.get(one.test)})


def with_evidence(task: Task, change: Callable[[TestEvidence], dict[str, object]]) -> Task:
    tests = tuple(one.model_copy(update=change(one)) for one in task.tests)
    return task.model_copy(update={"tests": tests})
