"""The channel: records the launcher writes while tests run; the only source of verdicts.

Output of the tests is never read for verdicts: it may be forged, undecodable, or glued to a banner. A channel without
its `end` event means that the JVM ended without a verdict. Lines are sealed with a key that only this process and the
launcher know: whatever else is written to the channel shows that the test tampered with it.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from testevo.java.signatures import PRIMITIVES
from testevo.records.verdicts import Outcome
from testevo.runtime.files.json_and_yaml import parsed_json

_OUTCOMES = {
    "passed": Outcome.PASSED,
    "assertion_failed": Outcome.ASSERTION_FAILED,
    "exception": Outcome.EXCEPTION,
    "skipped": Outcome.SKIPPED,
    "aborted": Outcome.ABORTED,
}

_WORST_FIRST = (
    Outcome.INFRASTRUCTURE,
    Outcome.EXCEPTION,
    Outcome.ASSERTION_FAILED,
    Outcome.TIMED_OUT,
    Outcome.CRASHED,
    Outcome.PASSED,
    Outcome.ABORTED,
    Outcome.SKIPPED,
    Outcome.NOT_FOUND,
)


KEY_BYTES = 32
READY = b"ready"
"""The launcher's first line, before it is given the key and before it has loaded anything of the project."""
_TAG_CHARACTERS = 32

CLASS_LEVEL = "<class>"
"""The name under which a class is reported that failed before any test of it is known."""


@dataclass(frozen=True, order=True)
class RunTest:
    """A test as the launcher names it: class it ran in, method, erased simple parameter types.

    `method` is '' for an event of a whole class.
    """

    type_name: str
    method: str
    parameters: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """How one test ended, all its invocations merged."""

    outcome: Outcome
    exception: str | None = None
    message: str | None = None
    trace: str | None = None
    invocations: int = 1


@dataclass(frozen=True)
class ChannelRecord:
    """The contents of a channel: verdicts by test, tests never finished, and whether it is whole."""

    verdicts: dict[RunTest, Verdict]
    class_verdicts: dict[str, Verdict]
    """Failures (or skips) of whole classes, by binary class name."""
    unfinished: tuple[RunTest, ...]
    ended: bool
    broken: str | None = None
    """Why the launcher gave up, when it says so."""
    coverage: tuple[str, ...] | None = field(default=None, kw_only=True)
    """The notes of probes, a text for each instrumented class; None when there were none, or they are lost."""
    missing: tuple[str, ...] = ()
    """Why selections were not found, in order."""
    output_lost: bool = False
    """The tests left `System.out` null, so that a harness that prints its results there would have lost them."""
    tampered: str | None = None
    """Evidence that somebody else than the launcher wrote to the channel, or led it to; nothing read counts then."""
    runs: tuple["RunRecord", ...] = ()
    """Runs against mutants, in order, when the JVM was asked for them; their verdicts are in no other field."""


@dataclass(frozen=True)
class RunRecord:
    """One run of the selected test among several in one JVM."""

    mutant: str
    """Name of the mutant, '' for the unmutated code."""
    record: ChannelRecord
    """`ended` says that the run ended, by itself or by its time limit."""
    timed_out: bool = False
    left: str | None = None
    """Threads and state that the run left behind in the JVM, which makes no more runs then."""
    unreached: tuple[str, ...] = ()
    """Mutants of which the unmutated run has loaded no class; they are not run."""


def read_channel(data: bytes, key: bytes | None = None) -> ChannelRecord:
    """Read a channel's bytes; an unreadable or torn line ends the record there, as if the JVM had died.

    Args:
        key: of the run, when its lines are sealed.
    """
    reader = _Reader(sealed=key is not None)
    events = Events(data, key)
    for event in events:
        reader.take(event)
        if reader.ended:
            break
    tampered = events.tampered or reader.tampered
    if tampered is not None:
        return ChannelRecord({}, {}, (), False, tampered=tampered)
    return reader.record()


