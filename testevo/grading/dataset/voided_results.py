"""Results without those that cannot be: an impossible outcome costs the result that has it, and no other."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from testevo.grading.verdicts.impossible import Impossible
from testevo.grading.verdicts.invariants import impossible_outcomes
from testevo.grading.verdicts.ungraded import ungraded
from testevo.packaging.dataset.dataset_folder import DatasetFolder
from testevo.records.evaluation.grading import GradedTask
from testevo.records.evaluation.predictions import Defect, DefectKind
from testevo.records.tasks import Task


@dataclass(frozen=True)
class PossibleResults:
    """What may be averaged, and why the rest may not."""

    graded: list[GradedTask]
    """All results in their order; those that cannot be are harness failures with a defect that says why."""
    impossible: tuple[Impossible, ...]


def void_impossible(dataset: DatasetFolder, graded: Sequence[GradedTask], tasks: Sequence[Task]) -> PossibleResults:
    """Hold results to their tasks and mutants, and make harness failures of those that cannot be.

    Args:
        dataset: that the results are of.
        tasks: of the dataset, those that were graded.
    """
    mutants = [mutant for name in sorted({task.task_id for task in tasks}) for mutant in dataset.mutants.get(name, ())]
    return voided(graded, tasks, impossible_outcomes(graded, tasks, mutants))


def voided(graded: Sequence[GradedTask], tasks: Sequence[Task], impossible: Sequence[Impossible]) -> PossibleResults:
    """The results with those that `impossible` names as harness failures.

    What the harness owns up to stays out of the averages. An outcome of the dataset itself spoils no result: it is the
    same for all.
    """
    by_id = {(task.task_id, task.track): task for task in tasks}
    reasons = defaultdict(list)
    for one in impossible:
        reasons[one.system, one.task_id, one.track].append(one.text)

    def kept(one: GradedTask) -> GradedTask:
        texts = reasons.get((one.system, one.task_id, one.track))
        return one if texts is None else _voided(one, by_id.get((one.task_id, one.track)), texts)

    return PossibleResults([kept(one) for one in graded], tuple(impossible))


def of_part(
    impossible: Iterable[Impossible], tasks: Iterable[Task], systems: Collection[str]
) -> tuple[Impossible, ...]:
    """The impossible outcomes of some systems on some tasks, and of these tasks themselves."""
    kept = {(task.task_id, task.track) for task in tasks}
    return tuple(
        one for one in impossible if (one.task_id, one.track) in kept and (one.system is None or one.system in systems)
    )


def _voided(one: GradedTask, task: Task | None, texts: Sequence[str]) -> GradedTask:
    found = tuple(Defect(kind=DefectKind.IMPOSSIBLE_OUTCOME, message=text) for text in texts)
    methods = tuple(ungraded(each.test) for each in (one.methods if task is None else task.tests))
    return one.model_copy(update={"methods": methods, "defects": (*one.defects, *found)})
