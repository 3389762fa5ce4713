"""What a stage costs: a fixed part and so much for each unit of work, fitted to mined snapshots (design section 7).

Non-negative least squares, because no unit of work saves time, on rows that are weighted by the root of their size: a
repository ten times as large says more than a small one, but not a hundred times. Repositories that a stage fits badly
count less (weights of Huber). There are few repositories; how well the fit carries over to another one is measured by
leaving each out in turn and kept in the file.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError
from scipy.optimize import nnls

from testevo.analysis.work_units import UNITS_OF, MinedRepository, Space
from testevo.ground.errors import UserError
from testevo.ground.jars import PROJECT

MODEL = PROJECT / "config" / "cost-model.json"
ROUNDS = 5
"""Of reweighting; after that, weights change no digit that is kept."""
LARGE_RESIDUAL = 1.345
"""In units of the median absolute residual / 0.6745: rows beyond count less, as Huber has it."""

WINDOW = 20
"""A walk of fewer commits (releases, say) informs the costs, and is no pattern of a repository with hundreds."""

Target = Literal["seconds", "bytes", "files"]
TARGETS: tuple[Target, ...] = ("seconds", "bytes", "files")
Array = NDArray[np.float64]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Linear(_Part):
    """A cost that is linear in work units."""

    fixed: float
    """Of every job of the stage."""
    per_unit: dict[str, float]
    rows: int
    """How many it was fitted to."""
    residual: float
    """Median absolute residual, in the units of the cost."""

    def of(self, units: Mapping[str, float], jobs: int = 1) -> float:
        """The cost of so many units, done by so many jobs together."""
        return jobs * self.fixed + self.work(units)

    def work(self, units: Mapping[str, float]) -> float:
        """The cost without its fixed part."""
        return sum(cost * units.get(unit, 0.0) for unit, cost in self.per_unit.items())


class StageModel(_Part):
    """What one rule costs on one repository."""

    seconds: Linear
    """Of processor time."""
    bytes: Linear
    files: Linear


class Measured(_Part):
    """A real repository of the fit: how much work its window was, and how well the others predict what it took."""

    name: str
    units: dict[str, float]
    seconds: float
    """Of processor time, all stages of mining."""
    predicted: float
    """By the model fitted without it, from its work units."""
    predicted_by_commits: float
    """By the same model, from nothing but the number of its commits and the other repositories' units per commit."""


class MeasuredOn(_Part):
    """Where and when the snapshots of the fit were mined."""

    cores: int
    processor: str
    jdks: tuple[int, ...]
    date: str


class CostModel(_Part):
    """The content of `config/cost-model.json`."""

    version: Literal[1] = 1
    measured_on: MeasuredOn
    stages: dict[str, StageModel]
    repositories: tuple[Measured, ...]
    """The real ones."""
    embedded: int
    """How many embedded histories were in the fit too; they tell fixed costs from others."""
    cache_bytes_per_commit: float
    """Of the shared cache, for each built commit: local Maven repositories, models, class trees, archives."""
    cache_files_per_commit: float
    grading_bytes_per_grade: float
    """Of results and logs, for each system and task."""
    grading_files_per_grade: float

    @property
    def patterns(self) -> tuple[Measured, ...]:
        """What repositories that nothing is known of are taken to be like; all when none was walked far."""
        return tuple(one for one in self.repositories if one.units["commits"] >= WINDOW) or self.repositories

    def seconds(self, units: Mapping[str, float]) -> float:
        """Processor seconds of mining a repository of these work units, one job per stage."""
        return sum(model.seconds.of(units) for stage, model in self.stages.items() if stage != "evaluate")


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
        repositories=(),
        embedded=sum(not one.real for one in mined),
        cache_bytes_per_commit=_per_unit([(space.bytes, count) for space, count in caches]),
        cache_files_per_commit=_per_unit([(space.files, count) for space, count in caches]),
        grading_bytes_per_grade=_per_unit([(space.bytes, count) for space, count in gradings]),
        grading_files_per_grade=_per_unit([(space.files, count) for space, count in gradings]),
    )
    return bare.model_copy(update={"repositories": tuple(_left_out(one, mined, bare) for one in real)})


def stages_of(mined: Sequence[MinedRepository]) -> dict[str, StageModel]:
    """The model of each stage that has been run."""
    found = {}
    for stage, units in UNITS_OF.items():
        rows = [(one.units, cost) for one in mined for cost in one.costs if cost.stage == stage]
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


def fit_linear(amounts: Array, costs: Array, units: Sequence[str]) -> Linear:
    """Non-negative coefficients of `amounts` (rows by 1 + units, first column 1) that give `costs`."""
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


def scaled(units: Mapping[str, float], commits: float) -> dict[str, float]:
    """The work units of a longer or shorter walk of the same kind."""
    factor = commits / units["commits"]
    return {unit: count * factor for unit, count in units.items()}


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


def read_model(path: Path = MODEL) -> CostModel:
    """Read what `write_model` wrote.

    Raises:
        UserError: missing or malformed.
    """
    try:
        return CostModel.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        reason = str(error).splitlines()[0]
        raise UserError(f"{path} is no cost model ({reason}). Make it with `testevo plan --fit SNAPSHOT`.") from error


def model_text(model: CostModel) -> str:
    """The file's content: equal models give equal bytes."""
    return json.dumps(model.model_dump(mode="json"), indent=1, sort_keys=True) + "\n"


def _per_unit(amounts: Sequence[tuple[float, float]]) -> float:
    units = sum(count for _, count in amounts)
    return _rounded(sum(amount for amount, _ in amounts) / units) if units else 0.0


def _rounded(value: float) -> float:
    """Four significant digits: more would pretend to be measured."""
    return float(f"{value:.4g}")
