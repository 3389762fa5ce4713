"""Selectors, discovery and places from byte code."""

import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from testevo.builds.classes.class_files import ClassPath, read_class
from testevo.builds.engine import BuiltTree
from testevo.builds.model.model import RunSettings
from testevo.execution.discovery.discovery import DeclaredTests, TestPlaces, suite_classes
from testevo.execution.discovery.selection import method_selector
from testevo.execution.verdicts.channel import RunTest
from testevo.java.signatures import qualified_parameters
from testevo.records.methods import TestKey

MakeTree = Callable[..., BuiltTree]

SOURCES = {
    "a/ShapeTest.java": """package a;
import java.util.*;
public class ShapeTest<T extends Comparable<T>> extends Base<String> {
  static final long BIG = 1L << 40; static final double D = 1.5;
  void sized(int n, Map.Entry<String, T>[] all, T last, String... rest) {}
  void only(long x) {}
  void two(int x) {} void two(String x) {}
  static class InnerTest { void deep(InnerTest other) {} }
}
class SecondTest { }
""",
    "a/Base.java": "package a; abstract class Base<V> { void inherited(V value, int[][] grid) {} }",
    "a/AbstractTest.java": "package a; abstract class AbstractTest { }",
    "a/TestKind.java": "package a; interface TestKind { }",
    "b/TestsOfAll.java": "package b; class TestsOfAll { }",
    "b/SomeTests.java": "package b; class SomeTests { }",
    "b/OldTestCase.java": "package b; class OldTestCase { }",
    "b/SpecIT.java": "package b; class SpecIT { }",
}


@pytest.fixture
def shapes(make_tree: MakeTree) -> BuiltTree:
    return make_tree(SOURCES)


def selector(tree: BuiltTree, name: str, *parameters: str) -> str:
    test = TestKey(module="", path="", type_name="a.ShapeTest", name=name, parameters=parameters)
    return method_selector(test, ClassPath([tree.modules[0].test_classes]))


def test_selectors_carry_qualified_erased_types(shapes: BuiltTree) -> None:
    assert selector(shapes, "sized", "int", "Entry[]", "Comparable", "String[]") == (
        "a.ShapeTest#sized(int,java.util.Map$Entry[],java.lang.Comparable,java.lang.String[])"
    )
    assert selector(shapes, "two", "String") == "a.ShapeTest#two(java.lang.String)"
    assert selector(shapes, "inherited", "Object", "int[][]") == "a.ShapeTest#inherited(java.lang.Object,int[][])"


def test_a_name_without_types_selects_an_only_overload_and_nothing_else(shapes: BuiltTree) -> None:
    assert selector(shapes, "only") == "a.ShapeTest#only(long)"
    assert selector(shapes, "two") == "a.ShapeTest#two()"
    assert selector(shapes, "absent", "Foo") == "a.ShapeTest#absent(Foo)"


def test_every_field_type_of_a_descriptor_is_read() -> None:
    assert qualified_parameters("(BCDFIJSZ[[La/B$C;[I)V") == (
        "byte",
        "char",
        "double",
        "float",
        "int",
        "long",
        "short",
        "boolean",
        "a.B$C[][]",
        "int[]",
    )


def test_the_default_patterns_are_those_of_surefire(shapes: BuiltTree) -> None:
    assert suite_classes(shapes.modules[0]) == (
        "a.SecondTest",
        "a.ShapeTest",
        "b.OldTestCase",
        "b.SomeTests",
        "b.TestsOfAll",
    )


