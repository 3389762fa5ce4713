"""What grading some systems on some tasks would take, with the error of the estimate."""

from dataclasses import dataclass
from math import ceil

from testevo.analysis.planning.cost_model import CostModel
from testevo.runtime.errors import UserError


@dataclass(frozen=True)
class GradingPlan:
    """An estimate in processor time, and how far such estimates were off."""

    tasks: int
    systems: int
    repositories: int
    mutants: float
    """Of a task."""
    seconds: float
    graded: int
    """Real repositories that the error was measured on; each was left out of the fit in turn."""
    error: float | None
    """Of all of them together, predicted against measured; None where there is none."""
    largest_error: float | None
    """Of one of them."""

    @property
    def core_hours(self) -> float:
        return self.seconds / 3600


def grading_plan(model: CostModel, tasks: int, systems: int) -> GradingPlan:
    """Plan the grading of tasks like those of the measured repositories, as many in each repository as there.

    Raises:
        UserError: the model has no cost of grading, or its repositories have no task.
    """
    like = [one.units for one in (model.graded or model.repositories) if one.units["tasks"]]
    if "evaluate" not in model.stages or not like:
        raise UserError("The cost model knows no grading. Fit it with `testevo plan --fit` to snapshots with grades.")
    known = sum(units["tasks"] for units in like)
    mutants = sum(units["mutants"] for units in like) / known
    repositories = ceil(tasks * len(like) / known)
    units = {"tasks": float(tasks), "mutants": mutants * tasks}
    off = [one.predicted / one.seconds - 1 for one in model.graded]
    measured = sum(one.seconds for one in model.graded)
    return GradingPlan(
        tasks=tasks,
        systems=systems,
        repositories=repositories,
        mutants=mutants,
        seconds=systems * model.stages["evaluate"].seconds.of(units, jobs=repositories),
        graded=len(off),
        error=sum(one.predicted for one in model.graded) / measured - 1 if off else None,
        largest_error=max(off, key=abs) if off else None,
    )
