"""The environment of each stage: its image, its environment modules, its programs (TEB-E14, TEB-E15)."""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from testevo.runtime.errors import UsageError
from testevo.runtime.files.json_and_yaml import parsed_yaml

TABLE = "envs/stages.yaml"
BUILT = "envs/containers/built"
IMAGES = "TESTEVO_IMAGES"
"""The environment variable that names another place for images: a folder, or an address that Apptainer pulls from."""


@dataclass(frozen=True)
class StageEnvironment:
    """The image and the modules of one stage."""

    image: str
    modules: tuple[str, ...]


@dataclass(frozen=True)
class Program:
    """A program that our code starts, and what brings it."""

    called_by: frozenset[str]
    needs: frozenset[str]
    conda: str | None
    debian: str | None
    module: str | None
    optional: bool


@dataclass(frozen=True)
class Table:
    """All of `envs/stages.yaml`."""

    stages: Mapping[str, StageEnvironment]
    programs: Mapping[str, Program]
    passes_on: frozenset[str]
    never_calls: Mapping[str, frozenset[str]]
    python: str
    pip: str

    def programs_of(self, stage: str, files: Collection[str]) -> dict[str, Program]:
        """The programs that a stage needs whose scripts lead to `files`."""
        spared = self.never_calls.get(stage, frozenset())
        called = {name for name, one in self.programs.items() if not one.called_by.isdisjoint(files)} - spared
        needed = called.union(*(self.programs[name].needs for name in called))
        return {name: one for name, one in self.programs.items() if name in needed}


@cache
def read_table(project: Path) -> Table:
    given: dict[str, Any] = parsed_yaml((project / TABLE).read_text())
    return Table(
        {name: StageEnvironment(one["image"], tuple(one["modules"])) for name, one in given["stages"].items()},
        {
            name: Program(
                frozenset(one["called_by"]),
                frozenset(one.get("needs", ())),
                one.get("conda"),
                one.get("debian"),
                one.get("module"),
                bool(one.get("optional")),
            )
            for name, one in given["programs"].items()
        },
        frozenset(given["passes_on"]),
        {stage: frozenset(names) for stage, names in given["never_calls"].items()},
        given["conda"]["python"],
        given["conda"]["pip"],
    )


def container_address(project: Path, stage: str, environment: Mapping[str, str] | None = None) -> str:
    """Where Snakemake finds the image of a stage: `<folder>/<image>.sif`, or `<address>/testevo-<image>` of a registry.

    Raises:
        UsageError: the path has white space, which Snakemake does not pass on to Apptainer.
    """
    given = os.environ if environment is None else environment
    image = read_table(project).stages[stage].image
    place = given.get(IMAGES) or str(project / BUILT)
    address = f"{place.rstrip('/')}/testevo-{image}" if "://" in place else str(Path(place).absolute() / f"{image}.sif")
    if address.split() != [address]:
        raise UsageError(
            f"The path of the image has white space: {address}. Snakemake cannot hand it to Apptainer; "
            f"set {IMAGES} to a folder without."
        )
    return address