@pytest.mark.parametrize(
    ("includes", "excludes", "expected"),
    [
        (("**/*IT.java",), (), ("b.SpecIT",)),
        (("SpecIT", "ShapeTest.class"), (), ("a.ShapeTest", "b.SpecIT")),
        (("b/**",), ("**/*TestCase.java",), ("b.SomeTests", "b.SpecIT", "b.TestsOfAll")),
        (("**/*Test*,!**/Second*",), ("**/b/",), ()),
        (("**/*Test.*",), ("**/Second*.*",), ("a.ShapeTest",)),
        (("**/*s*",), ("**/a/*", "**/*Test*"), ("b.SpecIT",)),
        (("b.*IT",), (), ("b.SpecIT",)),
        (("%regex[.*Shape.*Test.*]",), (), ("a.ShapeTest",)),
        (("**/*Test.java",), ("**/S?apeTest.java",), ("a.SecondTest",)),
    ],
)
def test_patterns_of_the_project_replace_the_defaults(
    make_tree: MakeTree, includes: tuple[str, ...], excludes: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    module = make_tree(SOURCES, test_includes=includes, test_excludes=excludes).modules[0]
    found = suite_classes(module)
    assert set(expected) <= set(found)
    if expected:
        assert {name for name in found if "$" not in name} == set(expected)


def test_abstract_classes_with_a_runner_run_where_a_build_chooses_by_categories(make_tree: MakeTree) -> None:
    """The launcher looks whether the runner is that of enclosed classes."""
    sources = {
        "org/junit/runner/RunWith.java": "package org.junit.runner; import java.lang.annotation.*;"
        "@Retention(RetentionPolicy.RUNTIME) public @interface RunWith {}",
        "a/OuterTest.java": "package a; @org.junit.runner.RunWith public abstract class OuterTest {}",
        "a/BaseTest.java": "package a; public abstract class BaseTest {}",
        "a/OwnTest.java": "package a; public class OwnTest extends BaseTest {}",
    }
    module = make_tree(sources, framework="junit4").modules[0]
    assert suite_classes(module) == ("a.OwnTest",)
    assert suite_classes(replace(module, settings=RunSettings(excluded_tags=("Slow",)))) == ("a.OuterTest", "a.OwnTest")
    slow = RunSettings(excluded_tags=("slow",))
    assert suite_classes(replace(module, framework="platform", settings=slow)) == ("a.OwnTest",)


def test_classes_lead_back_to_their_files(shapes: BuiltTree) -> None:
    places = TestPlaces(shapes, shapes.modules[0])
    assert [places.path(name) for name in ("a.ShapeTest$InnerTest", "a.SecondTest", "c.Gone$X")] == [
        "src/test/java/a/ShapeTest.java",
        "src/test/java/a/ShapeTest.java",
        "src/test/java/c/Gone.java",
    ]


def test_declared_tests_are_found_by_annotation_and_by_junit_3_name(make_tree: MakeTree) -> None:
    tree = make_tree(
        {
            "junit/framework/TestCase.java": "package junit.framework; public abstract class TestCase { }",
            "org/junit/Test.java": "package org.junit; import java.lang.annotation.*;\n"
            "@Retention(RetentionPolicy.RUNTIME) public @interface Test { long timeout() default 0;"
            " Class<?>[] more() default {}; String[] names() default {}; }",
            "a/ThreeTest.java": "package a; public class ThreeTest extends junit.framework.TestCase {"
            " public void testOne() {} void testHidden() {} public void other() {} }",
            "a/FourTest.java": "package a; import org.junit.Test; public class FourTest extends FourBase {"
            ' @Deprecated @Test(timeout = 5, more = {int.class}, names = {"x", "y"})'
            " public void one() {} }",
            "a/FourBase.java": "package a; public abstract class FourBase { @org.junit.Test public void base() {} }",
        }
    )
    module = tree.modules[0]
    declared = DeclaredTests(module)
    assert declared.of("a.ThreeTest") == (RunTest("a.ThreeTest", "testOne"),)
    assert declared.of("a.FourTest") == (RunTest("a.FourTest", "base"), RunTest("a.FourTest", "one"))


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The jars that were opened, in order."""
    jars: list[Path] = []

    class Noted(zipfile.ZipFile):
        def __init__(self, file: Path) -> None:
            jars.append(file)
            super().__init__(file)

    monkeypatch.setattr(zipfile, "ZipFile", Noted)
    return jars


def test_a_jar_is_opened_once_for_all_tests_of_a_module(make_tree: MakeTree, opened: list[Path]) -> None:
    classes = {
        f"a/Test{n}.java": f"package a; public class Test{n} {{ @org.junit.Test public void one() {{}} }}" for n in "12"
    }
    module = make_tree(classes, framework="junit4").modules[0]
    declared = DeclaredTests(module)
    assert [declared.of(f"a.Test{n}") for n in "1212"] == [(RunTest(f"a.Test{n}", "one"),) for n in "1212"]
    assert len(opened) == len(set(opened))


def test_no_jar_is_opened_for_a_test_that_its_class_declares(make_tree: MakeTree, opened: list[Path]) -> None:
    source = "package a; public class OneTest extends junit.framework.TestCase { public void testOne() {} }"
    module = make_tree({"a/OneTest.java": source}, framework="junit4").modules[0]
    classes = ClassPath(module.test_class_path)
    key = TestKey(module="", path="a/OneTest.java", type_name="a.OneTest", name="testOne")
    assert (method_selector(key, classes), opened) == ("a.OneTest#testOne()", [])
    inherited = key.model_copy(update={"name": "getName"})
    assert method_selector(inherited, classes) == "a.OneTest#getName()"
    assert opened != []


@pytest.mark.parametrize("name", ["a." + "b" * 300, "/etc/passwd", "a.**b", "a\0", "", ".".join(["a"] * 3000)])
def test_a_name_that_no_class_can_have_declares_nothing_and_has_a_place(shapes: BuiltTree, name: str) -> None:
    """Reports and dynamic tests can name any class."""
    module = shapes.modules[0]
    assert DeclaredTests(module).of(name) == ()
    assert TestPlaces(shapes, module).path(name).endswith(".java")


@pytest.mark.parametrize("data", [b"", b"\xca\xfe\xba\xbe", b"text", b"\xca\xfe\xba\xbe\x00\x00\x00\x34\x00\x05\x63"])
def test_bytes_that_are_no_class_file_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a class file"):
        read_class(data)


def test_classes_are_found_in_jars_too(shapes: BuiltTree, tmp_path: Path) -> None:
    import zipfile

    jar = tmp_path / "x.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.write(shapes.modules[0].test_classes / "a/Base.class", "a/Base.class")
    found = ClassPath([tmp_path / "absent", jar]).find("a.Base")
    assert found is not None and not found.concrete and found.source_file == "Base.java"
