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

    def __init__(
        self, budget: Budget, log: Path, clock: Callable[[], float], waited: Callable[[], float] = float
    ) -> None:
        """`log` is emptied. `clock` gives seconds; the wall time of the run starts now.

        Args:
            waited: seconds until now that do not count as time of the run.
        """
        self._waited = waited
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
        in_flight(log).unlink(missing_ok=True)

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

    def begin(self, call: ModelCall) -> bool:
        """Note a call that is forwarded now, as it will count if the run ends before it does.

        Returns:
            Whether it may be forwarded: not once the run has ended, when nobody would count it.
        """
        with self._lock:
            if not self._closed:
                self._pending[call.number] = call
                self._note_pending()
            return not self._closed

    def withdraw(self, call: ModelCall) -> None:
        """Take back a call that was answered with the wish to wait, and will be made again."""
        with self._lock:
            self._pending.pop(call.number, None)
            self._note_pending()

    def add(self, call: ModelCall) -> None:
        """Count a call and write its line."""
        with self._lock:
            if not self._closed:
                self._pending.pop(call.number, None)
                self._add(call)
                self._note_pending()
                self._lock.notify_all()

    def close(self) -> None:
        """Count the calls that have not ended; those that end now have a moment to do so."""
        with self._lock:
            self._lock.wait_for(lambda: not self._pending, timeout=_CLOSING_SECONDS)
            self._closed = True
            for call in self._pending.values():
                self._add(call)
            self._pending = {}
            self._note_pending()

    def usage(self) -> ModelUsage:
        with self._lock:
            return self._usage

    def _note_pending(self) -> None:
        """Keep the calls under way on the disk: after a kill of this process they count as well."""
        file = in_flight(self._log)
        if self._pending:
            file.write_text("".join(f"{call.line()}\n" for call in self._pending.values()), encoding="utf-8")
        else:
            file.unlink(missing_ok=True)

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
        if budget.seconds is not None and self._clock() - self._start - self._waited() >= budget.seconds:
            return "seconds"
        if budget.calls is not None and used.calls >= budget.calls:
            return "calls"
        return None


def in_flight(log: Path) -> Path:
    """The file with the calls that had not ended, beside a log."""
    return log.with_name(f"{log.name}.in-flight")


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
            "waited_s": round(usage.waited_s + call.waited, 3),
        }
    )
