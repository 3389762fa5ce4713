"""What becomes of tests that are pulled up, pushed down or overridden, and of methods that become tests."""

from pathlib import Path

import pytest
from mined_texts import Behaviour, Tree, mine, told_by_text

from testevo.records.labels import DropReason, LabelKind
from testevo.records.methods import ChangeKind, TestKey, TestKind
from testevo.records.verdicts import Outcome
from testevo.revisions.revision import RevisionView

CODE = "src/main/java/p/Code.java"
BASE, TEST, OTHER = (f"src/test/java/p/{name}.java" for name in ("BaseTest", "ATest", "BTest"))


def code(value: int) -> dict[str, str]:
    return {CODE: f"package p; public class Code {{ public static int m0() {{ return {value}; }} }}\n"}


def type_(declaration: str, *members: str) -> str:
    body = "".join(f"    {member}\n" for member in members)
    return f"package p;\n\nimport org.junit.Test;\n\n{declaration} {{\n{body}}}\n"


def works(text: str = "Code.m0();", annotation: str = "@Test ") -> str:
    return f"{annotation}public void works() {{ {text} }}"


OTHER_TEST = {OTHER: type_("public class BTest", "@Test public void others() { Code.m0(); }")}
EMPTY_BASE = {BASE: type_("public abstract class BaseTest")}
BASE_WORKS = {BASE: type_("public abstract class BaseTest", works())}
OWN = {TEST: type_("public class ATest extends BaseTest", works())}
INHERITED = {TEST: type_("public class ATest extends BaseTest")}


def between(old: Tree, new: Tree) -> list[Tree]:
    """The code changes together with the tests."""
    return [{**code(1), **OTHER_TEST, **old}, {**code(2), **OTHER_TEST, **new}]


@pytest.mark.parametrize(
    "old, new",
    [
        ({**EMPTY_BASE, **OWN}, {**BASE_WORKS, **INHERITED}),
        ({**BASE_WORKS, **INHERITED}, {**EMPTY_BASE, **OWN}),
        ({**BASE_WORKS, **INHERITED}, {**BASE_WORKS, **OWN}),
    ],
    ids=["pulled up", "pushed down", "overridden"],
)
def test_a_test_whose_text_moves_between_classes_has_not_changed(old: Tree, new: Tree, tmp_path: Path) -> None:
    mined = mine(between(old, new), tmp_path, "strict")
    label = mined.label("ATest#works", "0", "1")
    assert (label.change, label.label, label.reason) == (
        ChangeKind.UNCHANGED,
        LabelKind.UNCHANGED,
        DropReason.UNCHANGED,
    )


def test_a_test_that_changes_while_it_is_pulled_up_is_dropped_with_both_places(tmp_path: Path) -> None:
    changed = {BASE: type_("public abstract class BaseTest", works("Code.m0(); Code.m0();")), **INHERITED}
    mined = mine(between({**EMPTY_BASE, **OWN}, changed), tmp_path, "strict")
    label = mined.label("ATest#works", "0", "1")
    assert (label.change, label.reason) == (ChangeKind.MODIFIED, DropReason.DECLARED_ELSEWHERE)
    assert label.detail == f"{TEST} and {BASE}"
    change = mined.test_change("ATest#works")
    assert (change.kind, change.old_path, change.new_path) == (ChangeKind.MODIFIED, TEST, TEST)


def test_an_overriding_test_that_differs_is_one_change(tmp_path: Path) -> None:
    own = {TEST: type_("public class ATest extends BaseTest", works("Code.m0(); Code.m0();"))}
    mined = mine(between({**BASE_WORKS, **INHERITED}, {**BASE_WORKS, **own}), tmp_path, "strict")
    assert mined.test_change("ATest#works").kind is ChangeKind.MODIFIED
    assert mined.label("ATest#works", "0", "1").reason is DropReason.DECLARED_ELSEWHERE


@pytest.mark.parametrize("preset", ["strict", "released"])
@pytest.mark.parametrize("base_changes", [False, True], ids=["base stays", "base changes"])
@pytest.mark.parametrize("base", ["public abstract class BaseTest", "public class BaseTest"])
def test_a_test_that_becomes_an_overriding_one_is_removed_nowhere(
    base: str, base_changes: bool, preset: str, tmp_path: Path
) -> None:
    """Each class that runs the method has one change at most and one candidate; none has lost it."""
    old_base = {BASE: type_(base, works())}
    new_base = {BASE: type_(base, works("Code.m0(); int n = 1;"))} if base_changes else old_base
    own = {TEST: type_("public class ATest extends BaseTest", works("Code.m0(); Code.m0();"))}
    mined = mine(between({**old_base, **INHERITED}, {**new_base, **own}), tmp_path, preset)
    changed = [change.method.short for change in mined.changes if change.test_kind is not None]
    judged = [label.test.short for label in mined.labels]
    assert len(set(changed)) == len(changed) and "ATest#works" in changed
    assert len(set(judged)) == len(judged) and "ATest#works" in judged
    assert ChangeKind.REMOVED not in {label.change for label in mined.labels}
    assert ChangeKind.REMOVED not in {change.kind for change in mined.changes}


