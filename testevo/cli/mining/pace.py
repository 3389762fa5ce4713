"""Estimate the time left of running stages from the items they finished since the display first looked."""

from collections.abc import Hashable
from dataclasses import dataclass, field


@dataclass
class Pace:
    """When each stage was first seen, and how many items it had done by then: what an earlier run did says nothing."""

    _first: dict[Hashable, tuple[float, int]] = field(default_factory=dict)

    def remaining(self, stage: Hashable, done: int, total: int, now: float) -> float | None:
        """Seconds that the rest of a stage takes if its items take as long as those before; None while none is done.

        Args:
            stage: what the count belongs to.
            done: items that are done.
            total: items in all.
            now: seconds on any clock that goes on evenly.
        """
        since, before = self._first.setdefault(stage, (now, done))
        if done <= before or done > total:
            return None
        return (now - since) * (total - done) / (done - before)


def in_words(seconds: float) -> str:
    """`40 s`, `12 min` or `3.5 h`."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
