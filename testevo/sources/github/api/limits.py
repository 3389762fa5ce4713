"""GitHub's limits of requests: which token may ask when.

Primary limits count the requests of a token by resource (`search`, `core`, `graphql`): `x-ratelimit-remaining` says how
many are left and `x-ratelimit-reset` when there are new ones. Secondary limits protect GitHub from bursts and are
answered by 403 or 429, with `retry-after` or a message. See "Rate limits for the REST API" of GitHub's documentation.
"""

import time
from collections.abc import Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import Any, Protocol

from pydantic import SecretStr

from testevo.runtime.errors import UserError

LEAST_PAUSE = 60.0
"""Seconds to wait after a secondary limit that does not say how long; doubled each time in a row."""
MARGIN = 1.0
"""Seconds added to a reset, which GitHub tells in whole seconds."""
LIMITED = (403, 429)
SIGNS = ("rate limit", "abuse")
"""Words in the message of a limit; other answers 403 say that something is forbidden."""


class Clock(Protocol):
    """The clock that waits; tests have one that does not."""

    def now(self) -> float:
        """Seconds since 1970."""

    def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The clock of this machine."""

    def now(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class Limits:
    """When each token may ask again, by resource."""

    def __init__(self, tokens: Sequence[SecretStr], clock: Clock) -> None:
        self._tokens: list[SecretStr | None] = list(tokens) or [None]
        self._clock = clock
        self._left: dict[tuple[int, str], tuple[int, float]] = {}
        self._ready: dict[tuple[int, str], float] = {}
        self._all_ready = 0.0
        self._in_a_row = 0
        self._turn = 0
        self._refused: set[int] = set()

    @property
    def signed(self) -> bool:
        """Whether there are tokens; GraphQL needs one."""
        return self._tokens != [None]

    def next_token(self, resource: str) -> tuple[int, SecretStr | None, float]:
        """The token that may ask first, its number, and how many seconds from now; in turn where several may."""
        self._turn += 1
        now = self._clock.now()
        count = len(self._tokens)
        turns = [at for at in ((self._turn + k) % count for k in range(count)) if at not in self._refused]
        at = min(turns, key=lambda one: max(now, self._ready.get((one, resource), 0.0)))
        ready = max(self._all_ready, self._ready.get((at, resource), 0.0))
        return at, self._tokens[at], max(0.0, ready - now)

    def refuse(self, at: int) -> None:
        """Use a token no more that GitHub does not accept.

        Raises:
            UserError: it was the last one.
        """
        self._refused.add(at)
        if len(self._refused) == len(self._tokens):
            raise UserError("GitHub accepts none of the tokens (401). Check them, for instance their day of expiry.")

    def note(self, at: int, resource: str, status: int, headers: Mapping[str, str], body: Any) -> bool:
        """Note what an answer says of limits.

        Args:
            at: number of the token that asked.
            resource: the limit that the request counts to.
            body: the decoded answer.

        Returns:
            Whether the answer only says that a limit was reached, so that the same is to be asked again.
        """
        used_up = headers.get("x-ratelimit-remaining") == "0"
        if "x-ratelimit-remaining" in headers:
            self._set_left(at, resource, int(headers["x-ratelimit-remaining"]), self._reset(headers))
        limited = is_limited(status, headers, body)
        if not limited:
            self._in_a_row = 0
        elif "retry-after" in headers:
            self._pause_all(float(headers["retry-after"]))
        elif not used_up:
            self._pause_all(LEAST_PAUSE * 2**self._in_a_row)
        return limited

    def note_lost(self, at: int, resource: str) -> None:
        """Count a request whose answer did not come, and with it what was left."""
        left, reset = self._left.get((at, resource), (2, 0.0))
        self._set_left(at, resource, left - 1, reset)

    def _set_left(self, at: int, resource: str, left: int, reset: float) -> None:
        self._left[at, resource] = (left, reset)
        if left <= 0:
            self._ready[at, resource] = reset

    def _pause_all(self, seconds: float) -> None:
        """Tokens of one owner share secondary limits, and asking on prolongs them: wait with all."""
        self._in_a_row += 1
        self._all_ready = self._clock.now() + seconds + MARGIN

    def _reset(self, headers: Mapping[str, str]) -> float:
        """When new requests are allowed, by our clock: the time until then is measured by GitHub's."""
        reset = float(headers.get("x-ratelimit-reset", 0))
        there = parsedate_to_datetime(headers["date"]).timestamp() if "date" in headers else self._clock.now()
        return self._clock.now() + max(0.0, reset - there) + MARGIN


def is_limited(status: int, headers: Mapping[str, str], body: Any) -> bool:
    """Whether an answer says that a limit was reached; GraphQL may say so with status 200."""
    if status == 200:
        errors = body.get("errors") if isinstance(body, dict) else None
        return any(one.get("type") == "RATE_LIMITED" for one in errors or ())
    if status not in LIMITED:
        return False
    message = str(body.get("message", "")).lower() if isinstance(body, dict) else ""
    told = "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0"
    return status == 429 or told or any(sign in message for sign in SIGNS)
