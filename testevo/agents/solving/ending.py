"""How a run ended: by itself, at a limit, or because the model gave no answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.records.agents.runs import RunStatus
from testevo.records.agents.usage import ModelCall, ModelUsage
from testevo.records.base import records_so_far
from testevo.sandboxes.watching import Watched

_CHARACTERS = 500
_NOT_THE_SYSTEM = frozenset({401, 403, 404, 407, 408, 429})
"""Answers that no system is to blame for, beside those from 500 on: key, address, rate."""


@dataclass(frozen=True)
class Ending:
    """The end of a run."""

    status: RunStatus
    reason: str = ""
    exit_code: int | None = None


def ending_of(watched: Watched, usage: ModelUsage, log: Path) -> Ending:
    """Judge the end of a run.

    A run whose last call brought no answer says nothing of its system, however the program took it.

    Args:
        log: of the gateway.
    """
    limit = _limit(watched, usage)
    if limit is not None:
        return Ending(limit, last_words(watched))
    failure = _no_answer(records_so_far(log, ModelCall))
    if failure is not None:
        return Ending(RunStatus.INFRASTRUCTURE, failure, watched.status)
    if watched.status == 0:
        return Ending(RunStatus.FINISHED, exit_code=0)
    return Ending(RunStatus.FAILED, last_words(watched), watched.status)


def _limit(watched: Watched, usage: ModelUsage) -> RunStatus | None:
    """The limit that ended the run; that of the sandbox before one of the budget."""
    limits = {RunStatus.SECONDS: watched.timed_out, RunStatus.DISK: watched.filled, RunStatus.OUTPUT: watched.flooded}
    limits |= {status: status.value == usage.ended_by for status in RunStatus if status not in limits}
    limits[RunStatus.SECONDS] |= usage.ended_by == "seconds"
    return next((status for status, holds in limits.items() if holds), None)


def _no_answer(calls: Sequence[ModelCall]) -> str | None:
    """Why the last forwarded call has no answer, where the machine, the key or the provider is at fault."""
    forwarded = [call for call in calls if call.refused is None]
    if not forwarded or forwarded[-1].failure is None:
        return None
    status = forwarded[-1].status
    at_fault = status is None or status < 400 or status >= 500 or status in _NOT_THE_SYSTEM
    return f"the last call to the model failed: {forwarded[-1].failure}"[:_CHARACTERS] if at_fault else None


def last_words(watched: Watched) -> str:
    """The end of what a program wrote to standard error, else of its standard output."""
    said = (watched.stderr.strip() or watched.stdout.strip()).decode("utf-8", "replace")
    return said[-_CHARACTERS:]
