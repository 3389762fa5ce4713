"""What repeated runs vary, and how often a test then fails (TEB-X15)."""

from math import sqrt

from testevo.records.base import DocumentedEnum, Part

NORMAL_95 = 1.959964
"""Quantile of the normal distribution for a level of 95 %."""


class Axis(DocumentedEnum):
    """What a repeated run varies."""

    TIME_ZONE = "time_zone", "another time zone: St. John's (UTC-3:30) or Chatham (UTC+12:45)"
    LOCALE = "locale", "another language and country: Turkish or German"
    HASH = "hash", "another sequence of identity hash codes, by which unordered collections iterate otherwise"
    ORDER = "order", "behind all other tests of its class, in their JVM and working folder"
    LOAD = "load", "byte code is interpreted and one processor seen, many times slower, as on a busy machine"
    DATE = "date", "days to months later, by libfaketime"
    JDK = "jdk", "the next newer JDK of the machine, with the same class files"


class Stability(Part):
    """Runs of a developer's test on the new code that varied the same axes."""

    axes: tuple[Axis, ...]
    """Varied at once."""
    runs: int
    failures: int
    """Runs that did not pass."""
    unavailable: str | None = None
    """Why there are no runs."""

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval of the probability of a failure; None without runs."""
        if not self.runs:
            return None
        square = NORMAL_95**2
        share, spread = self.failures / self.runs, square / self.runs
        middle = share + spread / 2
        reach = NORMAL_95 * sqrt(share * (1 - share) / self.runs + spread / (4 * self.runs))
        low, high = ((middle + sign * reach) / (1 + spread) for sign in (-1, 1))
        return max(0.0, low), min(1.0, high)
