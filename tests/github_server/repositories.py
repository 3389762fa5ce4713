"""Synthetic repositories, drawn from a seed, and their drift."""

import base64
import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum, auto

FIRST = datetime(2008, 2, 1, tzinfo=UTC)
LAST = datetime(2026, 5, 1, tzinfo=UTC)
BUSY = datetime(2015, 3, 4, tzinfo=UTC)
"""A day on which very many repositories were created, so that days alone cannot cut the search."""
LICENCES = ("Apache-2.0", "Apache-2.0", "Apache-2.0", "MIT", "MIT", "BSD-3-Clause", "GPL-3.0", "NOASSERTION", None)


class State(Enum):
    """Whether a repository that the search still shows is there."""

    THERE = auto()
    DELETED = auto()
    BLOCKED = auto()


@dataclass
class Repository:
    """A repository of the server; its stars and name may change while it is searched."""

    id: int
    full_name: str
    created: datetime
    pushed: datetime
    stars: int
    forks: int
    size: int
    licence: str | None = "Apache-2.0"
    language: str = "Java"
    archived: bool = False
    fork: bool = False
    has_pom: bool = True
    empty: bool = False
    languages: dict[str, int] = field(default_factory=lambda: {"Java": 900, "Shell": 100})
    state: State = State.THERE
    listed_as: str | None = None
    """The name that the search still shows after a renaming."""
    revision: str | None = None
    """The head of its history, where it has one."""

    @property
    def node_id(self) -> str:
        return "R_" + base64.urlsafe_b64encode(self.id.to_bytes(8)).decode().rstrip("=")

    @property
    def head(self) -> str:
        return self.revision or hashlib.sha1(f"head {self.id}".encode()).hexdigest()


def made(count: int, seed: int, busy: int = 0) -> list[Repository]:
    """So many repositories that a search for 500 stars matches, `busy` of them created on one day."""
    draw = random.Random(seed)
    return [_made(number, draw, on_busy_day=number <= busy) for number in range(1, count + 1)]


def _made(number: int, draw: random.Random, *, on_busy_day: bool) -> Repository:
    created = FIRST + (LAST - FIRST) * draw.random() ** 0.7
    if on_busy_day:
        created = BUSY + timedelta(seconds=draw.randrange(86_400))
    java = draw.randrange(1_000, 1_000_000)
    return Repository(
        id=10_000 + number,
        full_name=f"owner{draw.randrange(count_of_owners(number))}/name-{number}",
        created=created.replace(microsecond=0),
        pushed=(created + (LAST - created) * draw.random()).replace(microsecond=0),
        stars=min(150_000, 510 + int(draw.paretovariate(1.2) * 20)),
        forks=draw.randrange(0, 2_000),
        size=draw.randrange(1, 2_000_000),
        licence=draw.choice(LICENCES),
        archived=draw.random() < 0.1,
        has_pom=draw.random() < 0.5,
        empty=draw.random() < 0.002,
        languages={"Java": java, "Kotlin": draw.randrange(0, 200_000), "HTML": draw.randrange(0, 50_000)},
    )


def count_of_owners(number: int) -> int:
    """Owners have several repositories."""
    return 1 + number // 3


def drifting(repositories: list[Repository], draw: random.Random, floor: int) -> Iterator[Repository]:
    """Change the stars of a few repositories; those at or above `floor` stay there.

    Yields:
        What was changed.
    """
    for one in draw.sample(repositories, k=min(len(repositories), 20)):
        change = draw.choice((-3, -1, 1, 2, 25))
        one.stars = max(floor, one.stars + change) if one.stars >= floor else max(0, one.stars + change)
        yield one
