"""Jumps of the clock, named: the workflow tells finished work from unfinished by the times of files.

No result rests on a clock, and what is done again because of one comes from the journals. Limits of runs are measured
by a clock that cannot be set.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

TOLERATED_SECONDS = 60.0
"""Less is drift, or the difference between two machines."""
_MEANING = "Results do not depend on it; the workflow may do finished work again, which its journals answer."


def utc_date(seconds: int) -> date:
    """The UTC day of a commit time, in seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).date()


@dataclass(frozen=True)
class Moment:
    """A moment by both clocks."""

    wall: float = field(default_factory=time.time)
    steady: float = field(default_factory=time.monotonic)

    def jump(self) -> float:
        """By how many seconds the clock was put forward (or back, below zero) since then."""
        return (time.time() - self.wall) - (time.monotonic() - self.steady)


def jump_since(moment: Moment) -> str | None:
    """A message when the clock has jumped since then."""
    jump = moment.jump()
    if abs(jump) < TOLERATED_SECONDS:
        return None
    way = "forward" if jump > 0 else "back"
    return f"WARNING: the clock of this machine was put {way} by {_spelt(abs(jump))} while this ran. {_MEANING}"


def files_of_the_future(files: Iterable[Path]) -> str | None:
    """A message when a file is younger than this moment."""
    latest = max(((file.stat().st_mtime, file) for file in files), default=None)
    if latest is None or latest[0] - time.time() < TOLERATED_SECONDS:
        return None
    return (
        f"WARNING: {latest[1]} was written {_spelt(latest[0] - time.time())} from now: the clock of this machine was "
        f"put back, or that of another machine is ahead. {_MEANING} Set the clock, or wait until it has caught up."
    )


def _spelt(seconds: float) -> str:
    """Such as 2:00:00."""
    return str(timedelta(seconds=round(seconds)))
