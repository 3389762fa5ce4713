"""Verdicts from the launcher's channel."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from testevo.execution.verdicts.channel import RunTest, Verdict, bare_method_name, merge, read_channel, simple_parameter
from testevo.records.verdicts import Outcome

TEST = RunTest("a.B", "m")


def lines(*events: dict[str, object]) -> bytes:
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


def finished(outcome: str, **more: object) -> dict[str, object]:
    names = {"event": "finished", "class": "a.B", "method": "m", "parameters": None, "id": "1"}
    return names | {"outcome": outcome} | more


def started(**more: object) -> dict[str, object]:
    return {"event": "started", "class": "a.B", "method": "m", "id": "1"} | more


END = {"event": "end", "found": 1}


def test_a_whole_channel_gives_verdicts_with_exception_and_message() -> None:
    record = read_channel(lines(started(), finished("exception", exception="a.X", message="no \ud800"), END))
    assert record.verdicts == {TEST: Verdict(Outcome.EXCEPTION, "a.X", "no \\ud800")}
    assert record.ended
    assert record.unfinished == ()


def test_a_channel_without_end_is_not_whole_and_names_the_running_test() -> None:
    record = read_channel(lines(started(), finished("passed"), started(id="2", method="n")))
    assert (record.ended, record.unfinished) == (False, (RunTest("a.B", "n"),))


def test_what_follows_a_torn_line_or_the_end_does_not_count() -> None:
    torn = read_channel(lines(started()) + b'{"event":"fin\n' + lines(finished("passed"), END))
    assert (torn.ended, torn.verdicts) == (False, {})
    late = read_channel(lines(started(), finished("assertion_failed"), END, finished("passed")))
    assert late.verdicts[TEST].outcome is Outcome.ASSERTION_FAILED


def test_invocations_of_one_method_are_one_verdict() -> None:
    """Names of invocations never make new tests."""
    record = read_channel(
        lines(
            finished("passed", method="m[0]", id="0"),
            finished("assertion_failed", method="m[1]", id="1"),
            finished("passed", method="m[2]", id="2"),
            END,
        )
    )
    assert record.verdicts == {TEST: Verdict(Outcome.ASSERTION_FAILED, invocations=3)}


def test_events_of_a_class_and_unloadable_classes_are_kept_apart() -> None:
    record = read_channel(
        lines(
            finished("exception", method=None, exception="a.X"),
            {
                "event": "discovery_failed",
                "selection": "a.C#m()",
                "exception": "java.lang.NoClassDefFoundError",
                "reason": "gone",
                "trace": "x\n\tat java.lang.Class.forName0(Native)",
            },
            {
                "event": "discovery_failed",
                "selection": "a.D",
                "exception": "java.lang.NoSuchMethodError",
                "reason": "ours",
                "trace": "x\n\tat testevo.launcher.junit4.BackEnd.run(BackEnd.java:1)",
            },
            {"event": "not_found", "reason": "there is no class a.E"},
            END,
        )
    )
    assert {name: verdict.outcome for name, verdict in record.class_verdicts.items()} == {
        "a.B": Outcome.EXCEPTION,
        "a.C": Outcome.EXCEPTION,
        "a.D": Outcome.INFRASTRUCTURE,
    }
    assert record.missing == ("there is no class a.E",)


@pytest.mark.parametrize(
    ("outcomes", "merged"),
    [
        ([Outcome.PASSED, Outcome.EXCEPTION, Outcome.ASSERTION_FAILED], Outcome.EXCEPTION),
        ([Outcome.ASSERTION_FAILED, Outcome.TIMED_OUT], Outcome.ASSERTION_FAILED),
        ([Outcome.PASSED, Outcome.TIMED_OUT], Outcome.TIMED_OUT),
        ([Outcome.SKIPPED, Outcome.PASSED, Outcome.ABORTED], Outcome.PASSED),
        ([Outcome.SKIPPED, Outcome.SKIPPED], Outcome.SKIPPED),
        ([], Outcome.NOT_FOUND),
    ],
)
def test_the_worst_invocation_counts(outcomes: list[Outcome], merged: Outcome) -> None:
    assert merge([Verdict(outcome) for outcome in outcomes]).outcome is merged


@given(st.lists(st.sampled_from([o for o in Outcome if not o.compile_error]), max_size=6), st.randoms())
def test_merging_does_not_depend_on_order(outcomes: list[Outcome], random: object) -> None:
    shuffled = list(outcomes)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert merge(map(Verdict, outcomes)).outcome is merge(map(Verdict, shuffled)).outcome


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    assert not read_channel(data + b"\n").ended


def test_names_lose_what_names_the_invocation_and_the_package() -> None:
    assert [bare_method_name(name) for name in ("m", "m[2]", "m(int)[1]", "m{int}[1]", "[1] x")] == [
        "m",
        "m",
        "m",
        "m",
        "[1] x",
    ]
    assert [
        simple_parameter(name)
        for name in ("int", "java.util.Map$Entry[]", "[Ljava.lang.String;", "[[I", "String...", "a.B")
    ] == ["int", "Entry[]", "String[]", "int[][]", "String[]", "B"]


KEY = bytes(range(32))


def sealed(*events: dict[str, object], key: bytes = KEY, first: int = 0) -> bytes:
    """What a launcher with that key writes."""
    out = b""
    for number, event in enumerate(events, first):
        line = json.dumps(event).encode() + b"\n"
        out += hashlib.blake2s(number.to_bytes(8, "big") + line, key=key, digest_size=16).hexdigest().encode() + b" "
        out += line
    return out


def test_sealed_lines_are_read_with_their_key() -> None:
    record = read_channel(b"ready\n" + sealed(started(), finished("passed"), END), KEY)
    assert (record.verdicts[TEST].outcome, record.ended, record.tampered) == (Outcome.PASSED, True, None)


@pytest.mark.parametrize(
    "data",
    [
        lines(started(), finished("passed"), END),
        b"ready\n" + lines(started(), finished("passed"), END),
        b"ready\n" + sealed(started(), finished("passed"), END, key=bytes(32)),
        b"ready\n" + sealed(started()) + lines(finished("passed"), END),
        b"ready\n" + sealed(started()) + sealed(finished("passed"), END),
        b"ready\n" + sealed(started()) + sealed(finished("passed"), END, first=2),
        b"ready\n" + sealed(started(), started()) + b"ready\n" + sealed(END, first=2),
        b"ready\n" + sealed(finished("passed"), END),
        b"ready\n" + sealed(started(), {"event": "tampered", "reason": "seen"}, finished("passed"), END),
    ],
    ids=[
        "no seal",
        "no tags",
        "other key",
        "forged rest",
        "number again",
        "number left out",
        "ready again",
        "passed before it started",
        "seen by the launcher",
    ],
)
def test_what_the_launcher_has_not_written_in_its_order_voids_all(data: bytes) -> None:
    """A test that gets hold of the channel wins nothing."""
    record = read_channel(data, KEY)
    assert record.tampered is not None
    assert (record.verdicts, record.ended) == ({}, False)


def test_a_torn_last_line_is_a_death_and_no_forgery() -> None:
    record = read_channel(b"ready\n" + sealed(started()) + b"0123 {", KEY)
    assert (record.tampered, record.ended, record.unfinished) == (None, False, (TEST,))
