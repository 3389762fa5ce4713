"""A test is dropped when something that it reaches in the test tree changed with it, however indirectly."""

from pathlib import Path

import pytest
from mined_texts import Tree, mine

from testevo.records.labels import DropReason, LabelKind

CODE = "src/main/java/p/Code.java"
BASE, TEST, HELPER = (f"src/test/java/p/{name}.java" for name in ("BaseTest", "ATest", "Helper"))
EXPECTED = "src/test/resources/data/expected.json"
METHODS = "public static int m0() {{ return {0}; }}\n    public static int m1() {{ return 0; }}"


def code(value: int) -> Tree:
    return {CODE: f"package p; public class Code {{\n    {METHODS.format(value)}\n}}\n"}


def type_(declaration: str, *members: str) -> str:
    body = "".join(f"    {member}\n" for member in members)
    return f"package p;\n\nimport org.junit.*;\nimport static p.Helper.*;\n\n{declaration} {{\n{body}}}\n"


def works(text: str = "", annotation: str = "@Test") -> str:
    return f"{annotation} public void works() {{ Code.m0(); {text} }}"


def a_test(text: str = "", *members: str, extends: str = "") -> Tree:
    return {TEST: type_(f"public class ATest{extends and ' extends '}{extends}", works(text), *members)}


def helper(*members: str) -> Tree:
    return {HELPER: type_("class Helper", *members)}


def base(*members: str, extends: str = "") -> Tree:
    return {BASE: type_(f"abstract class BaseTest{extends and ' extends '}{extends}", *members)}