def test_released_counts_a_test_declared_in_another_class_as_absent(tmp_path: Path) -> None:
    """Overridden: the file of the class has not declared the method before, so that it is new there."""
    own = {TEST: type_("public class ATest extends BaseTest", works("Code.m0(); Code.m0();"))}
    mined = mine(between({**BASE_WORKS, **INHERITED}, {**BASE_WORKS, **own}), tmp_path / "overridden", "released")
    assert mined.label("ATest#works", "0", "1").label is LabelKind.DISCRIMINATING
    assert [task.track.value for task in mined.tasks] == ["generation"]
    mined = mine(between({**EMPTY_BASE, **OWN}, {**BASE_WORKS, **INHERITED}), tmp_path / "pulled up", "released")
    assert mined.label("ATest#works", "0", "1").reason is DropReason.TEST_KIND


@pytest.mark.parametrize("preset", ["strict", "released"])
def test_a_class_that_keeps_its_name_in_another_folder_is_compared_as_it_is(preset: str, tmp_path: Path) -> None:
    """No released task needs another reading: its moved test files have all got another package."""
    old, new = between({TEST: type_("public class ATest", works())}, {TEST: type_("public class ATest", works())})
    here = {"pom.xml": "", **old}
    there = {"part/pom.xml": "", **{f"part/{path}": text for path, text in new.items()}}
    mined = mine([here, there], tmp_path, preset)
    assert mined.label("ATest#works", "0", "1").change is ChangeKind.UNCHANGED
    assert mined.tasks == []


SECOND = "class BTest {{ @Test public void works() {{ {} }} }}\n"


def split(stays: bool) -> list[Tree]:
    """A class gets a file of its own while its test changes; the file that held it stays with another class or goes."""
    first = type_("public class ATest", "@Test public void first() { Code.m0(); }")
    old = {TEST: (first if stays else type_("interface Nothing")) + SECOND.format("Code.m0();")}
    new = {OTHER: f"package p;\nimport org.junit.Test;\n{SECOND.format('Code.m0(); int n = 1;')}"}
    return [{**code(1), **old}, {**code(2), **new, **({TEST: first} if stays else {})}]


def test_a_test_whose_class_left_a_file_that_stays_is_dropped_with_both_places(tmp_path: Path) -> None:
    """The old file in the place of the new one would declare its other classes a second time."""
    mined = mine(split(stays=True), tmp_path, "strict")
    label = mined.label("BTest#works", "0", "1")
    assert (label.change, label.reason) == (ChangeKind.MODIFIED, DropReason.DECLARED_ELSEWHERE)
    assert label.detail == f"{TEST} and {OTHER}"
    assert mined.tasks == []


def test_a_test_whose_class_came_into_a_file_that_was_there_is_dropped_with_both_places(tmp_path: Path) -> None:
    """The old file in the place of the new one would take the other class away, which the test may need."""
    first = type_("public class ATest", "@Test public void first() { Code.m0(); }")
    old = {TEST: first, OTHER: f"package p;\nimport org.junit.Test;\n{SECOND.format('Code.m0();')}"}
    trees = [{**code(1), **old}, {**code(2), TEST: first + SECOND.format("Code.m0(); int n = 1;")}]
    label = mine(trees, tmp_path / "strict", "strict").label("BTest#works", "0", "1")
    assert (label.change, label.reason) == (ChangeKind.MODIFIED, DropReason.DECLARED_ELSEWHERE)
    assert label.detail == f"{OTHER} and {TEST}"
    label = mine(trees, tmp_path / "released", "released").label("BTest#works", "0", "1")
    assert (label.change, label.reason) == (ChangeKind.MODIFIED, DropReason.TEST_KIND)


def test_a_test_whose_file_is_gone_has_moved(tmp_path: Path) -> None:
    mined = mine(split(stays=False), tmp_path, "strict")
    assert mined.label("BTest#works", "0", "1").label is LabelKind.UPDATE
    assert [(task.old_test_file, task.test_file) for task in mined.tasks] == [(TEST, OTHER)]


