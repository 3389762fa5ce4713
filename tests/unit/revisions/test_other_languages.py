"""Test files that are not in Java, or that TestNG runs, are counted with a reason, not passed over in silence."""

from pathlib import Path

import pytest
from mined_texts import Mined, Tree, mine

from testevo.labels.reasons.explanation import Mined as Records
from testevo.labels.reasons.explanation import explain
from testevo.labels.reasons.funnel import build_funnel

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
