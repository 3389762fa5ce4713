"""Control submissions hold what they say."""

import pytest

from testevo.config.model import CONTROLS
from testevo.java.syntax import parse_java
from testevo.packaging.start_states.controls import control_edits, sabotage_bodies
from testevo.packaging.start_states.minimal_tests import ASSERTIONS, BODIES
from testevo.packaging.start_states.sabotage import KINDS, SabotageKind, kind_of, sabotage_body
from testevo.packaging.start_states.start_state import TargetFile, target_methods, without_targets
from testevo.records.methods import Span, TestKey
from testevo.records.tasks import Task, Track
from tests.made_tasks import made_evidence, made_task

JUNIT4 = """package p;

import static org.junit.Assert.*;
import org.junit.*;

public class ATest {
    @Before public void prepare() { }

    @Test(expected = AssertionError.class)
    public void first() { fail(); }

    @Test public void other() { }

    /** Nested. */
    public static class Inner { @Test public void second() { assertEquals(1, 1); } }
}
"""
JUPITER = """package p;

import org.junit.jupiter.api.*;
import org.junit.jupiter.params.*;
import org.junit.jupiter.params.provider.*;

class ATest {
    @ParameterizedTest @ValueSource(ints = {1, 2}) void first(int a) { }

    @ParameterizedTest @ValueSource(strings = {"{"}) void first(String b) { }

    @Nested class Inner { @Test void second() { Assertions.assertEquals(1, 1); } }
}
"""
COMPOSED = """package p;

import static org.junit.jupiter.api.Assertions.*;

class ATest { @Fast void first() { fail(); } }
"""
JUNIT3 = """package p;

public class ATest extends junit.framework.TestCase {
    public void testFirst() { assertEquals(1, 1); }
}
"""


def task_of(gold: str, *names: str, track: Track = Track.UPDATE) -> Task:
    """A task whose targets are the methods of `gold` with these names."""
    methods = [method for method in parse_java(gold.encode(), "p/ATest.java").methods if method.key.name in names]
    evidence = tuple(
        made_evidence(TestKey(module="", path="p/ATest.java", **method.key.model_dump()), new_span=method.span)
        for method in methods
    )
    return made_task(evidence, track=track, test_file="p/ATest.java", old_test_file="p/ATest.java")


def handed_in(control: str, gold: str, *names: str, track: Track = Track.UPDATE, start: bytes | None = b"start") -> str:
    task = task_of(gold, *names, track=track)
    edit = control_edits(control, [task], lambda _: TargetFile("p/ATest.java", start, gold.encode()))[0]
    assert (edit.system, edit.task_id, edit.applied_by) == (control, "t", "control")
    assert edit.content is not None, edit.defects
    return edit.content.decode()


def test_each_control_has_one_edit_for_each_task() -> None:
    tasks = [task_of(JUNIT4, "first"), task_of(JUNIT4, "second")]
    for control in CONTROLS:
        edits = control_edits(control, tasks, lambda task: TargetFile("p/ATest.java", b"", JUNIT4.encode()))
        assert [edit.task_id for edit in edits] == ["t", "t"]
        assert [edit.system for edit in edits] == [control] * 2
    with pytest.raises(ValueError, match="not a control"):
        control_edits("golden", tasks, lambda task: TargetFile("", None, b""))


def test_gold_is_the_developer_s_file_and_unchanged_is_the_start_state() -> None:
    assert handed_in("gold", JUNIT4, "first") == JUNIT4
    assert handed_in("unchanged", JUNIT4, "first") == "start"
    lacking = without_targets(task_of(JUNIT4, "first"), JUNIT4.encode())
    assert b"first" not in lacking
    assert handed_in("unchanged", JUNIT4, "first", track=Track.GENERATION, start=lacking) == lacking.decode()


@pytest.mark.parametrize(
    "before",
    [
        'void uses() { map("/api/*", 1); }\n    void more() { }\n    ',
        "// maps /api/* and more\n    void uses() { }\n    ",
        "/* a */ void uses() { char c = '\"'; }\n    // of `uses`\n    void more() { } // behind code\n    ",
        'void uses() { String s = """\n        "/*" // */ \\"""\n        """; }\n    ',
    ],
)
@pytest.mark.parametrize("comment", ["", "/** Why. */\n    ", "// one\n    /* two */\n    // three\n    "])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_only_the_comments_right_before_a_target_go_with_it(before: str, comment: str, line_end: str) -> None:
    """What opens a comment in a string or in another comment costs the code behind it nothing."""
    head, target = f"class ATest {{\n    {before}", "@Test\n    public void first() { }"
    gold = f"{head}{comment}{target}\n}}\n".replace("\n", line_end)
    left = (head.rstrip(" ") + "}\n").replace("\n", line_end)
    assert without_targets(task_of(gold, "first"), gold.encode()).decode() == left


