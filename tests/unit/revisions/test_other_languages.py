"""Test files that are not in Java, or that TestNG runs, are counted with a reason, not passed over in silence."""

from pathlib import Path

import pytest
from mined_texts import Mined, Tree, mine

from testevo.labels.reasons.explanation import Mined as Records
from testevo.labels.reasons.explanation import explain
from testevo.labels.reasons.funnel import build_funnel
from testevo.records.labels import DropReason, LabelKind

CODE = "src/main/java/p/Code.java"
KOTLIN, GROOVY = "src/test/kotlin/p/CodeTest.kt", "src/test/groovy/p/CodeSpec.groovy"


def tree(value: int, **others: str) -> Tree:
    return {
        CODE: f"package p; public class Code {{ public static int m0() {{ return {value}; }} }}\n",
        "src/test/java/p/ATest.java": "package p; class ATest { @org.junit.Test public void works() { Code.m0(); } }",
        "src/main/kotlin/p/Made.kt": f"val made = {value}",
        **others,
    }


def mined(folder: Path) -> Mined:
    """The first pair touches tests in two other languages, the second one none."""
    kotlin = {KOTLIN: "class CodeTest { @Test fun works() = m0() }"}
    more = {KOTLIN: "class CodeTest { @Test fun works() = m0() + 1 }", GROOVY: "class CodeSpec { }"}
    return mine([tree(1, **kotlin), tree(2, **more), tree(3, **more)], folder, "strict")


def test_a_pair_names_the_test_files_in_other_languages_that_it_touches(tmp_path: Path) -> None:
    pairs = {int(pair.new_revision, 16): pair for pair in mined(tmp_path).pairs}
    assert pairs[1].other_language_tests == (GROOVY, KOTLIN)
    assert pairs[2].other_language_tests == ()


def test_the_funnel_and_the_explanation_count_them(tmp_path: Path) -> None:
    pairs = mined(tmp_path).pairs
    funnel = build_funnel(
        repositories=[], commits=[], builds=[], suites=[], unusable=[], pairs=pairs, labels=[], tasks=[]
    )
    told = [(stage.entered, stage.left) for stage in funnel if stage.unit == "test files not in Java"]
    assert [(entered, {one.reason: one.count for one in left}) for entered, left in told] == [
        (2, {"": 0, "other_language": 2})
    ]
    reasons = [one for one in explain(Records(pairs=pairs)) if "other_language" in one.what]
    assert [(one.count, one.of, one.example) for one in reasons] == [(1, 2, f"such as {GROOVY}")]


def using(text: str, *imports: str) -> Tree:
    lines = " ".join(f"import {name};" for name in imports)
    return {
        "src/test/java/p/ATest.java": f"package p; {lines} class ATest {{ @org.junit.Test public void works() "
        f"{{ Code.m0(); {text} }} }}"
    }


SUB_CLASS = "package p; class ATest extends Base { @org.junit.Test public void works() { Code.m0(); } }"
MADE = "src/test/kotlin/p/Made.kt"
HELPERS: dict[str, tuple[Tree, str, str]] = {
    "a class": (using("new Made();"), MADE, "package p\nclass Made {{ val n = {} }}"),
    "an object": (using("Made.INSTANCE.use();"), MADE, "package p\ninternal object Made {{ fun use() = {} }}"),
    "a function": (using("MadeKt.made();"), MADE, "package p\nfun made() = {}"),
    "a function by a static import": (using("made();", "static p.MadeKt.made"), MADE, "package p\nfun made() = {}"),
    "a function by a static import on demand": (
        using("made();", "static p.MadeKt.*"),
        MADE,
        "package p\nfun made() = {}",
    ),
    "a function of a file with a name of its own": (
        using("All.made();"),
        MADE,
        '@file:JvmName("All")\npackage p\nfun made() = {}',
    ),
    "what a class calls": (
        {**using("new First();"), "src/test/kotlin/p/First.kt": "class First {{ init {{ made() }} }}"},
        MADE,
        "inline fun <reified T> Any.made() = {}",
    ),
    "a super class": (
        {"src/test/java/p/ATest.java": SUB_CLASS},
        "src/test/groovy/p/Base.groovy",
        "package p\nabstract class Base {{ int n = {} }}",
    ),
    "a script": (using("new Data().run();"), "src/test/groovy/p/Data.groovy", "return {}"),
    "an object of Scala": (using("Made.of();"), "src/test/scala/p/Made.scala", "object Made {{ def of = {} }}"),
}


