"""Which tests are found, and of which kind (TEB-X01)."""

import pytest

from testevo.java.syntax import parse_java
from testevo.java.tests import DeclaredTest, find_tests

FOLDER = "src/test/java/a"
JUNIT4 = "package a; import org.junit.*; import org.junit.runner.RunWith; import org.junit.runners.Parameterized;"
JUPITER = "package a; import org.junit.jupiter.api.*; import org.junit.jupiter.params.*;"


def declared(**sources: str) -> list[DeclaredTest]:
    paths = {f"{FOLDER}/{name}.java": source for name, source in sources.items()}
    return find_tests({path: parse_java(source.encode(), path) for path, source in paths.items()})


def kinds(tests: list[DeclaredTest]) -> dict[str, str]:
    return {test.key.short: test.kind.value for test in tests}


def test_plain_tests_are_void_without_parameters_in_the_class_named_like_the_file() -> None:
    tests = declared(
        ATest=JUNIT4 + "public class ATest { @Test public void f() {} @Ignore @Test public void off() {}"
        " @Test public static void no() {} @Test void hidden() {} @Test public int value() { return 1; } void g() {} }"
        " class BTest { @Test public void f() {} }",
        CTest=JUPITER + "class CTest { @Test void f() {} @Test void info(TestInfo i) {} @Test private void no() {} }",
    )
    assert [(test.key.short, test.kind.value, test.is_plain) for test in tests] == [
        ("ATest#f", "junit4", True),
        ("ATest#off", "junit4", True),
        ("BTest#f", "junit4", False),
        ("CTest#f", "jupiter", True),
        ("CTest#info", "jupiter", False),
    ]


def test_annotations_count_by_what_they_mean_not_by_their_name() -> None:
    tests = declared(
        ATest="package a; class ATest { @org.junit.jupiter.api.Test void full() {} @Test void unknown() {} }",
        BTest="package a; import org.testng.annotations.Test; public class BTest { @Test public void f() {} }",
        CTest=JUPITER + "class CTest { @Slow void composed() {} @Loop void circular() {} }",
        Slow=JUPITER + "@Test public @interface Slow {}",
        Loop="package a; @Loop public @interface Loop {}",
    )
    assert kinds(tests) == {"ATest#full": "jupiter", "CTest#composed": "jupiter"}


def test_a_nested_class_of_an_abstract_one_is_none_that_runs_by_itself() -> None:
    """Engines run it in the classes that extend the abstract one, under its own name, and find nothing by that name."""
    tests = declared(
        Base=JUPITER + "abstract class Base { @Test void own() {} @Nested class In { @Test void n() {} } }",
        ATest="package a; class ATest extends Base {}",
    )
    assert kinds(tests) == {"ATest#own": "inherited"}


def test_inner_classes_of_records_and_enums_run_as_those_of_classes_do() -> None:
    """Members of interfaces are static without saying so; those of records and enums are not."""
    members = "class In { @Test void n() {} } static class Static { @Test void n() {} }"
    tests = declared(
        AnEnum=JUPITER + f"enum AnEnum {{ A; {members} }}",
        ARecord=JUPITER + f"record ARecord() {{ {members} @Nested class More {{ @Test void n() {{}} }} }}",
        Contract=JUPITER + "interface Contract { class In { @Test void n() {} } }",
    )
    found = {"AnEnum$Static#n", "ARecord$Static#n", "ARecord$More#n", "Contract$In#n"}
    assert kinds(tests) == dict.fromkeys(found, "nested")


def test_invocation_kinds_are_told_apart() -> None:
    tests = declared(
        ATest=JUPITER + "class ATest { @ParameterizedTest void p(int i) {} @RepeatedTest(2) void r() {}"
        " @TestFactory Object f() { return null; } @TestTemplate void t() {}"
        " @Nested class In { @Test void n() {} @ParameterizedTest void p(int i) {} } class Not { @Test void x() {} } }",
        BTest=JUNIT4 + "@RunWith(Parameterized.class) public class BTest { @Test public void p() {} }",
        CTest=JUNIT4 + "public class CTest { public static class In { @Test public void n() {} } }",
    )
    assert kinds(tests) == {
        "ATest#p": "parameterised",
        "ATest#r": "repeated",
        "ATest#f": "factory",
        "ATest#t": "factory",
        "ATest$In#n": "nested",
        "ATest$In#p": "parameterised",
        "BTest#p": "parameterised",
        "CTest$In#n": "nested",
    }
    assert not any(test.is_plain for test in tests)


def test_junit3_tests_are_found_by_name_through_super_classes() -> None:
    tests = declared(
        Base="package a; public abstract class Base extends junit.framework.TestCase { public void testBase() {} }",
        ATest="package a; import org.junit.Test; public class ATest extends Base { public void testA() {}"
        " public void other() {} void testHidden() {} public void testWith(int i) {} @Test public void noted() {} }",
        NotTest="package a; public class NotTest extends Unknown { public void testX() {} }",
    )
    assert kinds(tests) == {"ATest#testA": "junit3", "ATest#testBase": "inherited"}


