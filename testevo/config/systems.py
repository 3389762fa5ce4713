"""The systems of a grading run: those with a predictions file, and the control submissions."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from testevo.config.model import CONTROLS, Evaluation
from testevo.config.solving import Solving
from testevo.runtime.errors import UsageError, UserError
from testevo.runtime.files.files import url_safe_name

_NAME = re.compile(r"(?![.-])[\w.+@ /-]{1,100}")
_ATTEMPT = re.compile(r"(?P<system>.+)@(?P<number>[1-9]\d*)")

TAKEN = frozenset({"logs"})
"""Folders beside those of the systems."""


def attempt_name(system: str, number: int) -> str:
    """The name that an attempt of a system is graded under: the first has that of the system."""
    return system if number == 1 else f"{system}@{number}"


def is_attempt(name: str) -> bool:
    """Whether a name is that of a further attempt of another system."""
    parsed = _ATTEMPT.fullmatch(name)
    return parsed is not None and int(parsed["number"]) > 1


def attempts_of(names: Iterable[str]) -> dict[str, list[str]]:
    """The names of each system's attempts in their order, by system: `NAME@2` is the second attempt of `NAME`.

    A name like that whose system is not there is a system of its own.
    """
    there = set(names)
    found: dict[str, dict[int, str]] = {}
    for name in sorted(there, key=lambda one: (one.count("@"), one)):
        parsed = _ATTEMPT.fullmatch(name)
        number = int(parsed["number"]) if parsed else 1
        if parsed and number > 1 and parsed["system"] in found:
            found[parsed["system"]][number] = name
        else:
            found[name] = {1: name}
    return {system: [own[number] for number in sorted(own)] for system, own in sorted(found.items())}


def refused_name(name: str) -> str | None:
    """Why a name cannot be that of a system, with the next step; None where it can."""
    if name in CONTROLS:
        return f"{name!r} is the name of a control. Give your system another"
    if not _NAME.fullmatch(name) or name in TAKEN:
        return (
            f"{name[:100]!r} cannot name a system. Use up to 100 letters, digits and . _ + - @ / only, neither . nor - "
            f"first, and not {', '.join(TAKEN)}"
        )
    return None


def systems_of(evaluation: Evaluation) -> dict[str, Path | None]:
    """Predictions file by system, None for control submissions; sorted by name.

    Raises:
        UsageError: a name that is not a folder's, that two systems share, or that belongs to a control.
    """
    for name in evaluation.predictions:
        if why := refused_name(name):
            raise UsageError(f"evaluation.predictions: {why}.")
    files: dict[str, Path | None] = {name: Path(file) for name, file in evaluation.predictions.items()}
    systems = files | dict.fromkeys(evaluation.controls)
    folders = Counter(url_safe_name(name) for name in systems)
    shared = [name for name in systems if folders[url_safe_name(name)] > 1]
    if shared:
        raise UsageError(f"evaluation.predictions: {', '.join(sorted(shared))} would share a folder. Rename one.")
    return dict(sorted(systems.items()))


def solvers_by_folder(solving: Solving) -> dict[str, str]:
    """Name by folder of the systems that solve tasks, sorted.

    Raises:
        UsageError: a name is not a folder's, or would share one.
    """
    for name in solving.systems:
        if _ATTEMPT.fullmatch(name):
            raise UsageError(
                f"solving.systems: {name[:100]!r} is the name of an attempt of {name.rpartition('@')[0]!r}. Leave out "
                "the number."
            )
        if not _NAME.fullmatch(name) or name in CONTROLS:
            raise UsageError(
                f"solving.systems: {name[:100]!r} cannot name a system. Use letters, digits and . _ + - @."
            )
    folders = {url_safe_name(name): name for name in sorted(solving.systems)}
    if len(folders) < len(solving.systems):
        raise UsageError("solving.systems: two names would share a folder. Rename one.")
    return folders


def graded_controls(evaluation: Evaluation) -> tuple[str, ...]:
    """The control submissions that are graded; all that there are where none is."""
    return tuple(name for name, file in systems_of(evaluation).items() if file is None) or CONTROLS


def files_by_folder(evaluation: Evaluation) -> dict[str, Path | None]:
    """Predictions file by folder of its system, None for control submissions.

    Raises:
        UsageError: as `systems_of`.
        UserError: a file is missing.
    """
    systems = systems_of(evaluation)
    for name, file in systems.items():
        if file is not None and not file.is_file():
            raise UserError(f"{file}, the predictions of {name}, does not exist. Fix evaluation.predictions.")
    return {url_safe_name(name): file for name, file in systems.items()}
