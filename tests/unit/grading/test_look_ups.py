"""A test that asks for what only the new code has, by its name, says nothing of what the old code does."""

import pytest
from counter_revisions import COUNTER, TEST
from tiny_revisions import MAIN, Files, MakeWorkspace, dependency, grade, make, task_of, worker

from testevo.execution.runner import MethodRun
from testevo.grading.verdicts.code_classes import CodeClasses
from testevo.grading.verdicts.discrimination import discrimination
from testevo.records.evaluation.grading import Discrimination
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome

__all__ = ["make", "worker"]

MODE = """package a;

public enum Mode {
    FAST%s;

    public static Mode of(String name) {
        return valueOf(name.toUpperCase());
    }
}
"""
OLD_COUNTER = """package a;

public class Counter {
    private int last;

    public int next(int last) {
        return last;
    }

    public static Object call(String name) throws Exception {
        return Counter.class.getMethod(name).invoke(new Counter());
    }

    public static Object plugin() throws Exception {
        return Counter.class.getMethod("plugin", int.class);
    }

    public static int parsed(String mode) {
        return Mode.of(mode).ordinal();
    }

    public static Object made() throws Exception {
        return Number.class.getDeclaredConstructor().newInstance();
    }
}
"""
NEW_COUNTER = """package a;

public class Counter implements java.util.function.IntSupplier {
    public int last;

    public int next(int last) {
        return last + 1;
    }

    public int getLast() {
        return last;
    }

    public int getAsInt() {
        return last;
    }

    public static Object call(String name) throws Exception {
        return Counter.class.getMethod(name).invoke(new Counter());
    }

    public static Object plugin() {
        return "plugin";
    }

    public static int parsed(String mode) {
        return mode.equals("other") ? 7 : Mode.of(mode).ordinal();
    }

    public static Object made() throws Exception {
        return 1;
    }
}
"""
BASE = "package a;\n\npublic %s class Base {\n    %s Base() {\n    }\n}\n"
OLD: Files = {
    COUNTER: OLD_COUNTER,
    f"{MAIN}/a/Mode.java": MODE % "",
    f"{MAIN}/a/Base.java": BASE % ("abstract", "public"),
}
NEW: Files = {COUNTER: NEW_COUNTER, f"{MAIN}/a/Mode.java": MODE % ", NEW", f"{MAIN}/a/Base.java": BASE % ("", "public")}
LOOK_UPS = {
    "enumConstant": 'assertEquals(1, Mode.valueOf("NEW").ordinal());',
    "enumConstantOfClass": 'assertEquals(1, Enum.valueOf(Mode.class, "NEW").ordinal());',
    "enumConstantInAFailure": 'try { Mode.valueOf("NEW"); }'
    " catch (RuntimeException e) { throw new AssertionError(e); }",
    "unreachable": 'assertEquals(0, Counter.class.getDeclaredField("last").get(new Counter()));',
    "unmade": "assertNotNull(Base.class.getConstructor().newInstance());",
    "wrapped": 'try { Counter.class.getMethod("getLast"); }'
    " catch (Exception e) { throw new IllegalStateException(new java.io.IOException(e)); }",
    "throughTheProject": 'assertEquals(0, Counter.call("getLast"));',
    "property": 'new java.beans.PropertyDescriptor("last", Counter.class, "getLast", null);',
    "handle": 'java.lang.invoke.MethodHandles.lookup().findVirtual(Counter.class, "getLast",'
    " java.lang.invoke.MethodType.methodType(int.class));",
}
HONEST = {
    "parsesANewConstant": 'assertEquals(1, Counter.parsed("new"));',
    "parses": 'assertEquals(7, Counter.parsed("other"));',
    "plugs": 'assertEquals("plugin", Counter.plugin());',
    "makes": "assertEquals(1, Counter.made());",
    "makesInAFailure": "try { assertEquals(1, Counter.made()); }"
    " catch (ReflectiveOperationException e) { throw new AssertionError(e); }",
    "counts": "assertEquals(2, new Counter().next(1));",
}


def file_of(methods: dict[str, str]) -> str:
    tests = "".join(f"    @Test public void {name}() throws Exception {{ {body} }}\n" for name, body in methods.items())
    imports = "import static org.junit.Assert.*;\nimport org.junit.Test;\n"
    return f"package a;\n{imports}public class CounterTest {{\n{tests}}}\n"