def test_inherited_tests_run_in_every_concrete_subclass_and_can_be_overridden() -> None:
    tests = declared(
        Base=JUNIT4 + "public abstract class Base<T> { @Test public void kept() {} @Test public void silenced() {}"
        " @Test public abstract void open(); }",
        OneTest=JUNIT4 + "public class OneTest extends Base<String> { public void silenced() {}"
        " @Test public void open() {} }",
        TwoTest=JUPITER + "class TwoTest extends Base<Void> implements Shared { public void open() {} }",
        Shared=JUPITER + "interface Shared { @Test default void shared() {} @Test void bodiless(); }",
    )
    assert kinds(tests) == {
        "OneTest#kept": "inherited",
        "OneTest#open": "junit4",
        "OneTest#silenced": "junit4",
        "TwoTest#kept": "inherited",
        "TwoTest#open": "junit4",
        "TwoTest#silenced": "inherited",
        "TwoTest#shared": "inherited",
    }
    # JUnit 4 finds the annotation in the super class and calls what overrides the method.
    told_above = [test for test in tests if test.key.short in ("OneTest#silenced", "TwoTest#open")]
    assert [test.method.annotation_text for test in told_above] == ["@Test", "@Test"]
    assert not any(test.is_plain for test in told_above)
    kept = next(test for test in tests if test.key.short == "OneTest#kept")
    assert (kept.path, kept.declared_in_path) == (f"{FOLDER}/OneTest.java", f"{FOLDER}/Base.java")
    assert kept.method.key.type_name == "a.Base"


def test_a_method_of_a_type_variable_is_overridden_by_one_of_another_erasure() -> None:
    """`@Override` tells it; without it both may be there, as where the variable stands for another type."""
    tests = declared(
        Base=JUPITER + "abstract class Base<T> { @ParameterizedTest void works(T one) {} @ParameterizedTest void"
        " other(T one) {} @ParameterizedTest void fixed(Object one) {} }",
        Middle=JUPITER + "abstract class Middle<T> extends Base<T> { @Override void other(T one) {} }",
        OneTest=JUPITER
        + "class OneTest extends Middle<String> { @Override @ParameterizedTest void works(String one) {}"
        " @Override @ParameterizedTest void other(String one) {} @ParameterizedTest void fixed(String one) {} }",
        TwoTest=JUPITER + "class TwoTest extends Base<Integer> { @ParameterizedTest void works(String one) {} }",
    )
    found = {(test.key.short, test.key.parameters) for test in tests}
    assert found == {
        ("OneTest#works", ("String",)),
        ("OneTest#other", ("String",)),
        ("OneTest#fixed", ("String",)),
        ("OneTest#fixed", ("Object",)),
        *(("TwoTest#works", (one,)) for one in ("String", "Object")),
        ("TwoTest#other", ("Object",)),
        ("TwoTest#fixed", ("Object",)),
    }


def test_jupiter_runs_no_override_without_its_annotation() -> None:
    tests = declared(
        Base=JUPITER + "abstract class Base { @Test void kept() {} @Test void silenced() {} }",
        OneTest=JUPITER + "class OneTest extends Base { void silenced() {} }",
    )
    assert kinds(tests) == {"OneTest#kept": "inherited"}


def test_a_single_import_hides_a_type_of_the_package_and_imports_on_demand() -> None:
    tests = declared(
        Base=JUNIT4 + "public class Base { @Test public void works() {} }",
        OneTest="package a; import com.library.Base; public class OneTest extends Base { }",
        TwoTest="package a; import org.testng.annotations.Test; import org.junit.*;"
        " public class TwoTest { @Test public void works() {} }",
    )
    assert kinds(tests) == {"Base#works": "junit4"}


@pytest.mark.parametrize(
    "module, kind",
    [("org.junit.jupiter.api", "jupiter"), ("org.junit.jupiter", "jupiter"), ("junit", "junit4"), ("java.base", None)],
)
def test_a_test_is_found_where_its_annotation_comes_with_a_module(module: str, kind: str | None) -> None:
    tests = declared(
        ATest=f"package a; import module {module}; public class ATest {{ @Test public void works() {{}} }}"
    )
    assert kinds(tests) == ({"ATest#works": kind} if kind else {})


def test_of_two_classes_with_one_name_the_nearer_one_is_the_super_class() -> None:
    files = {
        f"{module}/src/test/java/a/{name}.java": source
        for module, method in (("one", "first"), ("two", "second"))
        for name, source in (
            ("Base", JUNIT4 + f"public abstract class Base {{ @Test public void {method}() {{}} }}"),
            (f"{method.title()}Test", JUNIT4 + f"public class {method.title()}Test extends Base {{ }}"),
        )
    }
    tests = find_tests({path: parse_java(source.encode(), path) for path, source in files.items()})
    assert [test.key.short for test in tests] == ["FirstTest#first", "SecondTest#second"]


def test_classes_that_extend_each_other_end_the_search() -> None:
    assert declared(A="package a; public class A extends B {}", B="package a; public class B extends A {}") == []
