"""Traces that a test has written itself cost the grader neither memory nor its run."""

import tracemalloc
from pathlib import Path

import pytest
from counter_revisions import NEW_FILES, OLD_FILES, graded
from tiny_revisions import NEW, OLD, MakeWorkspace, make, worker

from testevo.builds.classes.class_files import ClassPath
from testevo.execution.runner import MethodRun
from testevo.grading.verdicts.code_classes import CodeClasses
from testevo.grading.verdicts.discrimination import discrimination
from testevo.records.evaluation.grading import Discrimination
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome

__all__ = ["make", "worker"]

TEST = TestKey(module="", path="src/test/java/a/CounterTest.java", type_name="a.CounterTest", name="counts")
HEAD = "java.lang.AssertionError: a"
FRAME = "\tat a.Counter.load(Counter.java:8)"
OWN_FRAME = "\tat a.CounterTest.counts(CounterTest.java:8)"
LOST = "Caused by: java.lang.ClassNotFoundException: b.C"
MOST_BYTES = 64 * 2**20


def kind_of(trace: str, classes: CodeClasses | None = None) -> Discrimination:
    name, _, said = trace.split("\n", 1)[0].partition(": ")
    return discrimination(MethodRun(Outcome.ASSERTION_FAILED, name, said, trace=trace), TEST, None, classes)


COMMON = "\t... 999999999 more"
DOUBLED = f"Caused by: a.B\n{COMMON}\n{COMMON}"
EXCESSIVE = {
    "frames in common, again and again": "\n".join([HEAD, *[FRAME] * 10, *[DOUBLED] * 60]),
    "long causes with all frames in common": "\n".join([HEAD, *[FRAME] * 900, *[f"Caused by: a.B\n{COMMON}"] * 2000]),
    "more text than a person reads": "\n".join([HEAD, *[FRAME] * 200_000]),
}


@pytest.mark.parametrize("case", EXCESSIVE)
def test_a_trace_that_no_code_throws_is_read_in_bounded_memory(case: str) -> None:
    """It fails closed: such a failure says nothing of what the code does."""
    tracemalloc.start()
    try:
        kind = kind_of(EXCESSIVE[case])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert kind is not Discrimination.EXCEPTION
    assert peak < MOST_BYTES


@pytest.mark.parametrize(
    ("causes", "kind"), [(40, Discrimination.ASSERTION), (2000, Discrimination.MISSING_CLASS)], ids=["honest", "made"]
)
def test_causes_of_a_deep_stack_are_read_and_those_of_a_made_one_are_not(causes: int, kind: Discrimination) -> None:
    trace = "\n".join([HEAD, *[FRAME] * 1000, *[f"Caused by: a.B: b\n{FRAME}\n\t... 999 more"] * causes])
    assert kind_of(trace) is kind


def test_frames_that_the_launcher_leaves_out_count_for_those_in_common() -> None:
    """Of 30 frames the trace shows 3. The last 28 are in common: without the first two, which are of the test."""
    shown = [OWN_FRAME, OWN_FRAME, FRAME, "\t... 27 frames left out"]
    looks = [LOST, "\tat java.base/java.lang.Class.forName(Class.java:375)"]
    assert kind_of("\n".join([HEAD, *shown, *looks, "\t... 28 more"])) is Discrimination.ASSERTION
    assert kind_of("\n".join([HEAD, *shown, *looks, "\t... 29 more"])) is Discrimination.MISSING_CLASS


LONG = "a." + "b" * 300
UNUSUAL = {
    "longer than a file name": LONG,
    "longer than a path": ".".join(["abcdefgh"] * 1000),
    "with letters of several bytes": "a." + "ü" * 200,
    "nothing": "",
    "with NUL": "a.\0",
    "absolute": "/etc/passwd",
    "a pattern": "a.*[",
    "parts without letters": "a..b",
}


@pytest.mark.parametrize("case", UNUSUAL)
def test_a_name_that_no_class_file_has_is_looked_up_in_no_folder(case: str, tmp_path: Path) -> None:
    """Names come out of what a test throws, and may be anything."""
    name = UNUSUAL[case]
    assert ClassPath([tmp_path]).find(name) is None


def test_a_look_up_of_a_name_longer_than_a_file_name_may_be_is_no_traceback(make: MakeWorkspace) -> None:
    workspace = make(OLD_FILES, NEW_FILES)
    old, new = workspace.build(OLD).tree, workspace.build(NEW).tree
    assert old is not None and new is not None
    by_test = f"{HEAD}\n{OWN_FRAME}\nCaused by: java.lang.ClassNotFoundException: {LONG}\n\t... 1 more"
    assert kind_of(by_test, CodeClasses.of(old, new)) is Discrimination.MISSING_CLASS
    with_long_frames = f"{HEAD}\n\tat {LONG}.c(D.java:1)\n{OWN_FRAME}\nCaused by: a.B: b\n\t... 2 more"
    assert kind_of(with_long_frames, CodeClasses.of(old, new)) is Discrimination.ASSERTION


@pytest.mark.parametrize(
    ("name", "kind"), [("a.Extra", Discrimination.MISSING_CLASS), (LONG, Discrimination.ASSERTION)], ids=["new", "long"]
)
def test_a_test_that_writes_its_own_trace_is_graded(make: MakeWorkspace, name: str, kind: Discrimination) -> None:
    """No number of frames hides the cause behind them, nor costs memory that other edits lack."""
    body = """package a;
import org.junit.Test;
public class CounterTest {
    @Test public void counts() throws Throwable {
        if (new Counter().next(1) == 2) return;
        StackTraceElement[] frames = new StackTraceElement[1_000_000];
        java.util.Arrays.fill(frames, new StackTraceElement("a.Counter", "next", "Counter.java", 5));
        Throwable last = new ClassNotFoundException("%s");
        for (int causes = 0; causes < 4; causes++) {
            last.setStackTrace(frames);
            last = new AssertionError("expected 2", last);
        }
        throw last;
    }
}
"""
    (result,) = graded(make, body.replace("%s", name))[0].methods
    assert (result.new_run, result.old_run) == (Outcome.PASSED, Outcome.ASSERTION_FAILED)
    assert result.discrimination is kind


def test_a_failure_whose_trace_cannot_be_printed_is_not_shown_to_be_behaviour() -> None:
    unprinted = "java.lang.AssertionError (printing its trace threw java.lang.OutOfMemoryError)"
    run = MethodRun(Outcome.ASSERTION_FAILED, "java.lang.AssertionError", "a", trace=unprinted)
    assert discrimination(run, TEST) is Discrimination.MISSING_CLASS
