"""What is nothing but refactoring (TEB-X10, X11). Descriptions are those of RefactoringMiner 3.0.10."""

import pytest
from label_factories import STRICT, facts

from testevo.java.syntax import parse_java
from testevo.labels.dependencies import DependencyLinks
from testevo.labels.judge import judge
from testevo.labels.refactorings.detected import DetectedRefactorings, MethodText
from testevo.labels.refactorings.verdict import refactoring_verdict
from testevo.records.labels import Dependency, Label, Purity, Refactoring, RefactoringVerdict
from testevo.records.methods import ChangeKind, TestKey, TestKind
from testevo.revisions.refactorings import file_imports, type_texts

CODE, TEST = "src/main/java/p/A.java", "src/test/java/p/ATest.java"


def methods(files: dict[str, str]) -> dict[str, MethodText]:
    """By `Type#name`."""
    found = {}
    for path, text in files.items():
        for method in parse_java(text.encode(), path).methods:
            found[method.key.short] = MethodText(method.key, path, method.span, method.tokens)
    return found


class Revisions:
    """Two revisions of some files, with refactorings named by their methods."""

    def __init__(self, old: dict[str, str], new: dict[str, str]) -> None:
        self.old, self.new = methods(old), methods(new)
        encoded = [{path: text.encode() for path, text in files.items()} for files in (old, new)]
        self.old_types, self.new_types = map(type_texts, encoded)
        self.old_imports, self.new_imports = map(file_imports, encoded)
        self.refactorings: list[Refactoring] = []

    def refactor(self, kind: str, text: str, *, left: tuple[str, ...] = (), right: tuple[str, ...] = ()) -> "Revisions":
        places = (*(_place("L", self.old[name]) for name in left), *(_place("R", self.new[name]) for name in right))
        self.refactorings.append(Refactoring(kind=kind, description=f"{kind}\t{text}", declarations=places))
        return self

    def judged(
        self,
        *changed: str,
        test: str | None = None,
        moves: frozenset[tuple[str, str]] = frozenset(),
        failure: str | None = None,
    ) -> RefactoringVerdict:
        """The verdict over a test, with the methods below it that changed."""
        detected = DetectedRefactorings(
            tuple(self.refactorings),
            tuple(self.old.values()),
            tuple(self.new.values()),
            self.old_types,
            self.new_types,
            self.old_imports,
            self.new_imports,
            moves,
            failure,
        )
        return refactoring_verdict(self._label(changed, test), detected)

    def _label(self, changed: tuple[str, ...], test: str | None) -> Label:
        links = DependencyLinks(dependencies=tuple(self._dependency(name) for name in changed))
        if test is None:
            return judge(facts(ChangeKind.UNCHANGED, links=links), {}, STRICT)
        new, old = self.new[test], self.old.get(test)
        key = TestKey(module="", path=new.path, type_name=new.key.type_name, name=new.key.name)
        candidate = facts(
            ChangeKind.MODIFIED if old else ChangeKind.INSERTED,
            test=key,
            test_kind=TestKind.JUNIT4,
            links=links,
            old_path=old.path if old else None,
            old_span=old.span if old else None,
            new_span=new.span,
        )
        return judge(candidate, {}, STRICT)

    def _dependency(self, name: str) -> Dependency:
        old, new = self.old.get(name), self.new.get(name)
        kind = ChangeKind.REMOVED if new is None else ChangeKind.INSERTED if old is None else ChangeKind.MODIFIED
        place = new or old
        assert place is not None
        return Dependency(method=place.key, kind=kind, path=place.path, span=place.span)


def _place(side: str, method: MethodText) -> str:
    return f"{side}:{method.path}:{method.span.first_line}-{method.span.last_line}"


def a_class(*members: str, name: str = "A", package: str = "p") -> str:
    return f"package {package};\npublic class {name} {{\n" + "\n".join(members) + "\n}\n"


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


EXTRACTED_PART = ("Extract Method", "package part(x int) : int extracted from package big(x int) : int in class p.A")
BIG = "void big(int x) { open(); first(x); second(x); close(); }"


