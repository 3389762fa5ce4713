"""Stack traces on the pages of tasks: the project's frames told apart, bounded, equal for equal runs, safe."""

import html

import pytest
from built_site import Built

from testevo.site.traces import MOST_CHARACTERS, MOST_LINES, shown_trace
from tests.site.synthetic_dataset import HOSTILE, TRACE

FILES = ["core/src/main/java/p/Account.java", "core/src/test/java/p/AccountTest.java", "src/Top.java"]


def shown(printed: str) -> list[tuple[str, str]]:
    return [(line.kind, line.text) for line in shown_trace(printed, FILES).lines]


def test_a_trace_ends_where_the_test_was_called_and_tells_the_projects_frames_apart() -> None:
    assert shown(TRACE) == [
        ("cause", f"org.opentest4j.AssertionFailedError: expected: <105> but was: <104> in p.Account@… {HOSTILE}"),
        ("other", "at org.junit.jupiter.api.AssertEquals.failNotEqual(AssertEquals.java:197)"),
        ("own", "at p.AccountTest.paysInterest(AccountTest.java:7)"),
        ("cause", "Caused by: java.io.IOException: … at (time) after (duration)"),
        ("own", "at p.Account.addInterest(Account.java:14)"),
    ]


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        ("at p.Account.pay(Account.java:3)", "own"),
        ("at p.Account$Inner.<init>(Account.java:3)", "own"),
        ("at app//p.Account.lambda$pay$0(Account.java:3)", "own"),
        ("at Top.run(Top.java)", "own"),
        ("at q.Account.pay(Account.java:3)", "other"),
        ("at q.p.Account.pay(Account.java:3)", "other"),
        ("at java.base/java.util.List.of(Native Method)", "other"),
    ],
)
def test_a_frame_is_the_projects_when_a_file_has_its_name_and_package(frame: str, kind: str) -> None:
    assert [found for found, _ in shown(f"\t{frame}")] == [kind]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("E: p.A@6d06d69c", "E: p.A@7852e922"),
        ("E: 0x00007f3c5c0b1a40", "E: 0x00007f0000000000"),
        ("\tat p.A$$Lambda$14/0x0000000800c03000.run(Unknown Source)", "\tat p.A$$Lambda$7/0x1.run(Unknown Source)"),
        ("\tat jdk.proxy2/jdk.proxy2.$Proxy12.get(Unknown)", "\tat jdk.proxy2/jdk.proxy2.$Proxy9.get(Unknown)"),
        ("\tat p.A$MockitoMock$123456.get(Unknown Source)", "\tat p.A$MockitoMock$98.get(Unknown Source)"),
        ("E: /home/me/work/a.txt (No such file)", "E: /builds/17/a.txt (No such file)"),
        ("E: file:/tmp/junit1/a", "E: file:/tmp/junit2/b"),
        ("E: log:/home/me/work/a.txt", "E: log:/b/a.txt"),
        ("E: 2026-01-02 03:04:05.678 late", "E: 2026-11-12 13:14:15.000 late"),
        ("E: exceeded timeout of 100 ms by 7 ms", "E: exceeded timeout of 100 ms by 9 ms"),
        ("E\n\t... 41 more", "E\n\t... 39 more"),
        ("E\n\tat jdk.internal.reflect.GeneratedMethodAccessor3.invoke(Unknown Source)", "E"),
    ],
)  # fmt: skip
def test_equal_runs_show_equal_traces(one: str, other: str) -> None:
    assert shown(one) == shown(other) != []


def test_what_looks_like_an_address_but_tells_something_stays() -> None:
    for text in ("E: mail a@beef.com", "E: GET /accounts", "E: 2 of 3", "E: http://localhost/a/b", "E: 1/2/3"):
        assert shown(text) == [("cause", text)]


def test_a_long_trace_is_cut_and_says_so() -> None:
    deep = "".join(f"\tat p.Account.pay(Account.java:{line})\n" for line in range(1024))
    trace = shown_trace("java.lang.StackOverflowError: " + "x" * 5000 + "\n" + deep, FILES)
    assert len(trace.lines) == MOST_LINES and trace.skipped == 1025 - MOST_LINES
    assert max(len(line.text) for line in trace.lines) == MOST_CHARACTERS + 1


def test_the_page_of_a_task_shows_the_trace_as_text(built: Built) -> None:
    task = built.content().tasks[0]
    text = (built.site / "tasks" / "update" / f"{task.task_id}.html").read_text(encoding="utf-8")
    assert "stack trace, 5 lines" in text
    assert '<span class="own">at p.AccountTest.paysInterest(AccountTest.java:7)</span>' in text
    assert html.escape(HOSTILE.replace("\u202e", "\\u202e")) in text and HOSTILE not in text
    assert "junit4711" not in text and "1b2c3d4" not in text
