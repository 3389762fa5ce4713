"""Contents of the container images, and the lock file of the built ones (TEB-E14).

`envs/containers/build.sh` calls `python -m testevo.deployment.images context|lock <folder>`.
"""

import hashlib
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from testevo.deployment.imports import reach_of
from testevo.deployment.lock import normalised, read_lock, with_dependencies
from testevo.deployment.rules import scripts_of_stages
from testevo.deployment.stages import read_table
from testevo.runtime.files.files import write_atomically
from testevo.runtime.files.project import PROJECT

FOLDER = "envs/containers"
VERSIONS = re.compile(r"[\[<>=!~; ]")
"""Where the name ends in a requirement."""
LOCK = f"{FOLDER}/images.lock.json"
WHOLE = "jvm"
"""The image that holds everything the project asks for, Snakemake included."""


def image_names(project: Path) -> list[str]:
    """The images that there is a definition of."""
    return sorted(file.stem for file in (project / FOLDER).glob("*.containerfile"))


def image_inputs(project: Path, image: str) -> dict[str, str]:
    """The texts that decide what is in an image, by file name."""
    return {
        f"{image}.containerfile": (project / FOLDER / f"{image}.containerfile").read_text(),
        f"{image}.packages": "".join(f"{name}\n" for name in debian_packages(project, image)),
        f"{image}.requirements": python_requirements(project, image),
    }


def debian_packages(project: Path, image: str) -> list[str]:
    """The packages to install: Python, and what brings the programs of the image's stages."""
    table = read_table(project)
    packages = {"ca-certificates", "python3", "python3-venv"}
    for stage, scripts in scripts_of_stages(project).items():
        if table.stages[stage].image == image:
            programs = table.programs_of(stage, reach_of(project, scripts).files)
            packages.update(one.debian for one in programs.values() if one.debian)
    return sorted(packages)


def python_requirements(project: Path, image: str) -> str:
    """The part of requirements.lock that an image's stages import, or all that runs the workflow."""
    pins = read_lock(project)
    if image == WHOLE:
        asked = tomllib.loads((project / "pyproject.toml").read_text())["project"]["dependencies"]
        names = {normalised(VERSIONS.split(requirement, maxsplit=1)[0]) for requirement in asked}
    else:
        stages = read_table(project).stages
        scripts = scripts_of_stages(project)
        names = {
            name
            for stage in scripts
            if stages[stage].image == image
            for name in reach_of(project, scripts[stage]).distributions
        }
    return "".join(f"{pin.text}\n" for pin in with_dependencies(pins, names))


def definition_digest(project: Path, image: str) -> str:
    """One digest of everything of ours that decides what is in an image."""
    whole = hashlib.sha256()
    for name, text in sorted(image_inputs(project, image).items()):
        whole.update(f"{name} {len(text.encode())}\n{text}".encode())
    return f"sha256:{whole.hexdigest()}"


def lock_of(project: Path, built: Path) -> dict[str, Any]:
    """The lock file of the images just built; `built` holds what the build has noted of each."""
    images = {}
    for image in image_names(project):
        identity, digest = (built / f"{image}.identity").read_text().split()
        installed = dict(line.split("\t") for line in (built / f"{image}.installed").read_text().splitlines())
        images[image] = {
            "definition": definition_digest(project, image),
            "image_id": f"sha256:{identity.removeprefix('sha256:')}",
            "manifest": digest,
            "packages": dict(sorted(installed.items())),
        }
    return {"images": images}


def main(arguments: list[str]) -> None:
    action, folder = arguments[0], Path(arguments[1])
    if action == "context":
        for image in image_names(PROJECT):
            for name, text in image_inputs(PROJECT, image).items():
                write_atomically(folder / name, text.encode())
            write_atomically(folder / f"{image}.definition", definition_digest(PROJECT, image).encode())
    elif action == "lock":
        write_atomically(PROJECT / LOCK, (json.dumps(lock_of(PROJECT, folder), indent=1) + "\n").encode())


if __name__ == "__main__":
    main(sys.argv[1:])