@pytest.mark.parametrize(
    ("behind", "left"),
    [
        (' // expects "a!"\n', ""),
        (" /* one */ // two\n", ""),
        (" /* one\n    line more */  \n", ""),
        ("\n    // of `uses`\n", "    // of `uses`\n"),
        (" // one\r\n    // of `uses`\n", "    // of `uses`\n"),
        (" /* one */ void more() { } // of `more`\n", "void more() { } // of `more`\n"),
    ],
)
def test_comments_that_begin_on_the_last_line_of_a_target_go_with_it(behind: str, left: str) -> None:
    head, target, tail = "class ATest {\n", "    @Test\n    public void first() { }", "    void uses() { }\n}\n"
    gold = f"{head}{target}{behind}{tail}"
    assert without_targets(task_of(gold, "first"), gold.encode()).decode() == f"{head}{left}{tail}"


ONE_LINE = """class ATest {
    @Test void first() { one(); } @Test void other() { two(); } @Test void first(int n) { three(n); }
}
class BTest { @Test void first() { four(); } } class CTest { @Test void first() { five(); } }
"""


@pytest.mark.parametrize(
    ("type_name", "parameters", "line", "gone"),
    [
        ("ATest", (), 2, "{ one(); }"),
        ("ATest", ("int",), 2, "{ three(n); }"),
        ("OfATest", (), 2, "{ one(); }"),
        ("BTest", (), 4, "{ four(); }"),
        ("CTest", (), 4, "{ five(); }"),
    ],
)
def test_targets_are_told_from_other_methods_of_their_line(
    type_name: str, parameters: tuple[str, ...], line: int, gone: str
) -> None:
    """By name and parameters, and then by the class, which for an inherited test is another one."""
    task = task_at(type_name, "first", parameters, line)
    left = without_targets(task, ONE_LINE.encode()).decode()
    assert gone not in left and left.count("();") + left.count("(n);") == 4


@pytest.mark.parametrize(("name", "line"), [("first", 4), ("third", 2)])
def test_a_target_that_cannot_be_told_is_refused(name: str, line: int) -> None:
    with pytest.raises(ValueError, match=rf"t: .*OfBTest#{name}\(\) not found where the task says"):
        without_targets(task_at("OfBTest", name, (), line), ONE_LINE.encode())


def task_at(type_name: str, name: str, parameters: tuple[str, ...], line: int) -> Task:
    test = TestKey(module="", path="p/ATest.java", type_name=type_name, name=name, parameters=parameters)
    return made_task((made_evidence(test, new_span=Span(first_line=line, last_line=line)),), test_file="p/ATest.java")


def inherited_by(gold: str, name: str, *types: str) -> Task:
    """A task whose only method runs in several classes, each of which has a target of its own."""
    [of] = task_of(gold, name).tests
    tests = (of.model_copy(update={"test": of.test.model_copy(update={"type_name": type_})}) for type_ in types)
    return made_task(tuple(tests), track=Track.GENERATION, test_file="p/ATest.java", old_test_file="p/ATest.java")


def test_a_target_that_runs_in_two_classes_is_taken_out_once() -> None:
    task = inherited_by(JUNIT4, "other", "p.OneTest", "p.TwoTest")
    start = without_targets(task, JUNIT4.encode())
    assert start == without_targets(task_of(JUNIT4, "other"), JUNIT4.encode())
    assert start.decode() == JUNIT4.replace("    @Test public void other() { }\n", "")


@pytest.mark.parametrize("control", ["broken", "sabotage"])
def test_a_target_that_runs_in_two_classes_has_one_body(control: str) -> None:
    task = inherited_by(JUNIT4, "other", "p.OneTest", "p.TwoTest")
    edit = control_edits(control, [task], lambda _: TargetFile("p/ATest.java", None, JUNIT4.encode()))[0]
    assert edit.content is not None
    file = parse_java(edit.content, "p/ATest.java")
    assert not file.has_errors
    assert [method.key.name for method in file.methods] == ["prepare", "first", "other", "second"]
    rest = JUNIT4.split("@Test public void other() { }")
    assert edit.content.decode().startswith(rest[0]) and edit.content.decode().endswith(rest[1])


def test_nothing_is_handed_in_by_empty_nor_where_there_is_no_start_state() -> None:
    for control in ("empty", "unchanged"):
        task = task_of(JUNIT4, "first")
        edit = control_edits(control, [task], lambda _: TargetFile("p/ATest.java", None, b""))[0]
        assert edit.content is None
        assert edit.defects[0].fatal


