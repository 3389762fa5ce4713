"""Parts of a repository's work that jobs of a cluster do side by side.

How many there are follows from how much work a repository is estimated to be. A shard does a run of neighbouring units
and leaves what it finished in a journal of its own. The job of the whole repository reads those journals, does what
none of them has, and writes the outputs, so that the cut changes no byte.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from typing import TypeVar

from testevo.runtime.errors import UsageError, UserError
from testevo.runtime.files.files import canonical_json, write_atomically
from testevo.runtime.files.json_and_yaml import parsed_json

Unit = TypeVar("Unit")


@dataclass(frozen=True)
class Shard:
    """One of several parts; in names `3of10`."""

    number: int
    """From 1."""
    count: int

    def __str__(self) -> str:
        return f"{self.number}of{self.count}"

    @classmethod
    def named(cls, name: str) -> "Shard":
        """The shard of a name.

        Raises:
            UsageError: there is no such shard.
        """
        number, _, count = name.partition("of")
        if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
            raise UsageError(f"`{name}` names no shard. Give a name such as 3of10.")
        return cls(int(number), int(count))

    def share(self, units: Sequence[Unit]) -> Sequence[Unit]:
        """Its units: neighbours, which have most files in common; shares differ by one unit at most."""
        return units[len(units) * (self.number - 1) // self.count : len(units) * self.number // self.count]


@dataclass(frozen=True)
class Estimate:
    """How much work the stages that are cut have with a repository."""

    commits: int
    """That are to be built: there are no more shards."""
    seconds: float
    """Of processor time, by the cost model."""


def shards_of(work: Estimate, shard_minutes: float | None) -> list[Shard]:
    """The parts of a repository, each of about so many minutes of processor time; none when one job does it all."""
    count = 1 if shard_minutes is None else min(work.commits, ceil(work.seconds / 60 / shard_minutes))
    return [Shard(number, count) for number in range(1, count + 1)] if count > 1 else []


def write_commit_lock(path: Path, work: Mapping[str, Estimate]) -> None:
    """Write what the graph of jobs is cut by: the work of each repository, by slug."""
    write_atomically(path, f"{canonical_json({slug: asdict(one) for slug, one in work.items()})}\n".encode())


def read_commit_lock(path: Path) -> dict[str, Estimate]:
    """Read what `write_commit_lock` wrote.

    Raises:
        UserError: it cannot be read.
    """
    try:
        return {slug: Estimate(**one) for slug, one in parsed_json(path.read_bytes()).items()}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise UserError(f"{path} cannot be read ({error}). Remove it and run the workflow again.") from error