def test_where_methods_are_spliced_a_class_that_left_its_file_is_compared_as_it_is(tmp_path: Path) -> None:
    mined = mine(split(stays=True), tmp_path, "released")
    assert mined.label("BTest#works", "0", "1").label is LabelKind.UPDATE


def test_an_unchanged_method_that_becomes_a_test_is_a_new_test(tmp_path: Path) -> None:
    old = {TEST: type_("public class ATest", works(annotation=""), "@Test public void first() { Code.m0(); }")}
    new = {TEST: type_("public class ATest", works(), "@Test public void first() { Code.m0(); }")}
    mined = mine(between(old, new), tmp_path, "strict")
    change = mined.test_change("ATest#works")
    assert (change.kind, change.byte_code_differs, change.old_path) == (ChangeKind.INSERTED, False, TEST)
    assert mined.label("ATest#works", "0", "1").label is LabelKind.DISCRIMINATING
    assert [[one.test.name for one in task.tests] for task in mined.tasks] == [["works"]]


def test_released_makes_no_task_of_a_method_that_was_there_before_it_became_a_test(tmp_path: Path) -> None:
    """A generation task needs a method that is absent at the old revision."""
    old = {TEST: type_("public class ATest", works(annotation=""), "@Test public void first() { Code.m0(); }")}
    for number, text in enumerate(("Code.m0();", "Code.m0(); Code.m0();")):
        new = {TEST: type_("public class ATest", works(text), "@Test public void first() { Code.m0(); }")}
        mined = mine(between(old, new), tmp_path / str(number), "released")
        assert mined.label("ATest#works", "0", "1").reason is DropReason.NOT_A_TEST_BEFORE
        assert mined.tasks == []


def test_a_method_that_loses_its_annotation_is_a_removed_test(tmp_path: Path) -> None:
    kept = "@Test public void first() { Code.m0(); }"
    for number, text in enumerate(("Code.m0();", "Code.m0(); Code.m0();")):
        old = {TEST: type_("public class ATest", works(), kept)}
        new = {TEST: type_("public class ATest", works(text, annotation=""), kept)}
        for preset in ("strict", "released"):
            mined = mine(between(old, new), tmp_path / preset / str(number), preset)
            assert mined.label("ATest#works", "0", "1").reason is DropReason.REMOVED


def test_all_tests_of_a_class_that_becomes_concrete_are_new(tmp_path: Path) -> None:
    old = {TEST: type_("public abstract class ATest", works())}
    new = {TEST: type_("public class ATest", works())}
    label = mine(between(old, new), tmp_path, "strict").label("ATest#works", "0", "1")
    assert (label.change, label.label) == (ChangeKind.INSERTED, LabelKind.DISCRIMINATING)


def test_a_parameterised_test_of_an_abstract_class_changes_where_it_runs(tmp_path: Path) -> None:
    header = "@org.junit.jupiter.params.ParameterizedTest void works(int n)"
    old = {BASE: type_("public abstract class BaseTest", f"{header} {{ Code.m0(); }}"), **INHERITED}
    new = {BASE: type_("public abstract class BaseTest", f"{header} {{ Code.m0(); Code.m0(); }}"), **INHERITED}
    mined = mine(between(old, new), tmp_path, "strict")
    label = mined.label("ATest#works", "0", "1")
    assert (label.test_kind, label.label) == (TestKind.PARAMETERISED, LabelKind.UPDATE)
    assert label.edited_path == BASE
    assert not [one for one in mined.labels if one.test.short.startswith("BaseTest")]


def test_a_test_that_moved_to_another_module_is_the_same_test(tmp_path: Path) -> None:
    poms = {"a/pom.xml": "<project/>", "b/pom.xml": "<project/>"}
    old = {**poms, f"a/{CODE}": code(1)[CODE], f"a/{TEST}": type_("public class ATest", works())}
    new = {**poms, f"a/{CODE}": code(2)[CODE], f"b/{TEST}": type_("public class ATest", works())}
    label = mine([old, new], tmp_path, "strict").label("ATest#works", "0", "1")
    assert (label.change, label.label) == (ChangeKind.UNCHANGED, LabelKind.UNCHANGED)
    assert (label.test.module, label.old_path) == ("b", f"a/{TEST}")