APPLICATION = "src/test/resources/application-test.properties"
SET_UP = "@Before public void prepare() {{ {} }}"
DATA = "static Object rows() {{ return {}; }}"
ROWS = '@org.junit.jupiter.params.ParameterizedTest @org.junit.jupiter.params.provider.MethodSource("rows")'
FIELD = '@org.junit.jupiter.params.ParameterizedTest @org.junit.jupiter.params.provider.FieldSource("rows")'
PROVIDED = (
    "static Object more() {{ return 1; }}\n    @org.junit.jupiter.params.ParameterizedTest "
    "@org.junit.jupiter.params.provider.MethodSource public void more(int n) {{ {} }}"
)
SIZED, LEVEL = (f"src/test/java/p/{name}.java" for name in ("Sized", "Level"))
FIXTURE = "package p;\n{}\nabstract class BaseTest {{ @org.junit.Before public void prepare() {{ start(); }} }}"
NAMED = "package p;\nimport {};\nclass Helper {}"
SIZES = "package p; @interface Sized {{ int max() default {}; }}"
CHANGES: dict[str, tuple[Tree, Tree, str]] = {
    "a new constructor": (
        {**a_test("new Helper();"), **helper("Helper() { }")},
        {**a_test("new Helper(1);"), **helper("Helper() { }", "Helper(int n) { }")},
        "p.Helper#<init>(int)",
    ),
    "a constructor by reference": (
        {**a_test("use(Helper::new);"), **helper("Helper() { }")},
        {**a_test("use(Helper::new);"), **helper("Helper() { Code.m1(); }")},
        "p.Helper#<init>()",
    ),
    "a fixture of the base class": (
        {**a_test(extends="BaseTest"), **base(SET_UP.format(""))},
        {**a_test(extends="BaseTest"), **base(SET_UP.format("Code.m1();"))},
        "p.BaseTest#prepare()",
    ),
    "a fixture that the base class gains": (
        {**a_test(extends="BaseTest"), **base()},
        {**a_test(extends="BaseTest"), **base(SET_UP.format(""))},
        "p.BaseTest#prepare()",
    ),
    "a fixture that the base class loses": (
        {**a_test(extends="BaseTest"), **base(SET_UP.format(""))},
        {**a_test(extends="BaseTest"), **base()},
        "p.BaseTest#prepare()",
    ),
    "a method that becomes a fixture": (
        a_test("", "public void prepare() { }"),
        a_test("", SET_UP.format("")),
        "p.ATest#prepare()",
    ),
    "another base class": (
        {**a_test(), **base(SET_UP.format(""))},
        {**a_test(extends="BaseTest"), **base(SET_UP.format(""))},
        "p.ATest",
    ),
    "what a fixture calls": (
        {
            **a_test("", SET_UP.format("fill(1);")),
            **helper("static void fill(int n) { deep(); }", "static void deep() { }"),
        },
        {
            **a_test("", SET_UP.format("fill(1);")),
            **helper("static void fill(int n) { deep(); }", "static void deep() { Code.m1(); }"),
        },
        "p.Helper#deep()",
    ),
    "a field that the test names": (
        a_test("use(limit);", "private int limit = 1;"),
        a_test("use(limit);", "private int limit = 2;"),
        "p.ATest#limit",
    ),
    "a rule that works unnamed": (
        a_test("", "@Rule public Object rule = first();"),
        a_test("", "@Rule public Object rule = second();"),
        "p.ATest#rule",
    ),
    "a static initialiser": (a_test("", "static { Code.m1(); }"), a_test("", "static { }"), "p.ATest#initialiser 1"),
    "the provider of arguments": (
        {TEST: type_("public class ATest", works(annotation=ROWS), DATA.format(1))},
        {TEST: type_("public class ATest", works(annotation=ROWS), DATA.format(2))},
        "p.ATest#rows()",
    ),
    "data of a parameterised class": (
        a_test("", "@Parameters public static Object data() { return 1; }"),
        a_test("", "@Parameters public static Object data() { return 2; }"),
        "p.ATest#data()",
    ),
    "what production code calls back": (
        {
            **a_test("use(new Helper());"),
            HELPER: type_("class Helper implements Clock", "public int now() { return 1; }"),
        },
        {
            **a_test("use(new Helper());"),
            HELPER: type_("class Helper implements Clock", "public int now() { return 2; }"),
        },
        "p.Helper#now()",
    ),
    "a resource that a literal names": (
        {**a_test('read("/data/expected.json");'), EXPECTED: "{}"},
        {**a_test('read("/data/expected.json");'), EXPECTED: "{1}"},
        EXPECTED,
    ),
    "a resource that a helper names": (
        {**a_test("load();"), **helper('static void load() { read("expected" + ENDING); }'), EXPECTED: "{}"},
        {**a_test("load();"), **helper('static void load() { read("expected" + ENDING); }'), EXPECTED: "{1}"},
        EXPECTED,
    ),
    "what production code calls back through a class between": (
        {
            **a_test("use(new Helper());"),
            BASE: type_("abstract class BaseTest implements Clock"),
            HELPER: type_("class Helper extends BaseTest", "public int now() { return 1; }"),
        },
        {
            **a_test("use(new Helper());"),
            BASE: type_("abstract class BaseTest implements Clock"),
            HELPER: type_("class Helper extends BaseTest", "public int now() { return 2; }"),
        },
        "p.Helper#now()",
    ),
    "a field that a provider of arguments names": (
        {TEST: type_("public class ATest", works(annotation=FIELD), "static Object rows = first();")},
        {TEST: type_("public class ATest", works(annotation=FIELD), "static Object rows = second();")},
        "p.ATest#rows",
    ),
    "a resource by its place on the class path": (
        {**a_test('read("classpath:data/expected.json");'), EXPECTED: "{}"},
        {**a_test('read("classpath:data/expected.json");'), EXPECTED: "{1}"},
        EXPECTED,
    ),
    "a resource in the folder of test classes": (
        {**a_test('read("target/test-classes/data/expected.json");'), EXPECTED: "{}"},
        {**a_test('read("target/test-classes/data/expected.json");'), EXPECTED: "{1}"},
        EXPECTED,
    ),
    "a resource that a framework looks for": (
        {**a_test(), APPLICATION: "a=1"},
        {**a_test(), APPLICATION: "a=2"},
        APPLICATION,
    ),
    "a configuration that Spring looks for": (
        a_test("", "@TestConfiguration static class Beans { @Bean Object clock() { return 1; } }"),
        a_test("", "@TestConfiguration static class Beans { @Bean Object clock() { return 2; } }"),
        "p.ATest$Beans#clock()",
    ),
    "a configuration of the base class": (
        {**a_test(extends="BaseTest"), **base("@Configuration static class Beans { @Bean int a() { return 1; } }")},
        {**a_test(extends="BaseTest"), **base("@Configuration static class Beans { @Bean int a() { return 2; } }")},
        "p.BaseTest$Beans#a()",
    ),
    "a test that it calls": (
        a_test("use(this::more);", "@Test public void more() { }"),
        a_test("use(this::more);", "@Test public void more() { Code.m1(); }"),
        "p.ATest#more()",
    ),
    "a test of the base class that it calls": (
        {**a_test("use(super::more);", extends="BaseTest"), **base("@Test public void more() { }")},
        {**a_test("use(super::more);", extends="BaseTest"), **base("@Test public void more() { Code.m1(); }")},
        "p.BaseTest#more()",
    ),
    "an annotation of the base class": (
        {**a_test(extends="BaseTest"), BASE: type_('@DefaultLocale("de") abstract class BaseTest')},
        {**a_test(extends="BaseTest"), BASE: type_('@DefaultLocale("fr") abstract class BaseTest')},
        "p.BaseTest",
    ),
    "the default of an annotation's element": (
        {TEST: type_("public class ATest", works(annotation="@Test @Sized")), SIZED: SIZES.format("1")},
        {TEST: type_("public class ATest", works(annotation="@Test @Sized")), SIZED: SIZES.format("2")},
        "p.Sized#max()",
    ),
    "the order of enum constants": (
        {**a_test("use(Level.LOW.ordinal());"), LEVEL: "package p; enum Level { LOW, HIGH }"},
        {**a_test("use(Level.LOW.ordinal());"), LEVEL: "package p; enum Level { HIGH, LOW }"},
        "p.Level",
    ),
    "what a fixture calls by an import": (
        {**a_test(extends="BaseTest"), BASE: FIXTURE.format("import static d.Slow.start;")},
        {**a_test(extends="BaseTest"), BASE: FIXTURE.format("import static d.Fast.start;")},
        "p.BaseTest#prepare()",
    ),
    "what a fixture calls by an import on demand": (
        {**a_test(extends="BaseTest"), BASE: FIXTURE.format("import static d.Slow.*;")},
        {**a_test(extends="BaseTest"), BASE: FIXTURE.format("import static d.Fast.*;")},
        "p.BaseTest#prepare()",
    ),
    "what a field is made of by an import": (
        {**a_test("use(Helper.clock);"), HELPER: NAMED.format("d.Clock", "{ static Object clock = new Clock(); }")},
        {**a_test("use(Helper.clock);"), HELPER: NAMED.format("e.Clock", "{ static Object clock = new Clock(); }")},
        "p.Helper#clock",
    ),
    "a super class by an import": (
        {**a_test("new Helper();"), HELPER: NAMED.format("d.Clock", "extends Clock { }")},
        {**a_test("new Helper();"), HELPER: NAMED.format("e.Clock", "extends Clock { }")},
        "p.Helper",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_beside_the_test_drops_it(change: str, tmp_path: Path) -> None:
    old, new, named = CHANGES[change]
    label = mine([{**code(1), **old}, {**code(2), **new}], tmp_path, "strict").label("ATest#works", "0", "1")
    assert (label.label, label.reason) == (LabelKind.NONE, DropReason.HELPER_CHANGED)
    assert named in (label.detail or "").split(", ")


READS = "package p; public class Code {{ {} public static int m0() {{ read({}); return {}; }} }}"
SAMPLES = "samples/data/expected.json"


def test_a_resource_that_the_build_takes_from_elsewhere_drops_a_test_that_reads_it(tmp_path: Path) -> None:
    trees = [{**code(value), **a_test('read("data/expected.json");'), SAMPLES: str(value)} for value in (1, 2)]
    label = mine(trees, tmp_path, "strict").label("ATest#works", "0", "1")
    assert (label.reason, label.detail) == (DropReason.HELPER_CHANGED, SAMPLES)


def test_a_resource_from_elsewhere_that_production_code_names_drops_a_test_that_enters_it(tmp_path: Path) -> None:
    named = [READS.format("", '"/data/expected.json"', value) for value in (1, 2)]
    trees = [{**a_test(), CODE: text, SAMPLES: text} for text in named]
    label = mine(trees, tmp_path, "strict").label("ATest#works", "0", "1")
    assert (label.reason, label.detail) == (DropReason.HELPER_CHANGED, SAMPLES)


OPENED = {
    "in one literal": ('read("testdata/a/in.json");', "testdata/a/in.json"),
    "in several": ('read("testdata", "a", "in.json");', "testdata/a/in.json"),
    "by its folders": ('all("./testdata/a");', "testdata/a/in.json"),
    "by a folder with a slash behind it": ('read("testdata/" + name);', "testdata/a/in.json"),
    "source code": ('compile("examples/p/Made.java");', "examples/p/Made.java"),
}


@pytest.mark.parametrize("form", OPENED)
def test_a_file_of_the_checkout_that_a_test_opens_drops_it(form: str, tmp_path: Path) -> None:
    text, path = OPENED[form]
    trees = [{**code(value), **a_test(text), path: f"class Made {{ int n = {value}; }}"} for value in (1, 2)]
    label = mine(trees, tmp_path, "strict").label("ATest#works", "0", "1")
    assert (label.reason, label.detail) == (DropReason.HELPER_CHANGED, path)


def test_a_new_file_of_a_module_that_a_new_test_opens_drops_it(tmp_path: Path) -> None:
    old = {f"core/{path}": text for path, text in {**code(1), "pom.xml": "<project/>"}.items()}
    test = a_test('read("testdata/in.json");')
    new = {f"core/{path}": text for path, text in {**code(2), **test, "testdata/in.json": "1"}.items()}
    label = mine([old, {**old, **new}], tmp_path, "strict").label("ATest#works", "0", "1")
    assert (label.reason, label.detail) == (DropReason.HELPER_CHANGED, "core/testdata/in.json")


NAMES: dict[str, tuple[str, str, str]] = {
    "on the class path": ("", '"/data/expected.json"', "data/expected.json"),
    "beside its class": ("", '"expected.json"', "p/expected.json"),
    "as a bundle": ("", '"expected"', "expected.properties"),
    "by a constant": ('static final String NAME = "/expected.json";', "NAME", "expected.json"),
}


def reading(value: int, constant: str, place: str, resource: str) -> Tree:
    """Production code reads what it finds among the resources of the tests."""
    named = f"src/test/resources/{resource}"
    return {**a_test(), CODE: READS.format(constant, place, value), named: str(value)}


@pytest.mark.parametrize("name", NAMES)
def test_a_resource_that_production_code_names_drops_a_test_that_enters_it(name: str, tmp_path: Path) -> None:
    trees = [reading(value, *NAMES[name]) for value in (1, 2)]
    label = mine(trees, tmp_path, "strict").label("ATest#works", "0", "1")
    assert (label.reason, label.detail) == (DropReason.HELPER_CHANGED, f"src/test/resources/{NAMES[name][2]}")


def test_a_resource_of_the_name_elsewhere_is_not_what_production_code_names(tmp_path: Path) -> None:
    trees = [reading(value, "", '"build.xml"', "project/build.xml") for value in (1, 2)]
    assert mine(trees, tmp_path, "strict").label("ATest#works", "0", "1").label is LabelKind.UNCHANGED


UNTOUCHED: dict[str, tuple[Tree, Tree]] = {
    "a helper that nobody calls": (helper("static void a() { }"), helper("static void a() { Code.m1(); }")),
    "text that compiles to the same": (
        {**a_test("new Helper();"), **helper("Helper() { }")},
        {**a_test("new Helper();"), **helper("/** None. */ Helper()   { }")},
    ),
    "a field that nobody names": (a_test("", "private int limit = 1;"), a_test("", "private int limit = 2;")),
    "a member type that nobody names": (
        a_test("", "@Data static class Other { int a() { return 1; } }"),
        a_test("", "@Data static class Other { int a() { return 2; } }"),
    ),
    "another test": (a_test("", "@Test public void more() { }"), a_test("", "@Test public void more() { Code.m1(); }")),
    "a test that is called like a method of production code": (
        a_test("use(code::more);", "@Test public void more() { }"),
        a_test("use(code::more);", "@Test public void more() { Code.m1(); }"),
    ),
    "a test whose provider has its name, called like a method of production code": (
        a_test("use(code::more);", PROVIDED.format("")),
        a_test("use(code::more);", PROVIDED.format("Code.m1();")),
    ),
    "an import that the fixture does not use": (
        {**a_test(extends="BaseTest"), BASE: FIXTURE.format("import static d.Slow.stop;")},
        {**a_test(extends="BaseTest"), BASE: FIXTURE.format("import static d.Fast.stop;")},
    ),
    "an import on demand instead of a single one": (
        {**a_test("use(Helper.clock);"), HELPER: NAMED.format("d.Clock", "{ static Object clock = new Clock(); }")},
        {**a_test("use(Helper.clock);"), HELPER: NAMED.format("d.*", "{ static Object clock = new Clock(); }")},
    ),
    "a file of the checkout of which a part is named": (
        {**a_test('read("testdata", "in.json");'), "testdata/a/in.json": "1"},
        {"testdata/a/in.json": "2"},
    ),
    "a file at the top that is named": ({**a_test('read("README.md");'), "README.md": "1"}, {"README.md": "2"}),
    "a resource of production code that is named": (
        {**a_test('read("data/in.json");'), "src/main/resources/data/in.json": "1"},
        {"src/main/resources/data/in.json": "2"},
    ),
    "a resource that nobody names": ({**a_test('read("other.json");'), EXPECTED: "{}"}, {EXPECTED: "{1}"}),
}


@pytest.mark.parametrize("change", UNTOUCHED)
def test_what_the_test_does_not_reach_drops_nothing(change: str, tmp_path: Path) -> None:
    old, new = UNTOUCHED[change]
    trees = [{**code(1), **a_test(), **old}, {**code(2), **a_test(), **old, **new}]
    assert mine(trees, tmp_path, "strict").label("ATest#works", "0", "1").label is LabelKind.UNCHANGED


def test_a_new_class_brings_its_own_fixtures(tmp_path: Path) -> None:
    """Nothing of it was there before: the whole file is the change."""
    new = a_test("use(limit);", "private int limit = 1;", SET_UP.format("limit = 2;"))
    label = mine([{**code(1), **helper()}, {**code(2), **helper(), **new}], tmp_path, "strict").label(
        "ATest#works", "0", "1"
    )
    assert label.label is LabelKind.DISCRIMINATING


def nested_later(now: str, *fixtures: str) -> list[Tree]:
    """A test class with a fixture, which gains a nested class with a test, and that class brings members along."""
    members = " ".join((works(annotation="@org.junit.jupiter.api.Test"), *fixtures))
    nested = f"@org.junit.jupiter.api.Nested class More {{ {members} }}"
    return [
        {**code(1), TEST: type_("public class ATest", SET_UP.format("use(1);"))},
        {**code(2), TEST: type_("public class ATest", SET_UP.format(now), nested)},
    ]


def test_a_new_nested_class_does_not_bring_the_fixtures_around_it(tmp_path: Path) -> None:
    label = mine(nested_later("use(2);"), tmp_path, "strict").label("ATest$More#works", "0", "1")
    assert (label.reason, label.detail) == (DropReason.HELPER_CHANGED, "p.ATest#prepare()")


def test_a_new_nested_class_brings_its_own_fixtures(tmp_path: Path) -> None:
    trees = nested_later("use(1);", "@org.junit.jupiter.api.BeforeEach void fill() { use(2); }")
    label = mine(trees, tmp_path, "strict").label("ATest$More#works", "0", "1")
    assert label.label is LabelKind.DISCRIMINATING


def test_an_inserted_test_with_a_new_helper_elsewhere_is_dropped(tmp_path: Path) -> None:
    old, new = {**code(1), **helper()}, {**code(2), **helper("Helper(int n) { }"), **a_test("new Helper(1);")}
    label = mine([old, new], tmp_path, "strict").label("ATest#works", "0", "1")
    assert label.reason is DropReason.HELPER_CHANGED


def test_released_asks_only_for_the_helpers_that_a_test_calls(tmp_path: Path) -> None:
    old, new, _ = CHANGES["a fixture of the base class"]
    label = mine([{**code(1), **old}, {**code(2), **new}], tmp_path, "released").label("ATest#works", "0", "1")
    assert label.label is LabelKind.UNCHANGED
