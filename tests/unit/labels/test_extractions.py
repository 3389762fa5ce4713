"""Extractions and inlinings that explain a change, and those that change what it says (TEB-X10, X11)."""

import pytest
from refactored_revisions import CODE, Revisions, a_class, methods

from testevo.records.labels import Purity

BIG = "void big(int x) { open(); first(x); second(x); close(); }"


def extraction(old: str, new: str, part: str) -> Revisions:
    """The class with `big` as it was, and with `part` extracted from it."""
    text = "package part(x int) : int extracted from package big(x int) : int in class p.A"
    return Revisions({CODE: a_class(old)}, {CODE: a_class(new, part)}).refactor(
        "Extract Method", text, left=("A#big",), right=("A#part", "A#big")
    )


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
    case = extraction(old, new, part)
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
    case = extraction(old, new, part)
    assert case.judged("A#big", "A#part").code_change is Purity.MIXED


def test_an_extracted_method_with_an_overload_explains_no_call() -> None:
    """It may be the overload that is called."""
    big, part = "long big(int x) { return x * 2; }", "long part(long x) { return x * 2; }"
    case = extraction(big, big.replace("x * 2", "part(x)"), part)
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
    case = extraction(old, new, part)
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