def test_a_look_up_by_the_jdk_of_what_only_the_new_code_has_is_no_behaviour_and_what_the_project_does_is(
    make: MakeWorkspace,
) -> None:
    content = file_of(LOOK_UPS | HONEST)
    new = NEW | {TEST: content}
    names = [*LOOK_UPS, *HONEST]
    task = task_of(new, TEST, names, [dependency(new, COUNTER, "next")])
    done = grade(make(OLD, new, coverage=False), task, content)
    kinds = {method.test.name: method.discrimination for method in done.methods}
    assert {name for name in names if kinds[name] is Discrimination.MISSING_CLASS} == set(LOOK_UPS)
    assert {kinds[name] for name in HONEST} <= {Discrimination.ASSERTION, Discrimination.EXCEPTION}


COUNTER_TEST = TestKey(module="", path=TEST, type_name="a.CounterTest", name="counts")
CLASSES = CodeClasses(is_production="a.Counter".__eq__)
BY_TEST = "\tat org.lib.Beans.get(Beans.java:3)\n\tat a.CounterTest.counts(CounterTest.java:8)"
BY_PROJECT = f"\tat org.lib.Beans.get(Beans.java:3)\n\tat a.Counter.load(Counter.java:8)\n{BY_TEST}"
BY_LIBRARIES = {
    "AssertJ's extracting": (
        "org.assertj.core.util.introspection.IntrospectionError",
        "\nCan't find any field or property with name 'last'.\nError when introspecting properties was :\n- No getter",
    ),
    "AssertJ's fields": (
        "java.lang.AssertionError",
        '\nExpecting\n  a.C@1\nto have a property or a field named "last"',
    ),
    "AssertJ's methods": (
        "java.lang.AssertionError",
        '\nExpecting\n  a.C\nto have public methods:\n  ["last"]\nbut could not find:\n  ["last"]',
    ),
    "Hamcrest's property": (
        "java.lang.AssertionError",
        '\nExpected: hasProperty("last")\n     but: no "last" in <a.C@1>',
    ),
    "Hamcrest's value": (
        "java.lang.AssertionError",
        'of it\nExpected: hasProperty("last", <1>)\n     but: No property "last"',
    ),
    "Spring's property": ("org.springframework.beans.NotReadablePropertyException", "Invalid property 'last' of a.C"),
    "Spring's field": ("java.lang.IllegalArgumentException", "Could not find field 'last' on target object of a.C"),
    "Commons Lang's field": ("java.lang.IllegalArgumentException", "Cannot locate field last on class a.C"),
    "other parameters": ("java.lang.IllegalArgumentException", "wrong number of arguments: 2 expected: 1"),
}
SAYS_SO = {
    "an expected text": (
        "java.lang.AssertionError",
        '\nExpected: "no \\"last\\" in it"\n     but: was "no \\"last\\""',
    ),
    "another value": (
        "java.lang.AssertionError",
        '\nExpected: hasProperty("last", <1>)\n     but: property "last" was <2>',
    ),
    "a size": ("java.lang.AssertionError", "\nExpecting\n  [1]\nto have size:\n  2"),
    "an argument": ("java.lang.IllegalArgumentException", "no field for 3"),
}


def kind_of(name: str, said: str, frames: str) -> Discrimination:
    run = MethodRun(Outcome.ASSERTION_FAILED, name, said, trace=f"{name}: {said}\n{frames}\n")
    return discrimination(run, COUNTER_TEST, None, CLASSES)


@pytest.mark.parametrize("case", BY_LIBRARIES)
def test_a_look_up_by_a_library_is_no_behaviour_where_the_test_asks(case: str) -> None:
    name, said = BY_LIBRARIES[case]
    assert kind_of(name, said, BY_TEST) is Discrimination.MISSING_CLASS
    assert kind_of(name, said, BY_PROJECT) is Discrimination.ASSERTION


@pytest.mark.parametrize("case", SAYS_SO)
def test_a_failure_that_speaks_of_a_value_is_behaviour(case: str) -> None:
    assert kind_of(*SAYS_SO[case], BY_TEST) is Discrimination.ASSERTION
