"""Fits the cost model to mined snapshots.

Non-negative least squares, because no unit of work saves time, on rows that are weighted by the root of their size: a
repository ten times as large says more than a small one, but not a hundred times. Repositories that a stage fits badly
count less (weights of Huber). There are few repositories; how well the fit carries over to another one is measured by
leaving each out in turn and kept in the file.
"""

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from testevo.analysis.planning.cost_model import (
    SHARDED,
    SIZE,
    WINDOW,
    CostModel,
    Graded,
    Linear,
    Measured,
    MeasuredOn,
    StageModel,
    Target,
    scaled,
)
from testevo.analysis.planning.work_units import UNITS_OF, MinedRepository, Space, StageCost
from testevo.runtime.errors import UserError

ROUNDS = 5
"""Of reweighting; after that, weights change no digit that is kept."""
LARGE_RESIDUAL = 1.345
"""In units of the median absolute residual / 0.6745: rows beyond count less, as Huber has it."""
TARGETS: tuple[Target, ...] = ("seconds", "bytes", "files")
Array = NDArray[np.float64]


def fit(
    mined: Sequence[MinedRepository],
    measured_on: MeasuredOn,
    caches: Sequence[tuple[Space, float]] = (),
    gradings: Sequence[tuple[Space, float]] = (),
) -> CostModel:
    """Fit the model.

    Args:
        caches: of each cache what it takes, and the built commits it was filled by.
        gradings: of each snapshot what grading left, and how many grades.

    Raises:
        UserError: fewer than two real repositories.
    """
    real = [one for one in mined if one.real]
    if len(real) < 2:
        raise UserError(
            f"Only {len(real)} real repositories with profiles were found, at least 2 are needed. "
            f"Give more snapshots that were mined to the end."
        )
    bare = CostModel(
        measured_on=measured_on,
        stages=stages_of(mined),
        per_commit=per_commit(real),
        repositories=(),
        graded=(),
        embedded=sum(not one.real for one in mined),
        cache_bytes_per_commit=_per_unit([(space.bytes, count) for space, count in caches]),
        cache_files_per_commit=_per_unit([(space.files, count) for space, count in caches]),
        grading_bytes_per_grade=_per_unit([(space.bytes, count) for space, count in gradings]),
        grading_files_per_grade=_per_unit([(space.files, count) for space, count in gradings]),
    )
    graded = [one for one in real if grading_costs(one)]
    return bare.model_copy(
        update={
            "repositories": tuple(_left_out(one, mined, bare) for one in real),
            "graded": tuple(_graded(one, mined) for one in graded),
        }
    )


def stages_of(mined: Sequence[MinedRepository]) -> dict[str, StageModel]:
    """The model of each stage that has been run."""
    found = {}
    for stage, units in UNITS_OF.items():
        rows = [(one.units, cost) for one in mined for cost in costs_of(one, stage)]
        if rows:
            amounts = np.array([[1.0, *(units_of[unit] for unit in units)] for units_of, _ in rows])
            costs: dict[Target, Array] = {
                "seconds": np.array([cost.seconds for _, cost in rows]),
                "bytes": np.array([float(cost.space.bytes) for _, cost in rows]),
                "files": np.array([float(cost.space.files) for _, cost in rows]),
            }
            fitted = {target: fit_linear(amounts, costs[target], units) for target in TARGETS}
            found[stage] = StageModel(**fitted)
    return found


def costs_of(one: MinedRepository, stage: str) -> list[StageCost]:
    """What a stage took; for `evaluate` the mean over the systems, whose costs differ by an order of magnitude.

    Whoever is graded first also pays for proving the tasks on this machine, and tests that fail run no mutants.
    """
    found = [cost for cost in one.costs if cost.stage == stage]
    if stage != "evaluate" or not found:
        return found
    mean = Space(
        bytes=round(fmean(cost.space.bytes for cost in found)), files=round(fmean(cost.space.files for cost in found))
    )
    return [replace(found[0], seconds=fmean(cost.seconds for cost in found), space=mean)]


def per_commit(real: Sequence[MinedRepository]) -> Linear:
    """Fit the cost of a commit to the size of the project. Walks of a few distant releases say little."""
    walked = [one for one in real if one.units["commits"] >= WINDOW] or list(real)
    amounts = np.array([[1.0, one.units[SIZE]] for one in walked])
    seconds = [sum(cost.seconds for cost in one.costs if cost.stage in SHARDED) for one in walked]
    costs = np.array([each / one.units["kept"] for each, one in zip(seconds, walked, strict=True)])
    return fit_linear(amounts, costs, [SIZE])


def fit_linear(amounts: Array, costs: Array, units: Sequence[str]) -> Linear:
    """Non-negative coefficients of `amounts` (rows by 1 + units, first column 1) that give `costs`."""
    from scipy.optimize import nnls  # slow, and every command imports this module

    size = 1.0 / np.sqrt(np.maximum(costs, 1.0))
    trust = np.ones(len(costs))
    for _ in range(ROUNDS):
        weights = size * trust
        coefficients, _ = nnls(amounts * weights[:, None], costs * weights)
        off = np.abs((amounts @ coefficients - costs) * size)
        scale = LARGE_RESIDUAL * float(np.median(off)) / 0.6745
        trust = np.sqrt(np.minimum(1.0, scale / np.maximum(off, 1e-12))) if scale > 0 else np.ones(len(costs))
    residual = float(np.median(np.abs(amounts @ coefficients - costs)))
    return Linear(
        fixed=_rounded(coefficients[0]),
        per_unit={unit: _rounded(value) for unit, value in zip(units, coefficients[1:], strict=True)},
        rows=len(costs),
        residual=_rounded(residual),
    )


def mining_seconds(one: MinedRepository) -> float:
    """Processor seconds that mining took."""
    return sum(cost.seconds for cost in one.costs if cost.stage != "evaluate")


def _left_out(one: MinedRepository, mined: Sequence[MinedRepository], whole: CostModel) -> Measured:
    others = [other for other in mined if other is not one]
    without = whole.model_copy(update={"stages": stages_of(others)})
    real = [other for other in others if other.real]
    walked = [other for other in real if other.units["commits"] >= WINDOW] or real
    kin = [without.seconds(scaled(other.units, one.units["commits"])) for other in walked]
    return Measured(
        name=one.name,
        units={unit: _rounded(count) for unit, count in one.units.items()},
        seconds=_rounded(mining_seconds(one)),
        predicted=_rounded(without.seconds(one.units)),
        predicted_by_commits=_rounded(sum(kin) / len(kin)),
    )


def grading_costs(one: MinedRepository) -> list[float]:
    """Processor seconds of grading each system."""
    return [cost.seconds for cost in one.costs if cost.stage == "evaluate"]


def _graded(one: MinedRepository, mined: Sequence[MinedRepository]) -> Graded:
    """What grading took, and what the others say; nothing where no other repository was graded."""
    costs = grading_costs(one)
    without = stages_of([other for other in mined if other is not one]).get("evaluate")
    return Graded(
        name=one.name,
        systems=len(costs),
        units={unit: _rounded(one.units[unit]) for unit in UNITS_OF["evaluate"]},
        seconds=_rounded(sum(costs)),
        predicted=_rounded(without.seconds.of(one.units) * len(costs) if without else 0.0),
    )


def _per_unit(amounts: Sequence[tuple[float, float]]) -> float:
    units = sum(count for _, count in amounts)
    return _rounded(sum(amount for amount, _ in amounts) / units) if units else 0.0


def _rounded(value: float) -> float:
    """Four significant digits: more would pretend to be measured."""
    return float(f"{value:.4g}")
