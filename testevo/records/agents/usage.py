"""`Budget`, `ModelCall`, `ModelUsage`: what a run may use of a model, and what it used."""

from typing import Any, Literal, Self

from pydantic import Field

from testevo.records.base import Part, Record

Protocol = Literal["anthropic", "openai_chat", "openai_responses", "gemini"]
Limit = Literal["tokens", "cost", "seconds", "calls"]


class Budget(Part):
    """What one run may use of its model. A limit is checked before each call, so the last call may exceed it."""

    tokens: int | None = Field(None, ge=0)
    """Input and output tokens, cached ones too."""
    cost_usd: float | None = Field(None, ge=0)
    seconds: float | None = Field(None, ge=0)
    """Wall time from the start of the run."""
    calls: int | None = Field(None, ge=0)


class Tokens(Part):
    """The tokens of one answer."""

    input: int = 0
    """All tokens of the request, cached ones too."""
    cached_input: int = 0
    """Those of `input` that the provider read from its cache."""
    cache_write: int = 0
    """Those of `input` that the provider wrote to its cache at a price of its own."""
    cache_write_hour: int = 0
    """Those of `cache_write` that the provider keeps for an hour."""
    output: int = 0
    """Tokens of the answer, those of hidden reasoning too."""


class ModelCall(Record):
    """One request of an agent to its model as the gateway saw it: a measurement, unlike other records. Holds no key."""

    number: int
    """Counts the requests of the run from 1."""
    protocol: Protocol | None
    """None where the path belongs to no protocol."""
    path: str
    """Without the query."""
    model: str
    streamed: bool = False
    status: int | None = None
    """HTTP status of the answer; None where there was no answer."""
    tokens: Tokens = Tokens()
    estimated: bool = False
    """The answer reported no usage (cut, or not of the protocol); tokens are a quarter of its bytes."""
    cost_usd: float | None = None
    """None where the model has no price."""
    seconds: float = 0.0
    """From the request to the end of the answer, without `waited`."""
    waited: float = 0.0
    """Seconds that the gateway waited before it could ask: for the rate of all runs, or as the provider told it."""
    refused: str | None = None
    """Why the gateway did not forward the request."""
    failure: str | None = None
    """Why a forwarded request brought no whole answer: a status above 399, a cut answer, no connection."""

    def sort_key(self) -> tuple[Any, ...]:
        return (self.number,)


class ModelUsage(Part):
    """What one run used of its model."""

    calls: int = 0
    """Forwarded requests."""
    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    """None where a call has no price."""
    refused_calls: int = 0
    failed_calls: int = 0
    """Forwarded requests without a whole answer."""
    estimated_calls: int = 0
    """Calls whose tokens are an estimate."""
    waited_s: float = 0.0
    """Seconds of waits for the rate of the provider; no time of the system."""
    ended_by: Limit | None = None
    """The first limit that refused a call."""

    def __add__(self, other: Self) -> Self:
        """What both used together; `ended_by` is that of the later one, `other`."""
        counts = {name: getattr(self, name) + getattr(other, name) for name in _COUNTS}
        unknown = self.cost_usd is None or other.cost_usd is None
        cost = None if unknown else (self.cost_usd or 0.0) + (other.cost_usd or 0.0)
        waited = round(self.waited_s + other.waited_s, 3)
        return other.model_copy(update={**counts, "cost_usd": cost, "waited_s": waited})


_COUNTS = (
    "calls",
    "input_tokens",
    "cached_input_tokens",
    "output_tokens",
    "refused_calls",
    "failed_calls",
    "estimated_calls",
)


class Spent(Part):
    """What some tries of a run took together."""

    tries: int = 0
    usage: ModelUsage = ModelUsage()
    wall_s: float = 0.0
    cpu_s: float = 0.0

    def __add__(self, other: Self) -> Self:
        return self.model_copy(
            update={
                "tries": self.tries + other.tries,
                "usage": self.usage + other.usage,
                "wall_s": round(self.wall_s + other.wall_s, 3),
                "cpu_s": round(self.cpu_s + other.cpu_s, 3),
            }
        )