@pytest.mark.parametrize(
    ("old", "new", "part", "pure"),
    [
        (BIG, "void big(int x) { open(); part(x); close(); }", "void part(int y) { first(y); second(y); }", True),
        (BIG, "void big(int x) { open(); this.part(x); close(); }", "void part(int x) { first(x); second(x); }", True),
        (BIG, "void big(int x) { open(); part(x); close(); }", "void part(int y) { first(y); third(y); }", False),
        (BIG, "void big(int x) { open(); part(x); }", "void part(int y) { first(y); second(y); }", False),
        (
            "int big(int x) { open(); return x * 2; }",
            "int big(int x) { open(); return part(x); }",
            "int part(int x) { return x * 2; }",
            True,
        ),
        (
            "int big(int x) { return 2 * x + 1; }",
            "int big(int x) { return 2 * part(x); }",
            "int part(int x) { return x + 1; }",
            False,
        ),
        (
            "int big(int x) { return 2 * (x + 1); }",
            "int big(int x) { return 2 * part(x); }",
            "int part(int x) { return x + 1; }",
            True,
        ),
        (
            "int big(int x) { int s = 0; s += x; return s; }",
            "int big(int x) { int s = part(x); return s; }",
            "int part(int x) { int s = 0; s += x; return s; }",
            True,
        ),
        (
            "int big(int x) { int s = 0; s += x; use(s); }",
            "int big(int x) { int s = part(x); use(s); }",
            "int part(int x) { int t = 0; t += x; return t; }",
            True,
        ),
        (
            "void big(int x) { if (x > 0) first(x); second(x); }",
            "void big(int x) { if (x > 0) part(x); }",
            "void part(int x) { first(x); second(x); }",
            False,
        ),
        (
            "void big(int x) { first(next()); second(next()); }",
            "void big(int x) { part(next()); }",
            "void part(int x) { first(x); second(x); }",
            False,
        ),
    ],
)
def test_an_extraction_is_pure_when_putting_the_body_back_gives_the_old_text(
    old: str, new: str, part: str, pure: bool
) -> None:
    """Statements only where statements may stand, operands whole, arguments that may be evaluated twice."""
    case = Revisions({CODE: a_class(old)}, {CODE: a_class(new, part)}).refactor(
        *EXTRACTED_PART, left=("A#big",), right=("A#part", "A#big")
    )
    verdict = case.judged("A#big", "A#part")
    assert verdict.code_change == (Purity.PURE if pure else Purity.MIXED)


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        pytest.param(
            "int big(int x) { x = x + 1; int y = x; return y * x; }",
            "int big(int x) { int y = part(x); return y * x; }",
            "int part(int x) { x = x + 1; return x; }",
            id="the part changes its copy of an argument",
        ),
        pytest.param(
            "void big(int x) { check(x); store(x); }",
            "void big(int x) { part(); store(x); }",
            "void part() { check(x); }",
            id="the part reads the field of that name",
        ),
        pytest.param(
            "int big(int x) { int t = 1; int y = t + x; return y * t; }",
            "int big(int x) { int y = part(x); return y * t; }",
            "int part(int x) { int t = 1; return t + x; }",
            id="the rest reads the field of that name",
        ),
        pytest.param(
            "int big() { advance(); return this.place; }",
            "int big() { return part(this.place); }",
            "int part(int x) { advance(); return x; }",
            id="the argument is read before it changes",
        ),
        pytest.param(
            "void big(int x) { open(); each(y -> use(size)); }",
            "void big(int x) { open(); part(size); }",
            "void part(int n) { each(y -> use(n)); }",
            id="the argument is read before the lambda runs",
        ),
    ],
)
def test_an_extraction_that_changes_what_a_name_stands_for_is_no_pure_one(old: str, new: str, part: str) -> None:
    """The texts are equal once the body is put back, and say something else."""
    case = Revisions({CODE: a_class(old)}, {CODE: a_class(new, part)}).refactor(
        *EXTRACTED_PART, left=("A#big",), right=("A#part", "A#big")
    )
    assert case.judged("A#big", "A#part").code_change is Purity.MIXED


def test_an_extracted_method_with_an_overload_explains_no_call() -> None:
    """It may be the overload that is called."""
    big, part = "long big(int x) { return x * 2; }", "long part(long x) { return x * 2; }"
    case = Revisions({CODE: a_class(big)}, {CODE: a_class(big.replace("x * 2", "part(x)"), part)}).refactor(
        *EXTRACTED_PART, left=("A#big",), right=("A#part", "A#big")
    )
    assert case.judged("A#big", "A#part").code_change is Purity.PURE
    overload = a_class("\n\n", "long part(int x) { return x * 3; }")
    case.new["overload"] = methods({CODE: overload})["A#part"]
    assert case.judged("A#big", "A#part").code_change is Purity.MIXED


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        pytest.param(
            "int big() { return this.place.get(); }",
            "int big() { return part(this.place); }",
            "int part(Place x) { return x.get(); }",
            id="a field that is read at once",
        ),
        pytest.param(
            "int big() { advance(); return Sizes.MOST; }",
            "int big() { return part(Sizes.MOST); }",
            "int part(int x) { advance(); return x; }",
            id="a constant",
        ),
        pytest.param(
            "int big(int x) { int t = count; return t + x; }",
            "int big(int x) { return part(x); }",
            "int part(int x) { int t = count; return t + x; }",
            id="a field of both",
        ),
    ],
)
def test_an_extraction_whose_names_stand_for_the_same_is_pure(old: str, new: str, part: str) -> None:
    case = Revisions({CODE: a_class(old)}, {CODE: a_class(new, part)}).refactor(
        *EXTRACTED_PART, left=("A#big",), right=("A#part", "A#big")
    )
    assert case.judged("A#big", "A#part").code_change is Purity.PURE


def test_an_inlining_is_the_same_the_other_way_round() -> None:
    case = Revisions(
        {CODE: a_class("void big(int x) { open(); part(x); }", "void part(int y) { first(y); second(y); }")},
        {CODE: a_class("void big(int x) { open(); first(x); second(x); }")},
    ).refactor(
        "Inline Method",
        "package part(y int) : void inlined to package big(x int) : void in class p.A",
        left=("A#part", "A#big"),
        right=("A#big",),
    )
    assert case.judged("A#big", "A#part").code_change == Purity.PURE


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
