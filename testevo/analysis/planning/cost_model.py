"""The cost model of a stage: a fixed cost plus a rate for each unit of work.

The numbers in `config/cost-model.json` are fitted to mined snapshots (`testevo.analysis.planning.cost_fit`).
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from testevo.config.base import Section
from testevo.runtime.errors import UserError
from testevo.runtime.files.project import PROJECT
from testevo.runtime.refused_input import reason

MODEL = PROJECT / "config" / "cost-model.json"
SHARDED = ("build_check", "instrument", "triple_execute")
"""Stages whose work is cut into jobs (`machine.shard_minutes`)."""
SIZE = "java_megabytes"
"""The work unit that does not grow with a walk."""
WINDOW = 20
"""A walk of fewer commits (releases, say) informs the costs, and is not a pattern of a repository with hundreds."""

Target = Literal["seconds", "bytes", "files"]


class Linear(Section):
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


class StageModel(Section):
    """The cost of one rule on one repository."""

    seconds: Linear
    """Of processor time."""
    bytes: Linear
    files: Linear


class Measured(Section):
    """A real repository of the fit: how much work its window was, and how well the others predict what it took."""

    name: str
    units: dict[str, float]
    seconds: float
    """Of processor time, all stages of mining."""
    predicted: float
    """By the model fitted without it, from its work units."""
    predicted_by_commits: float
    """By the same model, from nothing but the number of its commits and the other repositories' units per commit."""


class Graded(Section):
    """A real repository that systems were graded on, and how well the others of the fit predict what that took."""

    name: str
    systems: int
    units: dict[str, float]
    """Of one system: tasks and mutants."""
    seconds: float
    """Of processor time, all systems."""
    predicted: float
    """By the model fitted without it."""


class MeasuredOn(Section):
    """Where and when the snapshots of the fit were mined."""

    cores: int
    processor: str
    jdks: tuple[int, ...]
    date: str


class CostModel(Section):
    """The content of `config/cost-model.json`."""

    version: Literal[1] = 1
    measured_on: MeasuredOn
    stages: dict[str, StageModel]
    per_commit: Linear
    """Processor seconds of all stages that are cut, for each commit that is built: what is known before any is."""
    repositories: tuple[Measured, ...]
    """The real ones."""
    graded: tuple[Graded, ...]
    """Those of them that systems were graded on."""
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
        """The measured repositories that unknown ones are taken to be like; all when none was walked far."""
        return tuple(one for one in self.repositories if one.units["commits"] >= WINDOW) or self.repositories

    def seconds(self, units: Mapping[str, float]) -> float:
        """Processor seconds of mining a repository of these work units, one job per stage."""
        return sum(model.seconds.of(units) for stage, model in self.stages.items() if stage != "evaluate")

    def sharded_seconds(self, commits: int, java_megabytes: float) -> float:
        """Processor seconds of the stages that are cut, from what is known when a history is cloned.

        Args:
            commits: that are to be built.
            java_megabytes: of the newest of them.
        """
        return commits * self.per_commit.of({SIZE: java_megabytes})


def scaled(units: Mapping[str, float], commits: float) -> dict[str, float]:
    """The work units of a longer or shorter walk of the same kind."""
    factor = commits / units["commits"]
    return {unit: count * (1 if unit == SIZE else factor) for unit, count in units.items()}


def read_model(path: Path = MODEL) -> CostModel:
    """Read a model's file.

    Raises:
        UserError: missing or malformed.
    """
    try:
        return CostModel.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise UserError(
            f"{path} is not a cost model ({reason(error)}). Make it with `testevo plan --fit SNAPSHOT`."
        ) from error


def model_text(model: CostModel) -> str:
    """The file's content: equal models give equal bytes."""
    return json.dumps(model.model_dump(mode="json"), indent=1, sort_keys=True) + "\n"
