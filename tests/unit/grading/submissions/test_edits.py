"""Every form of prediction becomes the whole target file, or a named reason why not (TEB-E02, E12)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prediction_factories import GOLD, OLD, PATH, diff, fatal, kinds, prediction, target, task, text

from testevo.grading.edits import canonical_edit
from testevo.grading.submissions.defects import ALWAYS_REPAIRED
from testevo.java.splice import method_text
from testevo.java.syntax import parse_java
from testevo.records.evaluation.predictions import DefectKind, Edit
from testevo.records.tasks import Track

BODIES = ("{ }", "{ assertEquals(1, f()); }", '{ String s = "}"; }', "{\n        // } done\n    }", "{ f(() -> { }); }")


def edit_of(repair: bool = False, **form: object) -> Edit:
    return canonical_edit(prediction(**form), task(), target(task()), repair)


def patched(old: str | bytes, new: str | bytes, **options: object) -> str:
    return text(diff(old, new, **options))  # type: ignore[arg-type]


def method_of(source: str, name: str) -> str:
    content = source.encode()
    methods = {method.key.name: method for method in parse_java(content, PATH).methods}
    return method_text(content, methods[name]).decode()


def test_the_developers_edit_comes_out_of_every_form() -> None:
    texts = {"adds": method_of(GOLD, "adds"), "ATest#divides": method_of(GOLD, "divides")}
    forms = {"exact": {"patch": patched(OLD, GOLD)}, "files": {"files": {PATH: GOLD}}, "methods": {"tests": texts}}
    for way, form in forms.items():
        edit = edit_of(**form)
        assert (edit.content, edit.applied_by, edit.defects) == (GOLD.encode(), way, ())


@given(st.lists(st.sampled_from(BODIES), min_size=2, max_size=2))
def test_the_three_forms_agree(bodies: list[str]) -> None:
    texts = {
        name: f"@Test\n    public void {name}() {body}" for name, body in zip(("adds", "divides"), bodies, strict=True)
    }
    by_methods = edit_of(tests=texts)
    whole = (by_methods.content or b"").decode()
    by_file = edit_of(files={PATH: whole})
    by_patch = edit_of(patch=patched(OLD, whole))
    assert by_methods.content == by_file.content == by_patch.content != OLD.encode()
    assert kinds(by_methods) == kinds(by_file) == kinds(by_patch) == []


@pytest.mark.parametrize(
    ("form", "kind"),
    [
        ({}, DefectKind.EMPTY),
        ({"patch": ""}, DefectKind.EMPTY),
        ({"patch": " \n"}, DefectKind.EMPTY),
        ({"files": {}, "tests": {}}, DefectKind.EMPTY),
        ({"patch": "x", "files": {PATH: "y"}}, DefectKind.TWO_FORMS),
        ({"files": {PATH: GOLD, f"./{PATH}": OLD}}, DefectKind.TWO_FORMS),
        ({"patch": "I changed the test."}, DefectKind.NO_PATCH),
        ({"patch": "@@ -1 +1 @@\n-a\n+b\n"}, DefectKind.NO_PATCH),
        ({"patch": "\ud800"}, DefectKind.NO_PATCH),
        ({"patch": patched(OLD.replace("add(1, 2)", "sum(1)"), GOLD)}, DefectKind.DOES_NOT_APPLY),
        ({"patch": text(diff(None, GOLD))}, DefectKind.DOES_NOT_APPLY),
        ({"patch": f"--- a/{PATH}\n+++ /dev/null\n@@ -1 +0,0 @@\n-package p;\n"}, DefectKind.DELETES_TARGET),
        ({"files": {"src/main/java/p/A.java": "class A { }"}}, DefectKind.OUTSIDE_TARGET),
        ({"files": {PATH: GOLD, "pom.xml": "<project/>"}}, DefectKind.BUILD_FILE),
        ({"files": {PATH: GOLD, "../out": ""}}, DefectKind.UNSAFE_PATH),
        ({"tests": {"adds": "I changed it."}}, DefectKind.NOT_JAVA),
    ],
)
def test_what_cannot_be_run_says_why(form: dict[str, object], kind: DefectKind) -> None:
    edit = edit_of(**form)
    assert edit.content is None and kind in fatal(edit)
    assert all(defect.message.endswith(".") for defect in edit.defects)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("src/main/java/p/A.java", DefectKind.OUTSIDE_TARGET),
        ("src/test/java/p/BTest.java", DefectKind.OUTSIDE_TARGET),
        ("pom.xml", DefectKind.BUILD_FILE),
        ("core/pom.xml", DefectKind.BUILD_FILE),
        (".mvn/jvm.config", DefectKind.BUILD_FILE),
        ("build.gradle.kts", DefectKind.BUILD_FILE),
        ("gradle/wrapper/gradle-wrapper.properties", DefectKind.BUILD_FILE),
        ("mvnw", DefectKind.BUILD_FILE),
        ("../secrets", DefectKind.UNSAFE_PATH),
        ("src/../../secrets", DefectKind.UNSAFE_PATH),
        ("/etc/passwd", DefectKind.UNSAFE_PATH),
        ("C:\\work\\x", DefectKind.UNSAFE_PATH),
        (".git/hooks/pre-commit", DefectKind.UNSAFE_PATH),
    ],
)
def test_other_files_are_refused_in_patches_too_and_only_unsafe_ones_for_good(path: str, kind: DefectKind) -> None:
    patch = patched(OLD, GOLD) + patched("a\n", "b\n", path=path)
    assert fatal(edit_of(patch=patch)) == [kind]
    repaired = edit_of(patch=patch, repair=True)
    assert kinds(repaired) == [kind]
    assert (repaired.content == GOLD.encode()) is (kind is not DefectKind.UNSAFE_PATH) is repaired.defects[0].repaired


@pytest.mark.parametrize(
    ("header", "kind", "repairable"),
    [
        ("old mode 100644\nnew mode 100755\n", DefectKind.MODE, True),
        ("new file mode 120000\n", DefectKind.LINK, False),
        ("similarity index 90%\nrename from src/test/java/p/Old.java\nrename to {path}\n", DefectKind.RENAME, False),
        ("Binary files a/{path} and b/{path} differ\n", DefectKind.BINARY, False),
    ],
)
def test_what_happens_to_the_target_itself_is_refused(header: str, kind: DefectKind, repairable: bool) -> None:
    patch = f"diff --git a/{PATH} b/{PATH}\n" + header.format(path=PATH) + patched(OLD, GOLD)
    assert kind in fatal(edit_of(patch=patch))
    assert (edit_of(patch=patch, repair=True).content is not None) is repairable


NEW_PATH = "src/test/java/p/NewTest.java"


@pytest.mark.parametrize("repair", [False, True])
@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (f"rename from {PATH}\nrename to {NEW_PATH}\n--- a/{PATH}\n+++ b/{NEW_PATH}\n", DefectKind.RENAME),
        (f"rename from {NEW_PATH}\nrename to {PATH}\n--- a/{NEW_PATH}\n+++ b/{PATH}\n", DefectKind.RENAME),
        (f"--- a/{PATH}\n+++ b/{NEW_PATH}\n", DefectKind.OUTSIDE_TARGET),
    ],
)
def test_a_move_of_the_target_is_never_left_out(names: str, kind: DefectKind, repair: bool) -> None:
    """Without it the patch would be one that changes nothing, or the rest of itself."""
    old, new = (PATH, NEW_PATH) if names.endswith(f"b/{NEW_PATH}\n") else (NEW_PATH, PATH)
    hunks = "".join(patched(OLD, GOLD).splitlines(keepends=True)[2:])
    edit = edit_of(repair, patch=f"diff --git a/{old} b/{new}\n{names}{hunks}")
    assert edit.content is None and kind in fatal(edit)


def test_a_file_that_exists_is_not_created_in_front_of_itself() -> None:
    hunk = f"@@ -0,0 +1,{GOLD.count(chr(10))} @@\n" + "".join(f"+{line}\n" for line in GOLD.splitlines())
    header = f"diff --git a/{PATH} b/{PATH}\nnew file mode 100644\n--- a/{PATH}\n+++ b/{PATH}\n"
    edit = edit_of(patch=header + hunk)
    assert fatal(edit) == [DefectKind.DOES_NOT_APPLY] and "which exists at the start state" in edit.defects[0].message


WRAPPED = {
    DefectKind.FENCED: lambda patch: f"Here it is:\n\n```diff\n{patch}```\nDone.",
    DefectKind.INDENTED: lambda patch: "".join(f"    {line}\n" for line in patch.splitlines()),
    DefectKind.LINE_ENDS: lambda patch: patch.replace("\n", "\r\n"),
    DefectKind.HUNK_COUNTS: lambda patch: (
        patch.replace("@@ -", "@@ -1", 1).replace("@@ -1", "@@ -", 1).replace(",7 +", ",9 +", 1)
    ),
}


@pytest.mark.parametrize("kind", WRAPPED)
def test_wrappings_are_named_and_taken_off_when_repairs_are_allowed(kind: DefectKind) -> None:
    patch = WRAPPED[kind](patched(OLD, GOLD))
    strict, repaired = edit_of(patch=patch), edit_of(patch=patch, repair=True)
    assert (fatal(strict), strict.content) == (([], GOLD.encode()) if kind in ALWAYS_REPAIRED else ([kind], None))
    assert repaired.content == GOLD.encode()
    assert [(defect.kind, defect.repaired, defect.fatal) for defect in repaired.defects] == [(kind, True, False)]


@pytest.mark.parametrize(
    "around", ["{patch}\nRun it:\n```bash\nmvn test\n```\n", "It was\n```java\nf();\n```\n{patch}"]
)
def test_a_diff_beside_a_fence_that_holds_none_is_the_patch(around: str) -> None:
    edit = edit_of(patch=around.format(patch=patched(OLD, GOLD)))
    assert (edit.content, edit.applied_by, edit.defects) == (GOLD.encode(), "exact", ())


def test_several_defects_are_all_told_at_once() -> None:
    both = patched(OLD, GOLD) + patched("a\n", "b\n", path="pom.xml")
    patch = WRAPPED[DefectKind.FENCED](WRAPPED[DefectKind.INDENTED](both))
    assert kinds(edit_of(patch=patch)) == [DefectKind.FENCED, DefectKind.INDENTED, DefectKind.BUILD_FILE]
    assert edit_of(patch=patch, repair=True).content == GOLD.encode()


def test_a_fenced_file_and_a_fenced_method_are_mended_alike() -> None:
    fenced = edit_of(files={PATH: f"```java\n{GOLD}```\n"})
    assert (kinds(fenced), fenced.content) == ([DefectKind.FENCED], GOLD.encode())
    texts = {name: f"```\n{method_of(GOLD, name)}\n```" for name in ("adds", "divides")}
    assert edit_of(tests=texts).content == GOLD.encode()


def test_a_stripped_patch_applies_and_is_only_a_warning() -> None:
    edit = edit_of(patch=patched(OLD, GOLD).strip())
    assert edit.content == GOLD.encode() and kinds(edit) == [DefectKind.NO_FINAL_NEWLINE] and fatal(edit) == []


def test_a_stripped_patch_whose_header_promises_lines_that_never_were_applies_without_them() -> None:
    patch = patched(OLD, GOLD, context=1).rstrip("\n")
    assert "@@ -19,3 +19,3 @@" in patch
    edit = edit_of(patch=patch.replace("@@ -19,3 +19,3 @@", "@@ -19,5 +19,5 @@"))
    assert edit.content == GOLD.encode() and fatal(edit) == []
    assert kinds(edit) == [DefectKind.NO_FINAL_NEWLINE, DefectKind.HUNK_COUNTS]


def test_a_hunk_counted_up_to_a_blank_line_is_read_whole() -> None:
    gold = OLD.replace("assertTrue(true)", "assertTrue(1 > 0)")
    patch = patched(OLD, gold, context=4)
    assert "@@ -10,9 +10,9 @@\n     }\n \n" in patch
    edit = edit_of(patch=patch.replace("@@ -10,9 +10,9 @@", "@@ -10 +10 @@"))
    assert edit.content == gold.encode() and kinds(edit) == [DefectKind.HUNK_COUNTS]


def test_the_way_of_applying_is_recorded() -> None:
    moved = OLD.replace("package p;\n", "package p;\n\nimport java.util.List;\n")
    edit = canonical_edit(prediction(patch=patched(OLD, GOLD)), task(), target(task(), old=moved), repair=False)
    assert (
        edit.applied_by == "offset"
        and edit.content
        == moved.replace("new A().add(1, 2)", "A.sum(1, 2)")
        .replace("new A().divide(4, 2)", "A.quotient(4, 2)")
        .encode()
    )


def test_a_file_in_another_encoding_keeps_its_bytes() -> None:
    """However the letters of a Latin-1 file came through JSON: as letters, or as the bytes they could not decode."""
    old, new = OLD.encode("latin-1"), GOLD.encode("latin-1")
    as_letters, as_bytes = (diff(old, new, context=9).decode("latin-1"), text(diff(old, new, context=9)))
    assert as_letters != as_bytes
    for patch in (as_letters, as_bytes):
        edit = canonical_edit(prediction(patch=patch), task(), target(task(), old=old), repair=False)
        assert edit.content == new and edit.text is None and edit.defects == ()
    texts = {name: method_of(GOLD, name) for name in ("adds", "divides")}
    assert canonical_edit(prediction(tests=texts), task(), target(task(), old=old), repair=False).content == new


def test_an_edit_without_effect_is_legal() -> None:
    edit = edit_of(files={PATH: OLD})
    assert edit.content == OLD.encode() and kinds(edit) == [DefectKind.NO_EFFECT] and fatal(edit) == []


def test_an_edit_of_line_ends_alone_is_told() -> None:
    edit = edit_of(files={f"./{PATH}": OLD.replace("\n", "\r\n")})
    assert kinds(edit) == [DefectKind.NO_EFFECT] and "but for line ends" in edit.defects[0].message


def test_every_target_that_the_edit_lacks_is_named_and_the_rest_is_graded() -> None:
    edit = edit_of(files={PATH: GOLD.replace("void divides()", "void renamed()")})
    assert edit.content is not None and kinds(edit) == [DefectKind.TARGET_MISSING] and fatal(edit) == []
    assert "ATest#divides: the edited file has no such method" in edit.defects[0].message


def test_a_file_with_a_syntax_error_is_left_to_the_compiler() -> None:
    """It is a compile failure, not a harness failure (TEB-V05)."""
    edit = edit_of(files={PATH: GOLD.replace("A.sum(1, 2)", "A.sum(1, 2")})
    assert edit.content is not None and set(kinds(edit)) == {DefectKind.NOT_JAVA} and fatal(edit) == []


class TestMethods:
    """Per-method texts."""

    def test_a_generated_method_is_appended_to_its_class(self) -> None:
        generation = task(Track.GENERATION)
        texts = {name: method_of(GOLD, name) for name in ("adds", "divides")}
        edit = canonical_edit(prediction(tests=texts), generation, target(generation), repair=False)
        parsed = parse_java(edit.content or b"", PATH)
        assert [method.key.name for method in parsed.methods] == ["keeps", "adds", "divides"]
        assert not parsed.has_errors and edit.defects == ()

    def test_without_a_file_there_is_no_place_for_a_method(self) -> None:
        generation = task(Track.GENERATION, has_old_file=False)
        edit = canonical_edit(prediction(tests={"adds": "x"}), generation, target(generation), repair=False)
        assert fatal(edit) == [DefectKind.DOES_NOT_APPLY]

    def test_helpers_and_documentation_may_come_with_a_method(self) -> None:
        given = "/** Adds. */\n" + method_of(GOLD, "adds") + "\n\n    private int one() { return 1; }"
        edit = edit_of(tests={"adds": given})
        names = [method.key.name for method in parse_java(edit.content or b"", PATH).methods]
        assert names == ["adds", "one", "keeps", "divides"] and fatal(edit) == []

    def test_a_method_whose_parameters_the_developer_changed_is_replaced(self) -> None:
        gold = GOLD.replace("void adds()", "void adds(int expected)")
        given = {"adds": method_of(gold, "adds"), "divides": method_of(gold, "divides")}
        of = task(gold=gold)
        edit = canonical_edit(prediction(tests=given), of, target(of, gold=gold), repair=False)
        assert edit.content == gold.encode() and edit.defects == ()

    @pytest.mark.parametrize(
        "body", ['map("/api/*");', "// of /api/* and more\n", 'f("src/**/*.java", "/*");', "/* a */"]
    )
    def test_what_opens_a_comment_in_a_string_or_a_comment_is_no_comment(self, body: str) -> None:
        given = f"@Test\n    public void adds() {{ {body} }}"
        edit = edit_of(tests={"adds": given})
        assert given in (edit.content or b"").decode() and edit.defects == ()

    @pytest.mark.parametrize("end", ["/*", "/*= ", "\\u002f* ", "/** one */ /* two"])
    def test_a_comment_that_is_never_closed_would_swallow_what_follows(self, end: str) -> None:
        edit = edit_of(tests={"adds": f'@Test\n    public void adds() {{ f("*/"); }} {end}'})
        assert edit.content is None and kinds(edit) == [DefectKind.NOT_JAVA] * 2

    def test_imports_before_a_method_are_added_once(self) -> None:
        known = "import org.junit.Test;\nimport static java.util.Map.*;\nimport java.util.List;\n"
        edit = edit_of(tests={name: known + method_of(GOLD, name) for name in ("adds", "divides")})
        added = "import org.junit.Test;\nimport static java.util.Map.*;\nimport java.util.List;\n"
        assert edit.content == GOLD.replace("import org.junit.Test;\n", added).encode() and edit.defects == ()

    def test_an_inherited_test_that_runs_in_two_classes_has_one_name(self) -> None:
        of = task()
        runs = [
            of.tests[0].model_copy(update={"test": of.tests[0].test.model_copy(update={"type_name": name})})
            for name in ("p.OneTest", "p.OtherTest")
        ]
        of = of.model_copy(update={"tests": tuple(runs)})
        for name in ("adds", "ATest#adds"):
            edit = canonical_edit(
                prediction(tests={name: "@Test public void adds() { }"}), of, target(of), repair=False
            )
            assert "@Test public void adds() { }" in (edit.content or b"").decode() and edit.defects == ()

    def test_the_names_that_a_message_gives_are_taken(self) -> None:
        both = GOLD.replace("adds() {", "adds(int count) {").replace("divides() {", "adds(String text) {")
        of = task(gold=both, targets=("adds",))
        texts = {"adds": "@Test public void adds(int count) { }"}
        (defect, *_) = canonical_edit(prediction(tests=texts), of, target(of, gold=both), repair=False).defects
        assert "names 2 targets" in defect.message
        assert defect.message.endswith("use ATest#adds(String), ATest#adds(int).")
        named = {"ATest#adds(int)": texts["adds"]}
        assert canonical_edit(prediction(tests=named), of, target(of, gold=both), repair=False).content is not None

    @pytest.mark.parametrize("name", ["missing", "BTest#adds", "adds(int)", "keeps"])
    def test_a_text_for_another_method_is_left_out(self, name: str) -> None:
        edit = edit_of(tests={name: "void x() { }", "divides": method_of(GOLD, "divides")})
        assert kinds(edit) == [DefectKind.NO_SUCH_METHOD] and fatal(edit) == []
        assert edit.content == OLD.replace("new A().divide(4, 2)", "A.quotient(4, 2)").encode()

    @pytest.mark.parametrize("name", ["adds", "ATest#adds", "p.ATest#adds", "adds()", "ATest#adds()"])
    def test_a_method_goes_by_several_names(self, name: str) -> None:
        assert edit_of(tests={name: method_of(GOLD, "adds")}).defects == ()

    @pytest.mark.parametrize("given", ["I cannot.", "void adds() {", "public void adds() { } }", "int adds;", ""])
    def test_an_unreadable_text_costs_its_own_method_only(self, given: str) -> None:
        """Its method is taken out, so that it is a harness failure; a brace too many never reaches its neighbours."""
        edit = edit_of(tests={"adds": given, "divides": method_of(GOLD, "divides")})
        assert set(kinds(edit)) == {DefectKind.NOT_JAVA, DefectKind.TARGET_MISSING} and fatal(edit) == []
        parsed = parse_java(edit.content or b"", PATH)
        assert [method.key.name for method in parsed.methods] == ["keeps", "divides"] and not parsed.has_errors


class TestNewFiles:
    """Generation where the file does not exist yet."""

    generation = task(Track.GENERATION, has_old_file=False)

    def edit(self, **form: object) -> Edit:
        return canonical_edit(prediction(**form), self.generation, target(self.generation), repair=False)

    def test_a_patch_may_create_it(self) -> None:
        for patch in (diff(None, GOLD), diff(None, GOLD).replace(b"\n", b"\r\n")):
            assert self.edit(patch=text(patch)).content == GOLD.encode()

    def test_the_whole_file_may_be_given(self) -> None:
        edit = self.edit(files={PATH: GOLD})
        assert edit.content == GOLD.encode() and edit.defects == ()

    def test_a_patch_that_expects_lines_of_it_does_not_apply(self) -> None:
        assert fatal(self.edit(patch=patched(OLD, GOLD))) == [DefectKind.DOES_NOT_APPLY]

    def test_a_patch_to_other_files_alone_is_none(self) -> None:
        assert fatal(self.edit(patch=patched("a\n", "b\n", path="x"))) == [DefectKind.OUTSIDE_TARGET]


@given(st.text(max_size=200), st.booleans())
def test_no_text_whatever_breaks_the_reduction(garbage: str, repair: bool) -> None:
    for form in (
        {"patch": garbage},
        {"patch": patched(OLD, GOLD) + garbage},
        {"tests": {"adds": garbage}},
        {"files": {PATH: garbage}},
    ):
        edit = edit_of(repair, **form)
        assert (edit.content is None) is bool(fatal(edit))
