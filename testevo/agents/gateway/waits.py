"""Waits for the rate of a provider: bounded, apart from the time of the system, and over when the run is.

A provider that answers 429 or is overloaded is no fault of a system. The gateway waits in its place and asks again, and
what it waited for counts neither as wall time of the run nor against its budget of seconds.
"""

import threading
import time
from collections.abc import Callable, Mapping

_LEAST, _MOST = 1.0, 60.0
_RATE_LIMITED = frozenset({429, 503, 529})


class Waits:
    """The waits of one run, together at most `limit` seconds."""

    def __init__(
        self, limit: float, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], object] | None = None
    ) -> None:
        self._limit, self._clock = limit, clock
        self._ended = threading.Event()
        self._sleep = sleep or self._ended.wait
        self._lock = threading.Lock()
        self._waited = 0.0
        self._since: float | None = None

    def allows(self, seconds: float) -> bool:
        """Whether so long a wait is still allowed."""
        return not self._ended.is_set() and self._waited + seconds <= self._limit

    def wait(self, seconds: float) -> bool:
        """Wait, unless so much is no longer allowed or the run has ended; whether it was waited."""
        with self._lock:
            if not self.allows(seconds):
                return False
            self._since = self._clock()
        self._sleep(seconds)
        with self._lock:
            self._waited += self._clock() - self._since
            self._since = None
        return not self._ended.is_set()

    def waited(self) -> float:
        """Seconds until now, with those of a wait that goes on."""
        with self._lock:
            return self._waited + (0.0 if self._since is None else self._clock() - self._since)

    def end(self) -> None:
        """End the wait that goes on, and allow no other."""
        self._ended.set()


def asked_wait(status: int, headers: Mapping[str, str], times: int) -> float | None:
    """Seconds after which a provider would be asked again; None where its answer is none of a rate.

    Args:
        headers: with lower-case names.
        times: how often this request was waited for before.
    """
    if status not in _RATE_LIMITED or (status != 429 and "retry-after" not in headers):
        return None
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            asked = float(headers[name]) * unit
        except (KeyError, ValueError):  # such as a date
            continue
        if 0 <= asked < float("inf"):
            return max(asked, _LEAST)
    return float(min(_LEAST * 2.0**times, _MOST))
