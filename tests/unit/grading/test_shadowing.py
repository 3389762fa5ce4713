"""Members in reserve, by which the compiler tells the old code from the new, and honest classes of tests."""

import pytest
from counter_revisions import COUNTER, TEST
from tiny_revisions import MAIN, Files, MakeWorkspace, dependency, grade, make, task_of, worker

from testevo.records.evaluation.predictions import DefectKind

__all__ = ["make", "worker"]

OLD_COUNTER = """package a;

public class Counter implements Shape<Integer> {
    public int next(int last) {
        return last;
    }

    public int sized(Integer size) {
        return size;
    }

    public static int doubled(Object last) {
        return 0;
    }
}
"""
NEW_COUNTER = """package a;

public class Counter implements Shape<Integer> {
    public static final int LIMIT = 9;
    private int total;

    public int next(int last) {
        return last + 1;
    }

    public int next(int last, int step) {
        return last + step;
    }

    public int after(int last) {
        return next(last);
    }

    public int sized(Integer size) {
        return size;
    }

    public static int doubled(Object last) {
        return 0;
    }

    public static int tripled(int last) {
        return 3 * last;
    }
}
"""
SHAPE = "package a;\n\npublic interface Shape<T> {\n    int sized(T size);\n%s}\n"
EXTRA = "package a;\n\npublic class Extra {\n    public int one() {\n        return 1;\n    }\n}\n"
OLD: Files = {COUNTER: OLD_COUNTER, f"{MAIN}/a/Shape.java": SHAPE % ""}
NEW: Files = {
    COUNTER: NEW_COUNTER,
    f"{MAIN}/a/Shape.java": SHAPE % "    default int sides() {\n        return 4;\n    }\n",
    f"{MAIN}/a/Extra.java": EXTRA,
}
FILE = """package a;

%s
import org.junit.Assert;
import org.junit.Test;

public class CounterTest {
    @Test public void counts() {
        %s
    }
    %s
}
"""
RESERVES = {
    "an overload of a subclass": (
        "",
        "Assert.assertEquals(2, new Own().after(1));",
        "static class Own extends Counter { int after(Object... all) { return -1; } }",
        "a.CounterTest$Own.after",
    ),
    "an overload of an anonymous class": (
        "",
        "Assert.assertEquals(2, new Counter() {"
        " int after(long one) { return -1; } int run() { return after(1); } }.run());",
        "",
        "a.CounterTest$1.after",
    ),
    "a new overload of an old name": (
        "",
        "Assert.assertEquals(3, new Own().next(1, 2));",
        "static class Own extends Counter { int next(Object... all) { return -1; } }",
        "a.CounterTest$Own.next",
    ),
    "a default method": (
        "",
        "Assert.assertEquals(2, new Own().after(1));",
        "interface Reserve { default int after(int last) { return -1; } }\n"
        "    static class Own extends Counter implements Reserve { }",
        "a.CounterTest$Reserve.after",
    ),
    "a method around a subclass": (
        "",
        "Assert.assertEquals(2, new Own().run());",
        "static int after(int last) { return -1; }\n"
        "    static class Own extends Counter { int run() { return after(1); } }",
        "a.CounterTest.after",
    ),
    "a field around a subclass": (
        "",
        "Assert.assertEquals(9, new Own().run());",
        "static final int LIMIT = 1;\n    static class Own extends Counter { int run() { return LIMIT; } }",
        "a.CounterTest.LIMIT",
    ),
    "a method imported on demand": (
        "import static a.Counter.*;\nimport static a.CounterTest.Reserve.*;",
        "Assert.assertEquals(6, Own.run());",
        "static class Reserve { static int tripled(Object last) { return -1; } }\n"
        "    static class Own { static int run() { return tripled(2); } }",
        "a.CounterTest$Reserve.tripled",
    ),
    "a type imported on demand": (
        "import a.Reserve.*;",
        "Assert.assertEquals(1, new Extra().one());",
        "}\nclass Reserve {\n    static class Extra { int one() { return -1; } }",
        "a.Reserve$Extra",
    ),
}
COUNTS = "Assert.assertEquals(2, new Counter().next(1));"
HONEST = {
    "no class of its own": "",
    "a subclass that overrides": "static class Own extends Counter { public int next(int last) { return 7; } }",
    "a stub of the new interface": "static class Own implements Shape<String> {"
    " public int sized(String size) { return 1; } public int sides() { return 3; } }",
    "a stub of the new class": "static class Own extends Counter { public int after(int last) { return 7; } }",
    "a helper of another class": "static class Own { int after(Object... all) { return 1; } }",
    "a test of that name": "@Test public void after() { new Counter() { }; }",
    "a field of the name of a private one": "int total = new Counter() { }.next(1);",
    "helpers": "static int nextOf(Counter counter) { return counter.next(1); }"
    " static class Own extends Counter { int twice(int last) { return next(next(last)); } }",
}


def reserves(make: MakeWorkspace, content: str) -> tuple[bool, list[str]]:
    """Whether the test is behavioural, and the messages of the defect."""
    new = NEW | {TEST: content}
    task = task_of(new, TEST, ["counts"], [dependency(new, COUNTER, "next")])
    done = grade(make(OLD, new, coverage=False), task, content)
    (result,) = done.methods
    found = [defect.message for defect in done.defects if defect.kind is DefectKind.HAS_RESERVES]
    return result.discrimination is not None and result.discrimination.behavioural, found


@pytest.mark.parametrize("case", RESERVES)
def test_members_that_stand_in_for_new_ones_are_named(make: MakeWorkspace, case: str) -> None:
    imports, body, more, name = RESERVES[case]
    behavioural, found = reserves(make, FILE % (imports, body, more))
    assert behavioural
    assert len(found) == 1 and f"declares {name}, which" in found[0]


@pytest.mark.parametrize("case", HONEST)
def test_classes_of_honest_tests_have_nothing_in_reserve(make: MakeWorkspace, case: str) -> None:
    assert reserves(make, FILE % ("", COUNTS, HONEST[case])) == (True, [])


def test_a_file_of_more_classes_than_people_write_is_named_without_being_compared(make: MakeWorkspace) -> None:
    classes = "\n".join(f"    class Own{number} {{ }}" for number in range(1001))
    behavioural, (said,) = reserves(make, FILE % ("", COUNTS, classes))
    assert behavioural and "more than 1000 classes" in said
