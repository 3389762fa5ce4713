"""Two revisions of a counter with one target test, for grading edits of that test."""

from collections.abc import Sequence

from tiny_revisions import MAIN, TESTS, Files, MakeWorkspace, TinyWorkspace, dependency, grade, task_of

from testevo.records.evaluation.grading import GradedTask, MethodResult
from testevo.records.tasks import Track

COUNTER = f"{MAIN}/a/Counter.java"
TEST = f"{TESTS}/a/CounterTest.java"
OLD_COUNTER = """package a;

public class Counter {
    public int next(int last) {
        if (last == 7) {
            throw new IllegalStateException("seven");
        }
        if (last == 8) {
            System.exit(0);
        }
        return last;
    }

    public int version() {
        return 1;
    }
}
"""
NEW_COUNTER = """package a;

public class Counter {
    public int next(int last) {
        return last + 1;
    }

    public int after(int last) {
        return next(last);
    }

    public int version() {
        return 2;
    }
}
"""
EXTRA = "package a;\n\npublic class Extra {\n}\n"
HEAD = """package a;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import org.junit.Test;

public class CounterTest {
"""


def file_of(*methods: str, head: str = HEAD) -> str:
    return head + "\n".join(f"    @Test\n    public void {method}\n" for method in methods) + "}\n"


COUNTS = "counts() { assertEquals(2, new Counter().next(1)); }"
OTHER = "other() { assertTrue(true); }"
GOLD = file_of(COUNTS, OTHER)
OLD_FILES: Files = {COUNTER: OLD_COUNTER}
NEW_FILES: Files = {COUNTER: NEW_COUNTER, f"{MAIN}/a/Extra.java": EXTRA, TEST: GOLD}
TASK = task_of(NEW_FILES, TEST, ["counts"], [dependency(NEW_FILES, COUNTER, "next")])
"""To test how the counter counts."""


def graded(
    make: MakeWorkspace,
    content: str | None,
    names: Sequence[str] = ("counts",),
    track: Track = Track.GENERATION,
    old: Files = OLD_FILES,
    **more: object,
) -> tuple[GradedTask, TinyWorkspace]:
    workspace = make(old, NEW_FILES)
    task = task_of(NEW_FILES, TEST, names, [dependency(NEW_FILES, COUNTER, "next")], track, **more)  # type: ignore[arg-type]
    return grade(workspace, task, content), workspace


def only(done: tuple[GradedTask, TinyWorkspace]) -> MethodResult:
    (method,) = done[0].methods
    return method