@pytest.mark.parametrize("helper", HELPERS)
def test_a_changed_helper_in_another_language_drops_a_test(helper: str, tmp_path: Path) -> None:
    test, path, text = HELPERS[helper]
    trees = [tree(value, **{**test, path: text.format(value)}) for value in (1, 2)]
    label = mine(trees, tmp_path, "strict").label("ATest#works", "0", "1")
    assert (label.label, label.reason, label.detail) == (LabelKind.NONE, DropReason.HELPER_CHANGED, path)


@pytest.mark.parametrize("helper", ["a class", "what a class calls"])
def test_a_new_helper_in_another_language_drops_a_test(helper: str, tmp_path: Path) -> None:
    test, path, text = HELPERS[helper]
    trees = [tree(1), tree(2, **{**test, path: text.format(1)})]
    label = mine(trees, tmp_path, "strict").label("ATest#works", "0", "1")
    assert label.reason is DropReason.HELPER_CHANGED and path in (label.detail or "")


@pytest.mark.parametrize(
    "text", ["class ATestOfKotlin {{ @Test fun works() = {} }}", "fun Code() = {}", "class Other {{ val ATest = {} }}"]
)
def test_what_no_test_in_java_names_in_another_language_drops_nothing(text: str, tmp_path: Path) -> None:
    trees = [tree(value, **{"src/test/kotlin/p/ATestOfKotlin.kt": text.format(value)}) for value in (1, 2)]
    assert mine(trees, tmp_path, "strict").label("ATest#works", "0", "1").label is LabelKind.UNCHANGED


TESTNG = "src/test/java/p/CodeNGTest.java"
FORMS = {
    "import": "package p; import org.testng.annotations.Test; class CodeNGTest { @Test void works() { use({}); } }",
    "import on demand": "package p; import org.testng.annotations.*; class CodeNGTest { @Test void a() { use({}); } }",
    "full name": "package p; class CodeNGTest { @org.testng.annotations.Test void works() { use({}); } }",
    "of the class": "package p; @org.testng.annotations.Test class CodeNGTest { public void works() { use({}); } }",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_pair_names_the_test_files_of_testng_that_it_touches(form: str, tmp_path: Path) -> None:
    texts = [FORMS[form].replace("{}", str(value)) for value in (1, 2, 2)]
    trees = [tree(value, **{TESTNG: text}) for value, text in enumerate(texts)]
    pairs = {int(pair.new_revision, 16): pair for pair in mine(trees, tmp_path, "strict").pairs}
    assert [pairs[number].other_framework_tests for number in (1, 2)] == [(TESTNG,), ()]


def test_a_file_of_testng_is_named_where_it_goes(tmp_path: Path) -> None:
    trees = [tree(1, **{TESTNG: FORMS["import"]}), tree(2)]
    assert [pair.other_framework_tests for pair in mine(trees, tmp_path, "strict").pairs] == [(TESTNG,)]


def test_the_funnel_and_the_explanation_count_those_of_testng(tmp_path: Path) -> None:
    trees = [tree(value, **{TESTNG: FORMS["import"].replace("{}", str(value))}) for value in (1, 2)]
    pairs = mine(trees, tmp_path, "strict").pairs
    funnel = build_funnel(
        repositories=[], commits=[], builds=[], suites=[], unusable=[], pairs=pairs, labels=[], tasks=[]
    )
    told = [(stage.entered, stage.left) for stage in funnel if stage.unit == "test files of other frameworks"]
    assert [(entered, {one.reason: one.count for one in left}) for entered, left in told] == [
        (1, {"": 0, "other_framework": 1})
    ]
    reasons = [one for one in explain(Records(pairs=pairs)) if "other_framework" in one.what]
    assert [(one.count, one.of, one.example) for one in reasons] == [(1, 1, f"such as {TESTNG}")]
