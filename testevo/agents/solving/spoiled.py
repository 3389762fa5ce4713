"""What the tries of a run took that ended without a result: the infrastructure spoiled them, or a kill ended them.

A note in the folder of the run says what its tries have taken so far. It outlives the command, so that the money of a
spoiled or killed try is in the record of the run that ends at last.
"""

from functools import reduce
from pathlib import Path

from testevo.agents.gateway.ledger import in_flight, with_call
from testevo.records.agents.usage import ModelCall, ModelUsage, Spent
from testevo.records.base import Record, parse_record, read_records, write_records

CALLS = "calls.jsonl"
"""The log of the gateway."""
_NOTE = "tries.jsonl"


class _Tries(Record):
    """The tries of the run that a key names."""

    key: str
    spent: Spent
    """By the tries that have ended."""
    running: bool
    """One more has begun; what it takes is in the log of the gateway."""


def spent_before(place: Path, key: str) -> Spent:
    """What earlier tries of this run took. Of a killed one the calls are known, and no seconds."""
    if not (place / _NOTE).is_file():
        return Spent()
    [note] = read_records(place / _NOTE, _Tries)
    if note.key != key:
        return Spent()
    return note.spent + Spent(tries=1, usage=_usage(place / CALLS)) if note.running else note.spent


def note_begin(place: Path, key: str, spent: Spent) -> None:
    """Note that a try begins, after others that took `spent`."""
    write_records(place / _NOTE, [_Tries(key=key, spent=spent, running=True)])


def note_end(place: Path, key: str, spent: Spent, *, settled: bool) -> None:
    """Note what all tries took; nothing once the run is `settled`, for then its record says it."""
    if settled:
        (place / _NOTE).unlink()
    else:
        write_records(place / _NOTE, [_Tries(key=key, spent=spent, running=False)])


def _usage(log: Path) -> ModelUsage:
    """That of the calls in a log, whose last line a kill may have cut, and of those that had not ended, at most."""
    calls = _calls(log)
    ended = {call.number for call in calls}
    pending = [call for call in _calls(in_flight(log)) if call.number not in ended]
    return reduce(with_call, [*calls, *pending], ModelUsage())


def _calls(file: Path) -> list[ModelCall]:
    whole = file.read_bytes().rpartition(b"\n")[0].splitlines() if file.is_file() else []
    return [parse_record(file, number, line, ModelCall) for number, line in enumerate(whole, start=1)]