def test_tests_of_a_renamed_module_run_where_each_end_has_it(tmp_path: Path) -> None:
    """Changed and new ones; a module that is not there runs nothing."""
    old_tests, new_tests = (type_("public class ATest", works(text)) for text in ("Code.m0();", "Code.m0(); int n;"))
    new_tests = new_tests.replace("}\n", "}\n    @Test public void more() { Code.m0(); }\n", 1)
    old = {"a/pom.xml": "<project/>", f"a/{CODE}": code(1)[CODE], f"a/{TEST}": old_tests}
    new = {"b/pom.xml": "<project/>", f"b/{CODE}": code(2)[CODE], f"b/{TEST}": new_tests}

    def run(tree: str, test: TestKey, repeat: int) -> Outcome:
        here = "a" if tree.partition("+")[0].endswith("0") else "b"
        return told_by_text(tree, test, repeat) if test.module == here else Outcome.NOT_FOUND

    mined = mine([old, new], tmp_path, "strict", Behaviour(run))
    assert mined.label("ATest#works", "0", "1").label is LabelKind.UPDATE
    assert mined.label("ATest#more", "0", "1").label is LabelKind.DISCRIMINATING
    assert [(task.old_test_file, task.test_file) for task in mined.tasks] == [(f"a/{TEST}", f"b/{TEST}")] * 2


def test_tests_of_one_class_name_in_two_modules_are_two(tmp_path: Path) -> None:
    poms = {"a/pom.xml": "<project/>", "b/pom.xml": "<project/>"}
    own = type_("public class ATest", works())
    changed = type_("public class ATest", works("Code.m0(); Code.m0();"))
    old = {**poms, f"a/{CODE}": code(1)[CODE], f"a/{TEST}": own, f"b/{TEST}": own}
    new = {**poms, f"a/{CODE}": code(2)[CODE], f"a/{TEST}": changed, f"b/{TEST}": own}
    mined = mine([old, new], tmp_path, "strict")
    assert {label.test.module: label.label for label in mined.labels} == {
        "a": LabelKind.UPDATE,
        "b": LabelKind.UNCHANGED,
    }


def copies(a: int, b: int, *tests: str) -> dict[str, str]:
    """Modules `a` and `b` hold a class `p.Code` each; `c` holds none."""
    files = {f"{module}/pom.xml": "<project/>" for module in "abc"}
    files |= {f"a/{CODE}": code(a)[CODE], f"b/{CODE}": code(b)[CODE]}
    text = type_("public class ATest", works("Code.m0(); int a = Code.m0() + 1;" if a + b > 2 else "Code.m0();"))
    return files | {f"{module}/{TEST}": text for module in tests}


@pytest.mark.parametrize("preset", ["strict", "released"])
def test_a_test_calls_the_class_of_its_own_module_among_those_of_one_name(preset: str, tmp_path: Path) -> None:
    """The other module's change is none of its dependencies, in either order of the modules."""
    for number, (a, b, changed, other) in enumerate([(2, 1, "a", "b"), (1, 2, "b", "a")]):
        mined = mine([copies(1, 1, "a", "b", "c"), copies(a, b, "a", "b", "c")], tmp_path / str(number), preset)
        assert [(one.module, one.copies) for one in mined.changes if one.test_kind is None] == [(changed, (other,))]
        labels = {label.test.module: label for label in mined.labels}
        assert labels[changed].label is LabelKind.UPDATE
        assert [one.path for one in labels[changed].dependencies] == [f"{changed}/{CODE}"]
        assert labels[other].reason is DropReason.NO_DEPENDENCY
        assert labels["c"].reason is DropReason.AMBIGUOUS_DEPENDENCY
        assert labels["c"].detail == "p.Code#m0()"


OVERLOADS = (
    "static class In { static class K { } } static class Out { static class K { } } static In.K k() { return null; }"
)


@pytest.mark.parametrize("preset", ["strict", "released"])
def test_calls_do_not_tell_overloads_of_one_key_apart(preset: str, tmp_path: Path) -> None:
    """`of(In.K)` and `of(Out.K)` are both `of(K)`: which of them the test called, nobody knows."""

    def version(number: int) -> dict[str, str]:
        of = f"static int of(In.K k) {{ return {number}; }} static int of(Out.K k) {{ return 0; }}"
        test = type_("public class ATest", works(f"Code.of(Code.k()); int n = {number};"))
        return {CODE: type_("public class Code", OVERLOADS, of), TEST: test}

    mined = mine([version(1), version(2)], tmp_path, preset)
    assert [one.key_is_shared for one in mined.changes if one.test_kind is None] == [True]
    label = mined.label("ATest#works", "0", "1")
    assert (label.reason, label.detail) == (DropReason.AMBIGUOUS_DEPENDENCY, "p.Code#of(K)")


