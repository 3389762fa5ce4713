"""The ledger of one run: adds up calls, says when the budget is used up, writes a line for each call."""

import threading
from collections.abc import Callable
from pathlib import Path

from testevo.records.agents.usage import Budget, Limit, ModelCall, ModelUsage

LOGGED_REFUSALS = 100
"""An agent that asks on for ever must not fill the disk; further refusals are only counted."""
_CLOSING_SECONDS = 2.0


class Ledger:
    """What a run has used of its model so far, to be asked by several threads."""

    def __init__(self, budget: Budget, log: Path, clock: Callable[[], float]) -> None:
        """`log` is emptied. `clock` gives seconds; the wall time of the run starts now."""
        self._budget = budget
        self._log = log
        self._clock = clock
        self._start = clock()
        self._lock = threading.Condition()
        self._requests = 0
        self._pending: dict[int, ModelCall] = {}
        self._closed = False
        self._usage = ModelUsage()
        log.write_bytes(b"")

    def number(self) -> int:
        """The number of the next request."""
        with self._lock:
            self._requests += 1
            return self._requests

    def used_up(self) -> Limit | None:
        """The limit that allows no further call; the first one that ever did is kept in the usage."""
        with self._lock:
            limit = self._reached()
            if limit and self._usage.ended_by is None:
                self._usage = self._usage.model_copy(update={"ended_by": limit})
            return limit

    def begin(self, call: ModelCall) -> None:
        """Note a call that is forwarded now, as it will count if the run ends before it does."""
        with self._lock:
            self._pending[call.number] = call

    def add(self, call: ModelCall) -> None:
        """Count a call and write its line."""
        with self._lock:
            if not self._closed:
                self._pending.pop(call.number, None)
                self._add(call)
                self._lock.notify_all()

    def close(self) -> None:
        """Count the calls that have not ended; those that end now have a moment to do so."""
        with self._lock:
            self._lock.wait_for(lambda: not self._pending, timeout=_CLOSING_SECONDS)
            self._closed = True
            for call in self._pending.values():
                self._add(call)

    def usage(self) -> ModelUsage:
        """What was used so far."""
        with self._lock:
            return self._usage

    def _add(self, call: ModelCall) -> None:
        self._usage = with_call(self._usage, call)
        if call.refused is None or self._usage.refused_calls <= LOGGED_REFUSALS:
            with self._log.open("a", encoding="utf-8") as log:
                log.write(f"{call.line()}\n")

    def _reached(self) -> Limit | None:
        budget, used = self._budget, self._usage
        if budget.tokens is not None and used.input_tokens + used.output_tokens >= budget.tokens:
            return "tokens"
        if budget.cost_usd is not None and (used.cost_usd or 0.0) >= budget.cost_usd:
            return "cost"
        if budget.seconds is not None and self._clock() - self._start >= budget.seconds:
            return "seconds"
        if budget.calls is not None and used.calls >= budget.calls:
            return "calls"
        return None


def with_call(usage: ModelUsage, call: ModelCall) -> ModelUsage:
    """Usage after one more request."""
    if call.refused is not None:
        return usage.model_copy(update={"refused_calls": usage.refused_calls + 1})
    costs = (usage.cost_usd, call.cost_usd)
    return usage.model_copy(
        update={
            "calls": usage.calls + 1,
            "input_tokens": usage.input_tokens + call.tokens.input,
            "cached_input_tokens": usage.cached_input_tokens + call.tokens.cached_input,
            "output_tokens": usage.output_tokens + call.tokens.output,
            "cost_usd": None if None in costs else sum(cost for cost in costs if cost is not None),
            "failed_calls": usage.failed_calls + (call.failure is not None),
            "estimated_calls": usage.estimated_calls + call.estimated,
        }
    )
