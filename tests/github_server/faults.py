"""Faults, drawn from a seed: what goes wrong with which request."""

import random
from dataclasses import dataclass
from enum import Enum


class Fault(Enum):
    """What goes wrong; `NONE` mostly."""

    NONE = "none"
    INTERNAL = "internal"
    """500 with a body that is no JSON."""
    BAD_GATEWAY = "bad_gateway"
    """502."""
    SECONDARY = "secondary"
    """403 with `retry-after`."""
    ABUSE = "abuse"
    """429 with a message alone."""
    INCOMPLETE = "incomplete"
    """A search that ran out of time."""
    NO_DATA = "no_data"
    """GraphQL that ran out of time."""
    PARTIAL = "partial"
    """GraphQL that gives a part of a node, and an error in place of the rest."""
    CUT = "cut"
    """The connection ends in the middle of the body."""
    SLOW = "slow"
    """Nothing comes."""


@dataclass(frozen=True)
class Faults:
    """How likely which fault is, for each request."""

    rates: dict[Fault, float]
    seed: int = 0

    @classmethod
    def none(cls) -> "Faults":
        return cls({})

    @classmethod
    def many(cls, seed: int) -> "Faults":
        """About every sixth request goes wrong."""
        rates = dict.fromkeys((one for one in Fault if one not in (Fault.NONE, Fault.SLOW)), 0.02)
        return cls({**rates, Fault.INCOMPLETE: 0.04, Fault.SLOW: 0.004}, seed)

    def drawn(self, draw: random.Random) -> Fault:
        at = draw.random()
        for fault, rate in self.rates.items():
            at -= rate
            if at < 0:
                return fault
        return Fault.NONE
