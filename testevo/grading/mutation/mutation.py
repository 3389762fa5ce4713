"""Mutation of a passing test: which mutants, on which lines, and what the record says (TEB-E11, V17 to V20)."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testevo.builds.engine import BuiltTree
from testevo.config.model import Config
from testevo.grading.method_runs import MeasuredRun
from testevo.grading.mutation.mutant_runs import MutantRunner
from testevo.grading.mutation.mutants import TaskMutants
from testevo.grading.mutation.mutation_score import mutation_score
from testevo.records.evaluation.grading import Undefined
from testevo.records.methods import TestKey
from testevo.records.tasks import Task
from testevo.runtime.files.files import content_key

MutantsOf = Callable[[Task], TaskMutants | None]
"""The mutants of a task; None for a task that has none made."""


@dataclass
class Mutation:
    """Runs passing tests against the mutants of their task.

    Args:
        config: limits and switches.
        work: folder outside all trees for private folders of runs.
        mutants_of: asked once per task.
    """

    config: Config
    work: Path
    mutants_of: MutantsOf

    def __post_init__(self) -> None:
        self._runner = MutantRunner.of(self.config, self.work)
        self._task: Task | None = None
        self._mutants: TaskMutants | None = None

    def key(self, task: Task) -> str:
        """Of the mutants that a grade depends on."""
        mutants = self._of(task)
        if mutants is None:
            return "no mutants"
        kill_sets = (part for test, names in mutants.kill_sets.items() for part in (str(test), *names))
        classes = (part for mutant in mutants.mutants for part in (mutant.mutant, *mutant.classes.values()))
        return content_key(*kill_sets, "classes", *classes)

    def fields(
        self, task: Task, target: TestKey, tree: BuiltTree, test: TestKey, done: MeasuredRun, *, apart: bool
    ) -> dict[str, Any]:
        """The fields `mutation`, `mutation_undefined` and `mutant_runs` of the result of a passing test.

        Args:
            target: the test method as the task names it.
            tree: in which it passed.
            test: to select it there.
            done: its run; mutants on lines that it did not enter survive without a run.
            apart: give each mutant its own JVM, since the test may look for what is different in a shared one.
        """
        if test.module in tree.surefire:
            return {"mutation_undefined": Undefined.NEEDS_SUREFIRE}
        mutants = self._of(task)
        names = mutants.kill_sets.get(target, ()) if mutants is not None else ()
        if mutants is None or not names:
            return {"mutation_undefined": Undefined.NO_MUTANTS}
        by_name = {mutant.mutant: mutant for mutant in mutants.mutants}
        chosen = [by_name[name] for name in names]
        entered, seconds = done.measured.entered, done.seconds
        runs = self._runner.run(tree, test, chosen, mutants.classes, entered, seconds, apart=apart)
        if not runs:
            return {"mutation_undefined": Undefined.NO_BASELINE}
        return {"mutation": mutation_score(runs, mutants.mutants), "mutant_runs": tuple(runs)}

    def _of(self, task: Task) -> TaskMutants | None:
        if self._task != task:
            self._task, self._mutants = task, self.mutants_of(task)
        return self._mutants
