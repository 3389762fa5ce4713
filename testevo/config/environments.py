"""What each stage of the workflow runs in: its container image and its environment modules (TEB-E14)."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from testevo.ground.errors import UsageError

TABLE = "envs/stages.yaml"
BUILT = "envs/containers/built"
IMAGES = "TESTEVO_IMAGES"
"""The environment variable that names another place for images: a folder, or an address that Apptainer pulls from."""


@dataclass(frozen=True)
class StageEnvironment:
    """The image and the modules of one stage."""

    image: str
    modules: tuple[str, ...]


@cache
def stage_environments(project: Path) -> Mapping[str, StageEnvironment]:
    """What the project's table says, by stage."""
    stages: dict[str, Any] = yaml.safe_load((project / TABLE).read_text())["stages"]
    return {name: StageEnvironment(one["image"], tuple(one["modules"])) for name, one in stages.items()}


def container_address(project: Path, stage: str, environment: Mapping[str, str] | None = None) -> str:
    """Where Snakemake finds the image of a stage: `<folder>/<image>.sif`, or `<address>/testevo-<image>` of a registry.

    Raises:
        UsageError: the path has white space, which Snakemake does not pass on to Apptainer.
    """
    given = os.environ if environment is None else environment
    image = stage_environments(project)[stage].image
    place = given.get(IMAGES) or str(project / BUILT)
    address = f"{place.rstrip('/')}/testevo-{image}" if "://" in place else str(Path(place).absolute() / f"{image}.sif")
    if address.split() != [address]:
        raise UsageError(
            f"The path of the image has white space: {address}. Snakemake cannot hand it to Apptainer; "
            f"set {IMAGES} to a folder without.")
    return address