class _Reader:
    """Collects events of one channel."""

    def __init__(self, sealed: bool) -> None:
        self._sealed = sealed
        self.tampered: str | None = None
        self.verdicts: dict[RunTest, list[Verdict]] = {}
        self.classes: dict[str, list[Verdict]] = {}
        self.running: dict[str, RunTest] = {}
        self.missing: list[str] = []
        self.ended = False
        self.broken: str | None = None
        self.coverage: tuple[str, ...] | None = None
        self.output_lost = False
        self.runs: list[_RunReader] = []

    def record(self) -> ChannelRecord:
        return ChannelRecord(
            {test: merge(parts) for test, parts in self.verdicts.items()},
            {name: merge(parts) for name, parts in self.classes.items()},
            tuple(self.running.values()),
            self.ended,
            self.broken,
            tuple(self.missing),
            self.output_lost,
            coverage=self.coverage,
            runs=tuple(run.run_record() for run in self.runs),
        )

    def take(self, event: dict[str, Any]) -> None:
        kind = event.get("event")
        if kind == "mutant":
            self.runs.append(_RunReader(self._sealed, str(event.get("name") or "")))
        elif self.runs and not self.runs[-1].ended:
            self.runs[-1].take(event)
            self.tampered = self.tampered or self.runs[-1].tampered
        else:
            self._take(event)

    def _take(self, event: dict[str, Any]) -> None:
        kind = event.get("event")
        if kind == "started" and event.get("method"):
            self.running[_identity(event)] = _test(event)
        elif kind == "finished":
            self._finished(event)
        elif kind == "discovery_failed":
            type_name = str(event.get("selection") or "").split("#")[0]
            self.classes.setdefault(type_name, []).append(_undiscovered(event))
        elif kind == "not_found":
            self.missing.append(_text(event.get("reason")) or "no such test was found")
        elif kind == "error" and not event.get("by_project"):
            self.broken = _text(event.get("message")) or "the launcher failed"
        elif kind == "tampered":
            self.tampered = _text(event.get("reason")) or "an event that JUnit did not send"
        elif kind == "coverage" and isinstance(event.get("classes"), list):
            self.coverage = tuple(str(line) for line in event["classes"])
        elif kind == "end":
            self.ended = True
            self.output_lost = bool(event.get("output_lost"))

    def _finished(self, event: dict[str, Any]) -> None:
        started = self.running.pop(_identity(event), None)
        test = _test(event)
        if self._sealed and started is None and event.get("outcome") == "passed":
            self.tampered = f"{test.method or test.type_name} is said to have passed and was not running"
        if test.method:
            self.verdicts.setdefault(test, []).append(_verdict(event))
        else:
            self.classes.setdefault(test.type_name, []).append(_verdict(event))


class _RunReader(_Reader):
    """Collects the events of one run among several."""

    def __init__(self, sealed: bool, mutant: str) -> None:
        super().__init__(sealed)
        self._mutant = mutant
        self._timed_out = False
        self._left: str | None = None
        self._unreached: tuple[str, ...] = ()

    def run_record(self) -> RunRecord:
        return RunRecord(self._mutant, self.record(), self._timed_out, self._left, self._unreached)

    def take(self, event: dict[str, Any]) -> None:
        if event.get("event") == "mutant_end":
            self.ended = True
            self._timed_out = bool(event.get("timed_out"))
            self._left = _text(event.get("left"))
            self._unreached = tuple(map(str, event.get("unreached") or ()))
            self.broken = _text(event.get("broken"))
        else:
            self._take(event)


def merge(verdicts: Iterable[Verdict]) -> Verdict:
    """One verdict for all invocations of a method: the worst counts, skips only when nothing passed or failed."""
    parts = list(verdicts)
    if not parts:
        return Verdict(Outcome.NOT_FOUND, invocations=0)
    worst = min(parts, key=lambda part: _WORST_FIRST.index(part.outcome))
    return Verdict(worst.outcome, worst.exception, worst.message, worst.trace, sum(part.invocations for part in parts))


