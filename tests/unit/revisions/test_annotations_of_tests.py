"""The annotations that apply to a test belong to it: it is modified when they alone differ, and never a negative."""

from pathlib import Path

import pytest
from mined_texts import Tree, mine

from testevo.records.labels import DropReason, LabelKind
from testevo.records.methods import ChangeKind

CODE = "src/main/java/p/Code.java"
BASE, TEST, OTHER = (f"src/test/java/p/{name}.java" for name in ("BaseTest", "ATest", "BTest"))
JUNIT4 = "import org.junit.Test;"
WORKS = "@Test public void works() { Code.m0(); }"


def code(value: int) -> Tree:
    return {CODE: f"package p; public class Code {{ public static int m0() {{ return {value}; }} }}\n"}


def test_class(member: str, declaration: str = "public class ATest", imports: str = JUNIT4) -> str:
    return f"package p;\n\n{imports}\n\n{declaration} {{\n    {member}\n}}\n"


test_class.__test__ = False  # type: ignore[attr-defined]


def between(old: Tree, new: Tree) -> list[Tree]:
    return [{**code(1), **old}, {**code(2), **new}]


ROWS = "@ParameterizedTest @CsvSource({}) void works(int n) {{ Code.m0(); }}"
CONVERTED = "@ParameterizedTest void works(@ConvertWith({}.class) int n) {{ Code.m0(); }}"
JUPITER = "import org.junit.jupiter.params.*;\nimport org.junit.jupiter.params.provider.*;"
BASED = "public class ATest extends BaseTest"
LOCALE = '@DefaultLocale("{}")\nabstract class BaseTest'
CHANGES = {
    "an expected exception": (
        {TEST: test_class(WORKS)},
        {TEST: test_class(WORKS.replace("@Test", "@Test(expected = Exception.class)"))},
    ),
    "rows of a table": (
        {TEST: test_class(ROWS.format('"1"'), imports=JUPITER)},
        {TEST: test_class(ROWS.format('{"1", "2"}'), imports=JUPITER)},
    ),
    "the converter of a parameter": (
        {
            TEST: test_class(
                "@ParameterizedTest void works(@ConvertWith(A.class) int n) { Code.m0(); }", imports=JUPITER
            )
        },
        {
            TEST: test_class(
                "@ParameterizedTest void works(@ConvertWith(B.class) int n) { Code.m0(); }", imports=JUPITER
            )
        },
    ),
    "an annotation of the class": (
        {TEST: test_class(WORKS)},
        {TEST: test_class(WORKS, '@DefaultLocale("de")\npublic class ATest')},
    ),
    "an annotation of the base class": (
        {TEST: test_class(WORKS, BASED), BASE: test_class("", LOCALE.format("de"))},
        {TEST: test_class(WORKS, BASED), BASE: test_class("", LOCALE.format("fr"))},
    ),
    "an annotation where the test is inherited": (
        {TEST: test_class("", BASED), BASE: test_class(WORKS, LOCALE.format("de"))},
        {TEST: test_class("", BASED), BASE: test_class(WORKS, LOCALE.format("fr"))},
    ),
}


@pytest.mark.parametrize("change", sorted(CHANGES.keys() - {"an annotation of the base class"}))
def test_a_test_whose_annotations_alone_change_is_modified(change: str, tmp_path: Path) -> None:
    mined = mine(between(*CHANGES[change]), tmp_path, "strict")
    label = mined.label("ATest#works", "0", "1")
    assert (label.change, label.label, label.reason) == (ChangeKind.MODIFIED, LabelKind.UPDATE, None)
    assert mined.test_change("ATest#works").text_differs
    assert [[one.test.short for one in task.tests] for task in mined.tasks] == [["ATest#works"]]


def test_annotations_of_another_file_make_no_task_of_this_one(tmp_path: Path) -> None:
    mined = mine(between(*CHANGES["an annotation of the base class"]), tmp_path, "strict")
    label = mined.label("ATest#works", "0", "1")
    assert (label.change, label.reason) == (ChangeKind.MODIFIED, DropReason.HELPER_CHANGED)


@pytest.mark.parametrize("change", CHANGES)
def test_where_annotations_do_not_count_the_test_is_no_negative_either(change: str, tmp_path: Path) -> None:
    mined = mine(between(*CHANGES[change]), tmp_path, "released")
    label = mined.label("ATest#works", "0", "1")
    dropped = DropReason.TEST_KIND if "import org.junit.Test" not in CHANGES[change][0][TEST] else None
    dropped = dropped or (DropReason.TEST_KIND if "inherited" in change else DropReason.ANNOTATIONS_CHANGED)
    assert (label.change, label.label, label.reason) == (ChangeKind.UNCHANGED, LabelKind.NONE, dropped)
    assert mined.executions == []


@pytest.mark.parametrize("preset", ["strict", "released"])
@pytest.mark.parametrize(
    "new",
    [
        test_class(WORKS.replace("@Test", '@Test @SuppressWarnings("unused")')),
        test_class(WORKS.replace("@Test", "@Test @Override")),
        test_class(WORKS.replace("@Test", "@Test /* as ever */")),
        test_class(WORKS.replace("@Test", "@org.junit.Test"), imports=""),
        test_class(WORKS, imports="import org.junit.*;"),
    ],
    ids=["suppressed warnings", "overrides", "comment", "written in full", "imported on demand"],
)
def test_what_no_engine_reads_is_no_change(new: str, preset: str, tmp_path: Path) -> None:
    label = mine(between({TEST: test_class(WORKS)}, {TEST: new}), tmp_path, preset).label("ATest#works", "0", "1")
    assert (label.change, label.label) == (ChangeKind.UNCHANGED, LabelKind.UNCHANGED)


@pytest.mark.parametrize("imported", ["Test", "*"])
def test_an_import_that_gives_an_annotation_another_meaning_is_a_change(imported: str, tmp_path: Path) -> None:
    old = {TEST: test_class(WORKS, imports=f"import org.junit.{imported};")}
    new = {TEST: test_class(WORKS, imports=f"import org.junit.jupiter.api.{imported};")}
    label = mine(between(old, new), tmp_path, "released").label("ATest#works", "0", "1")
    assert (label.label, label.reason) == (LabelKind.NONE, DropReason.ANNOTATIONS_CHANGED)
