"""The licence that a project inherits from a parent outside its repository, read once Maven has brought that parent."""

import re
from collections.abc import Iterator
from pathlib import Path

from testevo.builds.project.pom_file import UnreadableBuildFileError, parse_pom
from testevo.sources.licences import Licence, declared_in

_MOST_PARENTS = 16
_COORDINATES = re.compile(r"[\w-][\w.-]*:[\w-][\w.-]*:[\w-][\w.-]*")
"""No placeholder, and nothing that leads out of the local repository."""


def inherited_licence(folder: Path, artifacts: Path) -> Licence | None:
    """The licences of the nearest parent with `<licenses>`, as in Maven; None where the project's own POMs declare
    some, or have no parent elsewhere.

    Args:
        folder: the project.
        artifacts: the local Maven repository.
    """
    try:
        pom = parse_pom(folder, "pom.xml")
    except UnreadableBuildFileError:
        return None
    on_disk = list(pom.chain())
    first = on_disk[-1].remote_parent
    if first is None or any(declared_in(one.file.read_bytes(), one.path) for one in on_disk):
        return None
    if not _COORDINATES.fullmatch(first):
        return Licence(None, f"no licence file, and the parent {first} cannot be looked up")
    name = first
    for name, file in _parents(artifacts, first):
        if not file.is_file():
            return Licence(None, f"no licence file, and the parent {name} is not in the local repository")
        declared = declared_in(file.read_bytes(), f"pom.xml of the parent {name}")
        if declared is not None:
            return declared
    return Licence(None, f"no licence file, and no POM up to the parent {name} declares one")


def _parents(artifacts: Path, first: str) -> Iterator[tuple[str, Path]]:
    """Coordinates and POMs of the parents in a local repository, nearest first."""
    name: str | None = first
    for _ in range(_MOST_PARENTS):
        if name is None or not _COORDINATES.fullmatch(name):
            return
        group, artifact, version = name.split(":")
        file = artifacts.joinpath(*group.split("."), artifact, version, f"{artifact}-{version}.pom")
        yield name, file
        try:
            name = parse_pom(file.parent, file.name).remote_parent
        except UnreadableBuildFileError:
            return