def simple_parameter(name: str) -> str:
    """The erased simple name of a type: `Entry[]` for `java.util.Map$Entry[]`, `String[]` for `[Ljava.lang.String;`."""
    name = name.strip()
    dimensions = len(name) - len(name.lstrip("["))
    if dimensions:
        element = name[dimensions:]
        name = PRIMITIVES.get(element, element.removeprefix("L").removesuffix(";")) + "[]" * dimensions
    name = name.replace("...", "[]")
    return re.split(r"[.$/]", name)[-1]


def bare_method_name(name: str) -> str:
    """`adds[2]`, `adds(int)[1]` and `adds{int}[1]` without what names the invocation."""
    return re.split(r"[\[({]", name, maxsplit=1)[0].strip() or name


class Events:
    """The events in the bytes of a channel, up to the first line that is none.

    Args:
        key: of the run, when its lines are sealed: `ready` first, then a tag and a space before each event.
    """

    def __init__(self, data: bytes, key: bytes | None = None) -> None:
        self._lines = data.split(b"\n")
        self._key = key
        self.tampered: str | None = None
        """Known at the end: a whole line that the launcher has not written."""

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for line in self._unsealed():
            if not line.strip():
                continue
            try:
                event = parsed_json(line)
            except ValueError:
                return
            if not isinstance(event, dict):
                return
            yield event

    def _unsealed(self) -> Iterator[bytes]:
        if self._key is None:
            yield from self._lines
            return
        # Without its line end the last line is torn, and a torn line is nobody's forgery.
        for number, sealed in enumerate(self._lines[:-1]):
            line = b"" if number == 0 and sealed == READY else _opened(sealed, number - 1, self._key)
            if line is None:
                self.tampered = f"line {number + 1} of the channel is not the launcher's"
                return
            yield line


def _opened(line: bytes, number: int, key: bytes) -> bytes | None:
    """The event of a sealed line, or None when its tag is wrong. Tag: see `Seal` of the launcher."""
    tag, event = line[:_TAG_CHARACTERS], line[_TAG_CHARACTERS + 1 :]
    if number < 0:
        return None
    said = number.to_bytes(8, "big") + event + b"\n"
    expected = hashlib.blake2s(said, key=key, digest_size=_TAG_CHARACTERS // 2).hexdigest()
    return event if hmac.compare_digest(expected.encode(), tag) else None


def _identity(event: dict[str, Any]) -> str:
    return str(event.get("id") or (event.get("class"), event.get("method"), event.get("display")))


def _test(event: dict[str, Any]) -> RunTest:
    parameters = event.get("parameters") or ()
    method = event.get("method") or ""
    return RunTest(
        str(event.get("class") or ""),
        bare_method_name(method) if method else "",
        tuple(simple_parameter(str(parameter)) for parameter in parameters),
    )


def _verdict(event: dict[str, Any]) -> Verdict:
    return Verdict(
        _OUTCOMES.get(str(event.get("outcome")), Outcome.INFRASTRUCTURE),
        _text(event.get("exception")),
        _text(event.get("message")),
        _text(event.get("trace")),
    )


def _undiscovered(event: dict[str, Any]) -> Verdict:
    """A class that cannot be loaded or described fails by its exception, unless our own launcher threw it."""
    trace = _text(event.get("trace")) or ""
    frames = [line.strip() for line in trace.splitlines() if line.strip().startswith("at ")]
    ours = bool(frames) and frames[0].startswith("at testevo.launcher.")
    return Verdict(
        Outcome.INFRASTRUCTURE if ours else Outcome.EXCEPTION,
        _text(event.get("exception")),
        _text(event.get("reason")),
        trace,
    )


def _text(value: object) -> str | None:
    """Text that can be encoded: Java strings may hold lone surrogates, files may not."""
    return None if value is None else str(value).encode("utf-8", "backslashreplace").decode()