@pytest.mark.parametrize("change", ["first", "second", "second is new", "second is gone"])
def test_tests_of_one_key_in_one_file_are_dropped_whichever_changed(change: str, tmp_path: Path) -> None:
    """No run and no byte code tells them apart; one that changed was taken for the other, which had not."""

    def tests(first: int, second: int | None) -> Tree:
        of_values = "@org.junit.jupiter.params.ParameterizedTest void works({}.K k) {{ Code.m0(); int n = {}; }}"
        numbers = {"a": first, "b": second}
        members = [of_values.format(name, number) for name, number in numbers.items() if number is not None]
        return {TEST: type_("class ATest", *members)}

    old = tests(1, None if change == "second is new" else 1)
    new = tests(2 if change == "first" else 1, {"second": 2, "second is gone": None}.get(change, 1))
    mined = mine(between(old, new), tmp_path, "strict")
    label = mined.label("ATest#works", "0", "1")
    assert (label.label, label.reason) == (LabelKind.NONE, DropReason.NOT_DECLARED)


def test_both_classes_of_one_name_have_their_changes(tmp_path: Path) -> None:
    mined = mine([copies(1, 1, "a", "b"), copies(2, 3, "a", "b")], tmp_path, "strict")
    assert {one.new_path for one in mined.changes if one.test_kind is None} == {f"a/{CODE}", f"b/{CODE}"}
    dependencies = {label.test.module: [one.path for one in label.dependencies] for label in mined.labels}
    assert dependencies == {"a": [f"a/{CODE}"], "b": [f"b/{CODE}"]}


def test_a_join_passes_over_changes_of_another_modules_class(tmp_path: Path) -> None:
    history = [copies(1, 1, "a"), copies(2, 1, "a"), copies(2, 2, "a")]
    history[1] |= {f"a/{TEST}": history[0][f"a/{TEST}"]}
    history[2] |= {f"a/{TEST}": type_("public class ATest", works("Code.m0(); int b = 1;"))}
    label = next(one for one in mine(history, tmp_path, "released").labels if one.label is LabelKind.UPDATE)
    assert [one.path for one in label.dependencies] == [f"a/{CODE}"]


def test_a_test_that_no_run_showed_the_calls_of_is_dropped_with_that_reason(tmp_path: Path) -> None:
    own = {TEST: type_("public class ATest", works())}
    changed = {TEST: type_("public class ATest", works("Code.m0(); int n = 1;"))}
    told = {Outcome.CRASHED: "crashed", Outcome.SKIPPED: "skipped with the call probe, passed in its suite"}
    for outcome, detail in told.items():
        do = Behaviour(told_by_text, probed=lambda test, outcome=outcome: outcome)
        label = mine(between(own, changed), tmp_path / outcome.value, "strict", do).label("ATest#works", "0", "1")
        assert (label.reason, label.detail) == (DropReason.CALLS_UNKNOWN, detail)


def test_a_test_that_no_source_file_shows_is_dropped_with_that_reason(tmp_path: Path) -> None:
    """Inherited from a library, or written in another language."""

    def stray(view: RevisionView) -> list[TestKey]:
        return [TestKey(module="", path=TEST, type_name="p.ATest", name="ofLibrary")]

    own = {TEST: type_("public class ATest extends lib.Contract", works())}
    do = Behaviour(told_by_text, strays=stray)
    mined = mine(between(own, own), tmp_path, "strict", do)
    assert mined.label("ATest#ofLibrary", "0", "1").reason is DropReason.NOT_DECLARED


def test_a_test_nested_in_an_abstract_class_is_dropped_with_that_reason(tmp_path: Path) -> None:
    """Reports name its own class, which no run by itself finds: only a class that extends the outer one runs."""

    def stray(view: RevisionView) -> list[TestKey]:
        return [TestKey(module="", path=BASE, type_name="p.BaseTest$In", name="works")]

    nested = f"@org.junit.jupiter.api.Nested class In {{ {works(annotation='@org.junit.jupiter.api.Test ')} }}"
    tests = {BASE: type_("abstract class BaseTest", nested), **INHERITED}
    mined = mine(between(tests, tests), tmp_path, "strict", Behaviour(told_by_text, strays=stray))
    label = mined.label("BaseTest$In#works", "0", "1")
    assert (label.reason, label.reason and label.reason.doc) == (
        DropReason.NOT_DECLARED,
        "no source file at hand declares the method that runs at an end, alone under its key and in a class that runs "
        "by itself",
    )
