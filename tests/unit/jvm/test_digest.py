"""Digests differ when code differs, and only then (TEB-X02, "Changed"); simple cases: `DigestTest` of the worker."""

from pathlib import Path

import pytest

from testevo.builds.compilation.worker import Worker
from testevo.records.methods import MethodKey

OLD_LEVEL = ["-proc:none", "-source", "8", "-target", "8", "-Xlint:-options"]


class Digests:
    """Compiles variants of a class `A` and finds their methods."""

    def __init__(self, worker: Worker, folder: Path) -> None:
        self._worker = worker
        self._folder = folder
        self._count = 0

    def methods(self, source: str, options: list[str] | None = None) -> dict[MethodKey, str]:
        self._count += 1
        output = self._folder / f"classes-{self._count}"
        output.mkdir()
        (self._folder / "A.java").write_text(source)
        result = self._worker.compile([self._folder / "A.java"], [], options or ["-proc:none", "-g"], output)
        assert result.success, result.diagnostics
        return self._worker.digest(output)

    def same(self, one: str, other: str, options: list[str] | None = None, type_name: str = "A") -> bool:
        """Whether the method `f` has the same digest in both sources."""
        digests = []
        for source in (one, other):
            methods = self.methods(source, options)
            digests += [methods[key] for key in methods if (key.type_name, key.name) == (type_name, "f")]
        assert len(digests) == 2
        return digests[0] == digests[1]


@pytest.fixture
def digests(worker: Worker, tmp_path: Path) -> Digests:
    return Digests(worker, tmp_path)


BASE = "class A { int f(int a) { int b = a + 1; return b; } }"


@pytest.mark.parametrize(
    "other",
    [
        "class A {\n\n /** Text. */ int f(final int x)\n { int y = x + 1; /* why */ return y; } }",
        'class A { @Deprecated @SuppressWarnings("x") int f(int a) { int b = a + 1; return b; } }',
        'class A { String s() { return "more constants" + 12345678; } int f(int a) { int b = a + 1; return b; } }',
        "class A { public int f(int a) { int b = a + 1; return b; } }",
    ],
    ids=["names, comments, lines", "annotations", "another method", "visibility"],
)
def test_what_the_code_does_not_show_does_not_count(digests: Digests, other: str) -> None:
    assert digests.same(BASE, other)


@pytest.mark.parametrize(
    "other",
    [
        "class A { int f(int a) { int b = a + 2; return b; } }",
        "class A { int f(int a) { int b = a - 1; return b; } }",
        "class A { long f(int a) { int b = a + 1; return b; } }",
        "class A { static int f(int a) { int b = a + 1; return b; } }",
        "class A { synchronized int f(int a) { int b = a + 1; return b; } }",
        "abstract class A { abstract int f(int a); }",
    ],
)
def test_what_the_code_shows_counts(digests: Digests, other: str) -> None:
    assert not digests.same(BASE, other)


FUNCTIONS = 'import java.util.function.*; class A { %s Supplier<Supplier<String>> f() { return () -> () -> "%s"; } }'


def test_a_lambda_elsewhere_does_not_count_and_one_nested_inside_does(digests: Digests) -> None:
    other = "Runnable first() { return () -> { Runnable inner = () -> {}; }; }"
    assert digests.same(FUNCTIONS % ("", "a"), FUNCTIONS % (other, "a"))
    assert not digests.same(FUNCTIONS % ("", "a"), FUNCTIONS % ("", "b"))


def test_a_new_case_in_an_earlier_switch_over_the_same_enum_does_not_count(digests: Digests) -> None:
    source = """
    class A {
      enum Colour { RED, GREEN, BLUE, GREY, PINK }
      int before(Colour c) { switch (c) { %s case RED: return 1; default: return 2; } }
      int f(Colour c) { switch (c) { case BLUE: return 10; case %s: return 20; default: return 30; } }
    }"""
    assert digests.same(source % ("", "GREEN"), source % ("case PINK: case GREY: case BLUE: return 3;", "GREEN"))
    assert not digests.same(source % ("", "GREEN"), source % ("", "GREY"))


def test_numbers_of_access_methods_do_not_count_at_old_levels(digests: Digests) -> None:
    source = """
    class A {
      private int one, two, three;
      class Inner { %s int f() { return one %s 3; } }
    }"""
    more = "int g() { return two++ + (three = 4); }"
    assert digests.same(source % ("", "+"), source % (more, "+"), OLD_LEVEL, "A$Inner")
    assert not digests.same(source % ("", "+"), source % ("", "-"), OLD_LEVEL, "A$Inner")
    assert not digests.same(
        source % ("", "+"), (source % ("", "+")).replace("return one", "return two"), OLD_LEVEL, "A$Inner"
    )


def test_private_constructors_of_member_classes_do_not_count_their_made_up_parameter(digests: Digests) -> None:
    source = """
    class A {
      %s
      static class Inner { private Inner(int a) {} }
      Object f() { return new Inner(7); }
    }"""
    assert digests.same(source % "", source % "Object o = new Object() {}; Object p = new Object() {};", OLD_LEVEL)


def test_the_body_of_a_local_class_belongs_to_its_method_even_when_it_names_itself(digests: Digests) -> None:
    source = (
        "class A { Object f() { class L { L next = null; int g() { return %d; } } return new L().g() + L.class; } }"
    )
    source = source.replace("return new", 'return "" + new')
    assert digests.same(source % 1, source % 1)
    assert not digests.same(source % 1, source % 2)


def test_methods_the_compiler_made_up_are_left_out(digests: Digests) -> None:
    source = """
    class A implements java.util.function.Supplier<String> {
      enum E { X }
      public String get() { Runnable r = () -> {}; return "s"; }
    }"""
    methods = digests.methods(source)
    assert [key.name for key in methods if key.type_name == "A"] == ["<init>", "get"]
    assert [str(key) for key in methods if key.name[0] == "v"] == ["A$E#valueOf(String)", "A$E#values()"]


def test_loops_jumps_and_handlers_are_compared_by_position(digests: Digests) -> None:
    source = """
    class A {
      %s
      int f(String s) {
        try {
          for (int i = 0; i < s.length(); i++) { if (s.charAt(i) == 'x') continue; switch (s) { case "a": return 1; } }
          return 0;
        } catch (%s error) { return -1; } finally { System.gc(); }
      }
    }"""
    assert digests.same(source % ("", "RuntimeException"), source % ("int g = 0;", "RuntimeException"))
    assert not digests.same(source % ("", "RuntimeException"), source % ("", "IllegalStateException"))


def test_overloads_that_share_a_key_share_a_digest_of_both(digests: Digests) -> None:
    source = """
    class A {
      static class B { static class Entry {} }
      static class C { static class Entry {} }
      int f(B.Entry e) { return 1; }
      int f(C.Entry e) { return %d; }
    }"""
    assert [key.parameters for key in digests.methods(source % 2) if key.name == "f"] == [("Entry",)]
    assert not digests.same(source % 2, source % 3)