@pytest.mark.parametrize(
    ("gold", "names", "expected"),
    [
        (
            JUNIT4,
            ("first", "second"),
            """package p;

public class ATest {
@org.junit.Test public void first() { org.junit.Assert.assertTrue(true); }
public static class Inner {
@org.junit.Test public void second() { org.junit.Assert.assertTrue(true); }
}
}
""",
        ),
        (
            JUPITER,
            ("first", "second"),
            """package p;

class ATest {
@org.junit.jupiter.api.Test public void first() { org.junit.jupiter.api.Assertions.assertTrue(true); }
@org.junit.jupiter.api.Nested class Inner {
@org.junit.jupiter.api.Test public void second() { org.junit.jupiter.api.Assertions.assertTrue(true); }
}
}
""",
        ),
        (
            COMPOSED,
            ("first",),
            """package p;

class ATest {
@org.junit.jupiter.api.Test public void first() { org.junit.jupiter.api.Assertions.assertTrue(true); }
}
""",
        ),
        (
            JUNIT3,
            ("testFirst",),
            """package p;

public class ATest extends junit.framework.TestCase {
public void testFirst() { junit.framework.Assert.assertTrue(true); }
}
""",
        ),
    ],
)
def test_trivial_depends_on_nothing_but_junit(gold: str, names: tuple[str, ...], expected: str) -> None:
    text = handed_in("trivial", gold, *names)
    junit = next(name for name in ASSERTIONS.values() if name in expected)
    for body in BODIES.values():
        text = text.replace(body.format(junit), BODIES["trivial"].format(junit))
    assert text == expected


@pytest.mark.parametrize("junit", ASSERTIONS.values())
@pytest.mark.parametrize("kind", BODIES)
def test_what_trivial_does_is_java_without_imports(kind: str, junit: str) -> None:
    body = BODIES[kind].format(junit)
    assert not parse_java(f"class A {{ void m() {{ {body} }} }}".encode(), "A.java").has_errors


def test_methods_of_trivial_take_turns() -> None:
    text = handed_in("trivial", JUNIT4, "first", "second")
    assert sum(body.format("org.junit.Assert") in text for body in BODIES.values()) == 2


@pytest.mark.parametrize("control", ["broken", "sabotage"])
@pytest.mark.parametrize("gold", [JUNIT4, JUPITER, JUNIT3])
def test_broken_and_sabotage_keep_the_rest_of_the_developer_s_file(control: str, gold: str) -> None:
    """A target that expects an error would take a failing sabotage for a success: annotations go, too."""
    text = handed_in(control, gold, "first", "second", "testFirst")
    file = parse_java(text.encode(), "p/ATest.java")
    assert not file.has_errors
    before = {method.key.name for method in parse_java(gold.encode(), "p/ATest.java").methods}
    assert {method.key.name for method in file.methods if method.key.type_name.startswith("p.ATest")} >= before
    assert "expected =" not in text
    assert text.startswith(gold.split("\n\n", 1)[0])
    assert all(method.key.parameters == () for method in file.methods if method.key.name == "first")
    assert len([method for method in file.methods if method.key.name == "first"]) <= 1


@pytest.mark.parametrize("control", ["broken", "sabotage"])
def test_a_provider_of_the_name_of_its_target_makes_way(control: str) -> None:
    """The method that is handed in has no parameters, either: the compiler would refuse both."""
    test = "@ParameterizedTest @MethodSource void adds(int n) { }"
    gold = f"package p;\n\nclass ATest {{\n    static Object adds() {{ return 1; }}\n    {test}\n}}\n"
    edit = control_edits(
        control, [task_at("p.ATest", "adds", ("int",), 5)], lambda _: TargetFile("p/ATest.java", None, gold.encode())
    )[0]
    assert edit.content is not None
    [method] = [one for one in parse_java(edit.content, "p/ATest.java").methods if one.key.name == "adds"]
    assert (method.annotations, method.key.parameters) == (("org.junit.jupiter.api.Test",), ())


def test_kinds_take_turns_within_a_task_and_depend_on_nothing_else() -> None:
    task = task_of(JUNIT4, "first", "second")
    kinds = [kind_of(task, position) for position in range(len(KINDS))]
    assert sorted(kinds) == sorted(KINDS)
    assert [kind_of(task, position) for position in range(len(KINDS))] == kinds
    assert all(f"sabotage: {kind.value}" in body for kind, body in zip(kinds, sabotage_bodies(task), strict=False))


@pytest.mark.parametrize("kind", SabotageKind, ids=lambda kind: kind.value)
def test_a_sabotage_names_its_kind_and_ends_by_failing(kind: SabotageKind) -> None:
    body = sabotage_body(kind, "p.ATest", "first")
    assert body.rstrip().endswith(f'throw new java.lang.AssertionError("sabotage: {kind.value}");')
    assert "@TYPE@" not in body
    assert not parse_java(f"class A {{ void m() {{ {body} }} }}".encode(), "A.java").has_errors


def test_targets_are_found_again_in_what_controls_hand_in() -> None:
    """By class and name, which is how the grader looks for them."""
    task = task_of(JUPITER, "first", "second")
    wanted = {(method.key.type_name, method.key.name) for method in target_methods(task, JUPITER.encode())}
    for control in ("trivial", "broken", "sabotage"):
        methods = parse_java(handed_in(control, JUPITER, "first", "second").encode(), "p/ATest.java").methods
        assert wanted <= {(method.key.type_name, method.key.name) for method in methods}
