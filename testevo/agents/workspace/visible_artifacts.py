"""The part of a local Maven repository that a system may see: of the project itself, older versions alone.

The answer to a task is part of every later release of the project, also as a jar of test sources. Builds do need older
releases at times, as plugins that depend on the project do.
"""

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from testevo.builds.project.pom import MavenProject

_NUMBERS = re.compile(r"\d+(?:\.\d+)*")


def visible_artifacts(repository: Path, project: MavenProject, class_path: Collection[Path]) -> list[Path]:
    """Folders of the repository that hold no version of the project from that of the task on; sorted.

    Args:
        project: the reactor of the task. Where its version is not known, only what is on its class path is visible.
    """
    own = {
        repository.joinpath(*module.group.split("."), module.artifact): module.version
        for module in project.modules
        if module.group and module.artifact
    }
    needed = {path.parent for path in class_path if path.parent.parent in own}
    return sorted({*_without(repository, own), *needed})


def _without(folder: Path, own: Mapping[Path, str | None]) -> list[Path]:
    if folder in own:
        return [one for one in folder.iterdir() if is_older(one.name, own[folder])]
    if not any(folder in one.parents for one in own if one.exists()):
        return [folder]
    return [found for entry in folder.iterdir() if not entry.is_symlink() for found in _without(entry, own)]


def is_older(version: str, than: str | None) -> bool:
    """Whether a version is older by its numbers; False in doubt, as for a snapshot and its release."""
    one, other = (_NUMBERS.match(text or "") for text in (version, than))
    return one is not None and other is not None and _numbers(one) < _numbers(other)


def _numbers(found: re.Match[str]) -> list[int]:
    numbers = [int(part) for part in found[0].split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers
