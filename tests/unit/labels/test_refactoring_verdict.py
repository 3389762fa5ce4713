"""What is nothing but refactoring (TEB-X10, X11). Descriptions are those of RefactoringMiner 3.0.10."""

import pytest
from refactored_revisions import CODE, TEST, Revisions, a_class, methods

from testevo.records.labels import Purity

SUM = "int sum(int a) { return a + 1; }"


def test_a_renamed_method_is_pure_in_code_and_test() -> None:
    """The test changes nothing but the name it calls."""
    case = Revisions(
        {CODE: a_class(SUM), TEST: a_class("@Test public void adds() { check(2, sum(1)); }", name="ATest")},
        {
            CODE: a_class(SUM.replace("sum", "total")),
            TEST: a_class("@Test public void adds() { check(2, total(1)); }", name="ATest"),
        },
    ).refactor(
        "Rename Method",
        "package sum(a int) : int renamed to package total(a int) : int in class p.A",
        left=("A#sum",),
        right=("A#total",),
    )
    verdict = case.judged("A#sum", "A#total", test="ATest#adds")
    assert (verdict.test_change, verdict.code_change, verdict.moved) == (Purity.PURE, Purity.PURE, False)
    assert [r.kind for r in verdict.refactorings] == ["Rename Method"]


def test_a_renamed_method_with_another_body_is_mixed() -> None:
    case = Revisions({CODE: a_class(SUM)}, {CODE: a_class(SUM.replace("sum", "total").replace("+ 1", "+ 2"))}).refactor(
        "Rename Method",
        "package sum(a int) : int renamed to package total(a int) : int in class p.A",
        left=("A#sum",),
        right=("A#total",),
    )
    assert case.judged("A#sum", "A#total").code_change == Purity.MIXED


RENAMED_SUM = ("Rename Method", "package sum(a int) : int renamed to package total(a int) : int in class p.A")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("static final int ONE = 1;", "static final int ONE = 2;"),
        ("int one = 1;", "int one = 1; int two = 2;"),
        ("static int one; static { one = 1; }", "static int one; static { one = 2; }"),
        ("int one; { one = 1; }", "int one; { one = 2; }"),
        ("int one; A() { one = 1; }", "int one; A() { one = 2; }"),
        ("int one;", "int one; A() { one = 2; }"),
        ("int one; A() { one = 2; }", "int one;"),
        ("Object o = new Object() { int f() { return 1; } };", "Object o = new Object() { int f() { return 2; } };"),
        ("enum E { X(1); E(int n) { } }", "enum E { X(2); E(int n) { } }"),
        ("static class B extends C { }", "static class B extends D { }"),
        ("static class B { }", ""),
        ("@Deprecated int one;", "int one;"),
    ],
)
def test_what_changes_beside_methods_is_no_refactoring(old: str, new: str) -> None:
    """Fields, constants, initialisers, constructors, enum constants and headers, in code and test alike."""
    test = "@Test public void adds() { check(2, sum(1)); }"
    code = Revisions({CODE: a_class(SUM, old)}, {CODE: a_class(SUM.replace("sum", "total"), new)})
    code.refactor(*RENAMED_SUM, left=("A#sum",), right=("A#total",))
    assert code.judged("A#sum", "A#total").code_change == Purity.MIXED
    kept = Revisions({CODE: a_class(SUM, old)}, {CODE: a_class(SUM.replace("sum", "total"), old)})
    kept.refactor(*RENAMED_SUM, left=("A#sum",), right=("A#total",))
    assert kept.judged("A#sum", "A#total").code_change == Purity.PURE
    both = Revisions(
        {CODE: a_class(SUM), TEST: a_class(test, old.replace("A()", "ATest()"), name="ATest")},
        {
            CODE: a_class(SUM.replace("sum", "total")),
            TEST: a_class(test.replace("sum", "total"), new.replace("A()", "ATest()"), name="ATest"),
        },
    ).refactor(*RENAMED_SUM, left=("A#sum",), right=("A#total",))
    verdict = both.judged("A#sum", "A#total", test="ATest#adds")
    assert (verdict.test_change, verdict.code_change) == (Purity.MIXED, Purity.PURE)


@pytest.mark.parametrize(
    ("old", "new", "pure"),
    [
        pytest.param("import a.Money;", "import a.Money;", True, id="the same"),
        pytest.param("import a.Money;", "import b.Money;", False, id="another class of that name"),
        pytest.param("import q.Money;", "import r.Money;", True, id="the class has moved"),
        pytest.param("", "import r.Money;", False, id="hides what was there"),
        pytest.param("import q.*;", "import r.Money;", True, id="one of all"),
        pytest.param("import a.Money;", "import a.*;", True, id="all in place of one"),
        pytest.param("import q.Money;", "import q.*;", False, id="all of the package that the class has left"),
        pytest.param("import a.*;", "import b.*;", False, id="all of another package"),
        pytest.param("import p.Money;", "", True, id="its own package"),
        pytest.param("", "import a.Unheard;", True, id="a name that was not there"),
        pytest.param("import static a.Rates.Money;", "import static b.Rates.Money;", False, id="a static member"),
        pytest.param("import static q.Money.rate;", "import static r.Money.rate;", True, id="of the moved class"),
    ],
)
def test_a_change_is_pure_where_imported_names_stand_for_the_same(old: str, new: str, pure: bool) -> None:
    """The file of a renamed method; `q.Money` moved to `r`."""
    member = "int sum(int a) { return Money.of(a) + rate(); }"
    before, after = a_class(member), a_class(member.replace("sum", "total"))
    case = Revisions(
        {CODE: before.replace(";\n", f";\n{old}\n", 1)}, {CODE: after.replace(";\n", f";\n{new}\n", 1)}
    ).refactor(*RENAMED_SUM, left=("A#sum",), right=("A#total",))
    case.refactor("Move Class", "q.Money moved to r.Money")
    assert (case.judged("A#sum", "A#total").code_change is Purity.PURE) is pure


def test_a_renamed_field_is_pure_in_its_declaration_and_its_constructor() -> None:
    member = "final int total = 0; A() { use(this.total); } int f() { return this.total; }"
    case = Revisions({CODE: a_class(member)}, {CODE: a_class(member.replace("total", "amount"))}).refactor(
        "Rename Attribute", "total : int to amount : int in class p.A"
    )
    assert case.judged("A#f").code_change == Purity.PURE


def test_a_method_of_another_modules_class_of_the_name_explains_nothing() -> None:
    """The copy that is equal already lies elsewhere."""
    other = "b/src/main/java/p/A.java"
    old, new = "int f() { return 1; }", "int f() { return 2; }"
    case = Revisions({CODE: a_class(old)}, {CODE: a_class(new)})
    copy = methods({other: a_class(new)})["A#f"]
    case.old["copy"] = case.new["copy"] = copy
    assert case.judged("A#f").code_change == Purity.NONE


def test_one_changed_method_deeper_down_makes_the_code_change_mixed() -> None:
    """A pure direct callee proves nothing when something below it changed."""
    deep = "int deep() { return 1; }"
    case = Revisions(
        {CODE: a_class(SUM, deep)}, {CODE: a_class(SUM.replace("sum", "total"), deep.replace("1", "2"))}
    ).refactor(
        "Rename Method",
        "package sum(a int) : int renamed to package total(a int) : int in class p.A",
        left=("A#sum",),
        right=("A#total",),
    )
    assert case.judged("A#sum", "A#total", "A#deep").code_change == Purity.MIXED


def test_edits_without_refactoring_are_none() -> None:
    case = Revisions({CODE: a_class(SUM)}, {CODE: a_class(SUM.replace("1", "2"))})
    assert case.judged("A#sum").code_change == Purity.NONE


@pytest.mark.parametrize(
    ("old", "new", "pure"),
    [
        ("int f(int a) { int b = a; return b; }", "int f(int a) { int c = a; return c; }", True),
        ("int f(int a) { int b = a; return b + a; }", "int f(int a) { int c = a; return c + c; }", False),
        ("int f(int a) { int b = a; return b; }", "int f(int a) { int c = a; return b; }", False),
        ('int f(int a) { int b = 1; log("b b"); }', 'int f(int a) { int c = 1; log("c b"); }', False),
        ("int f(int b) { return b + c; }", "int f(int c) { return c + c; }", False),
        ("int f(int b) { this.c = b; }", "int f(int c) { this.c = c; }", True),
    ],
)
def test_a_renamed_variable_is_pure_when_it_is_renamed_everywhere(old: str, new: str, pure: bool) -> None:
    """Strings are not names, and the new name must not stand for something else already."""
    case = Revisions({CODE: a_class(old)}, {CODE: a_class(new)}).refactor(
        "Rename Variable", "b : int to c : int in method package f(a int) : int from class p.A"
    )
    assert (case.judged("A#f").code_change == Purity.PURE) is pure


@pytest.mark.parametrize("method", ["f(a int) : int from class p.A", "g() : int from class p.B"])
def test_a_renamed_variable_explains_nothing_in_another_method(method: str) -> None:
    case = Revisions({CODE: a_class("int g() { return b; }")}, {CODE: a_class("int g() { return c; }")}).refactor(
        "Rename Variable", f"b : int to c : int in method package {method}"
    )
    assert case.judged("A#g").code_change == Purity.NONE


def test_a_renamed_field_is_pure_where_it_is_used() -> None:
    case = Revisions(
        {CODE: a_class("int f(int total) { this.total = total; return total(); }")},
        {CODE: a_class("int f(int total) { this.amount = total; return total(); }")},
    ).refactor("Rename Attribute", "total : int to amount : int in class p.A")
    assert case.judged("A#f").code_change == Purity.PURE


def test_a_class_that_moved_and_was_renamed_is_pure_by_its_qualified_names() -> None:
    """Its file need not be equal: other members may have changed."""
    other = "src/main/java/q/B.java"
    case = Revisions(
        {CODE: a_class("A copy() { return new A(); }", "int other() { return 1; }")},
        {other: a_class("B copy() { return new B(); }", "int other() { return 2; }", name="B", package="q")},
    ).refactor("Move And Rename Class", "p.A moved and renamed to q.B")
    assert case.judged("A#copy", "B#copy").code_change == Purity.PURE
    assert case.judged("A#copy", "B#copy", "B#other").code_change == Purity.MIXED


def test_methods_of_files_that_only_moved_are_left_to_the_move_filter() -> None:
    """TEB-X11: all moved is `moved`; one other change below the test, and it is not."""
    other = "src/main/java/q/A.java"
    case = Revisions({CODE: a_class(SUM)}, {other: a_class(SUM, package="q")})
    moves = frozenset({(CODE, other)})
    verdict = case.judged("A#sum", moves=moves)
    assert (verdict.moved, verdict.code_change) == (True, Purity.NONE)
    assert case.judged("A#sum").moved is False


def test_a_test_in_a_moved_file_is_moved() -> None:
    moved = "src/test/java/q/ATest.java"
    method = "@Test public void adds() { check(sum(1)); }"
    case = Revisions({TEST: a_class(method, name="ATest")}, {moved: a_class(method, name="ATest", package="q")})
    del case.old["ATest#adds"]
    assert case.judged(test="ATest#adds", moves=frozenset({(TEST, moved)})).moved


def test_a_renamed_test_is_a_refactored_test() -> None:
    """An inserted test that is a copy of a removed one is nothing new (TEB-X10)."""
    case = Revisions(
        {TEST: a_class("@Test public void adds() { check(sum(1)); }", name="ATest")},
        {TEST: a_class("@Test public void addsOne() { check(sum(1)); }", name="ATest")},
    ).refactor(
        "Rename Method",
        "public adds() : void renamed to public addsOne() : void in class p.ATest",
        left=("ATest#adds",),
        right=("ATest#addsOne",),
    )
    assert case.judged(test="ATest#addsOne").test_change == Purity.PURE


def test_failed_detection_is_unknown_and_keeps_its_reason() -> None:
    case = Revisions({CODE: a_class(SUM)}, {CODE: a_class(SUM.replace("1", "2"))})
    verdict = case.judged("A#sum", failure="timed out after 120 seconds")
    assert (verdict.test_change, verdict.code_change) == (Purity.UNKNOWN, Purity.UNKNOWN)
    assert verdict.detail == "timed out after 120 seconds"


def test_a_changed_method_is_told_from_those_that_end_on_its_line() -> None:
    """An unchanged neighbour on the line explains nothing."""
    line = "int one() {{ return {0}; }} int two() {{ return 2; }} int three(Object o) {{ return o.hashCode(); }}"
    case = Revisions({CODE: a_class(line.format(1))}, {CODE: a_class(line.format(10))})
    assert case.judged("A#one").code_change is Purity.NONE


def test_a_changed_test_is_told_from_those_that_end_on_its_line() -> None:
    """The neighbour is nothing but renamed calls, the test checks another value."""
    line = "@Test public void one() {{ check({0}, {1}(0)); }} @Test public void two() {{ check(2, {1}(1)); }}"
    case = Revisions(
        {CODE: a_class(SUM), TEST: a_class(line.format(1, "sum"), name="ATest")},
        {CODE: a_class(SUM.replace("sum", "total")), TEST: a_class(line.format(3, "total"), name="ATest")},
    ).refactor(
        "Rename Method",
        "package sum(a int) : int renamed to package total(a int) : int in class p.A",
        left=("A#sum",),
        right=("A#total",),
    )
    assert case.judged("A#sum", "A#total", test="ATest#two").test_change is Purity.PURE
    assert case.judged("A#sum", "A#total", test="ATest#one").test_change is not Purity.PURE
