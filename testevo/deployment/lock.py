"""`requirements.lock` as data: which distributions in which versions, and which of them some of them drag along."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

LOCK = "requirements.lock"


@dataclass(frozen=True)
class Pin:
    """A locked distribution."""

    name: str
    version: str
    text: str
    """Its lines of the lock, hashes included and comments left out."""
    wanted_by: frozenset[str]
    """The distributions that ask for it; those the project asks for itself are asked for by `testevo`."""

    @property
    def requirement(self) -> str:
        return f"{self.name}=={self.version}"


def read_lock(project: Path) -> dict[str, Pin]:
    """All locked distributions, by normalised name."""
    text = (project / LOCK).read_text()
    return {pin.name: pin for block in re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE) if (pin := _pin(block))}


def with_dependencies(pins: Mapping[str, Pin], names: Iterable[str]) -> list[Pin]:
    """The pins of `names` and of everything they drag along, sorted by name.

    Raises:
        KeyError: a name is not locked.
    """
    found: set[str] = set()
    waiting = [normalised(name) for name in names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(pins[name].name)
            waiting += [pin.name for pin in pins.values() if name in pin.wanted_by]
    return [pins[name] for name in sorted(found)]


def normalised(name: str) -> str:
    """The one spelling of a distribution's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _pin(block: str) -> Pin | None:
    head = re.match(r"([A-Za-z0-9._-]+)==([^\s\\;]+)", block)
    if head is None:
        return None
    wanted_by = re.findall(r"^    #(?: via)? +([A-Za-z0-9._-]+)", block, flags=re.MULTILINE)
    lines = [line for line in block.splitlines() if not line.lstrip().startswith("#")]
    name = normalised(head.group(1))
    return Pin(name, head.group(2), "\n".join(lines).strip(), frozenset(map(normalised, wanted_by)))
