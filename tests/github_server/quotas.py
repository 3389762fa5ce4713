"""The limits of requests, primary and secondary, by a clock that tests set."""

from dataclasses import dataclass, field

ALLOWED = {"search": (30, 60), "core": (5000, 3600), "graphql": (5000, 3600)}
"""Requests and seconds, by resource, for a token."""
WITHOUT_TOKEN = {"search": (10, 60), "core": (60, 3600), "graphql": (0, 3600)}


class Clock:
    """A clock that moves when somebody sleeps."""

    def __init__(self, now: float = 1_780_000_000.0) -> None:
        self.time = now
        self.slept = 0.0

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds
        self.slept += seconds


@dataclass
class Quotas:
    """What is left to whom; `exceeded` and `impatient` count what a well-behaved client never does."""

    clock: Clock
    exceeded: int = 0
    """Requests sent although nothing was left."""
    impatient: int = 0
    """Requests sent before the end of a `retry-after`."""
    paused_until: float = 0.0
    _windows: dict[tuple[str, str], tuple[float, int]] = field(default_factory=dict)

    def headers(self, token: str, resource: str) -> dict[str, str]:
        """The headers of an answer."""
        reset, used = self._window(token, resource)
        allowed = self.allowed(token, resource)[0]
        return {
            "x-ratelimit-limit": str(allowed),
            "x-ratelimit-remaining": str(max(0, allowed - used)),
            "x-ratelimit-used": str(used),
            "x-ratelimit-reset": str(int(reset)),
            "x-ratelimit-resource": resource,
        }

    def take(self, token: str, resource: str) -> bool:
        """Count a request; whether it was allowed."""
        if self.clock.now() < self.paused_until:
            self.impatient += 1
            return False
        reset, used = self._window(token, resource)
        if used >= self.allowed(token, resource)[0]:
            self.exceeded += 1
            return False
        self._windows[token, resource] = (reset, used + 1)
        return True

    def give_back(self, token: str, resource: str) -> None:
        """A conditional request that finds nothing new is free."""
        reset, used = self._window(token, resource)
        self._windows[token, resource] = (reset, used - 1)

    @staticmethod
    def allowed(token: str, resource: str) -> tuple[int, int]:
        return (ALLOWED if token else WITHOUT_TOKEN)[resource]

    def _window(self, token: str, resource: str) -> tuple[float, int]:
        reset, used = self._windows.get((token, resource), (0.0, 0))
        if reset <= self.clock.now():
            reset, used = self.clock.now() + self.allowed(token, resource)[1], 0
            self._windows[token, resource] = (reset, used)
        return reset, used
