"""Ratios of two ways to do the same thing, measured in turns so that a busy machine slows both."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Action = Callable[[int], object]
"""Does the thing once; the number is another one every time."""


@dataclass(frozen=True)
class Comparison:
    """What is done by the reference and by the direct engine, and the ratio below which something has gone wrong."""

    name: str
    reference: Action
    direct: Action
    at_least: float


@dataclass(frozen=True)
class Measured:
    """Seconds of every turn."""

    comparison: Comparison
    reference: Sequence[float]
    direct: Sequence[float]

    @property
    def ratio(self) -> float:
        """How many times longer the reference takes, of the medians."""
        return statistics.median(self.reference) / statistics.median(self.direct)

    @property
    def spread(self) -> float:
        """Largest minus smallest ratio of a turn, as a share of the ratio of the medians."""
        turns = [one / other for one, other in zip(self.reference, self.direct, strict=True)]
        return (max(turns) - min(turns)) / self.ratio

    def record(self) -> dict[str, str | float]:
        rounded = {"ratio": round(self.ratio, 2), "spread": round(self.spread, 2)}
        return {"name": self.comparison.name, "at_least": self.comparison.at_least, **rounded}

    def __str__(self) -> str:
        times = f"reference {seconds(self.reference)}, direct {seconds(self.direct)}"
        return f"{self.comparison.name}: {self.ratio:.1f} times ({times}; spread {self.spread:.0%})"


def measure(comparison: Comparison, turns: int) -> Measured:
    """Do both in turns; the first turn warms caches and is not counted."""
    times: dict[str, list[float]] = {"reference": [], "direct": []}
    for turn in range(turns + 1):
        for name, action in (("reference", comparison.reference), ("direct", comparison.direct)):
            before = time.perf_counter()
            action(turn)
            times[name].append(time.perf_counter() - before)
    return Measured(comparison, times["reference"][1:], times["direct"][1:])


def seconds(times: Sequence[float]) -> str:
    return f"{statistics.median(times):.2f} s ({min(times):.2f} to {max(times):.2f})"
