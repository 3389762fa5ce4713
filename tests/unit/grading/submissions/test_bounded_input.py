"""Odd predictions become a record with a defect or a message; with quadratic work a test here would take minutes."""

from collections import ChainMap
from pathlib import Path

import pytest
from prediction_factories import OLD, PATH, fatal, kinds, prediction, target, task

from testevo.grading.edits import MOST_BYTES, canonical_edit
from testevo.grading.submissions.prediction_files import read_predictions
from testevo.grading.submissions.surroundings import surroundings
from testevo.java import signatures
from testevo.java.assertions.checks import checks_of
from testevo.java.signatures import erased_type
from testevo.java.splice import add_imports
from testevo.java.syntax import parse_java
from testevo.java.tokens import tokens_of
from testevo.records.evaluation.predictions import DefectKind, Edit
from testevo.runtime.errors import UserError


def edit_of(**form: object) -> Edit:
    return canonical_edit(prediction(**form), task(), target(task()), repair=False)


def refused(folder: Path, line: str) -> str:
    file = folder / "predictions"
    file.write_text(line)
    with pytest.raises(UserError) as caught:
        read_predictions(file, "s")
    return str(caught.value)


def test_one_key_of_many_that_stands_twice_is_named(tmp_path: Path) -> None:
    keys = "".join(f'"k{number}": 1, ' for number in range(60_000))
    assert "'k59999' more than once" in refused(tmp_path, f'{{{keys} "k59999": 2, "instance_id": "t1"}}')


@pytest.mark.parametrize("field", ["cost_usd", "wall_s", "tokens_in", "schema_version"])
def test_a_number_of_400_digits_is_refused(tmp_path: Path, field: str) -> None:
    assert f"`{field}` is 999" in refused(tmp_path, f'{{"instance_id": "t1", "{field}": {"9" * 400}}}')


def test_a_number_that_python_does_not_read_is_refused(tmp_path: Path) -> None:
    assert "not usable JSON" in refused(tmp_path, f'{{"instance_id": "t1", "cost_usd": {"9" * 5000}}}')


@pytest.mark.parametrize("numbers", [f"-{'1' * 5000},1 +1,1", f"-1,1 +1,{'1' * 5000}"])
def test_a_hunk_header_of_5000_digits_is_no_hunk_header(numbers: str) -> None:
    edit = edit_of(patch=f"--- a/{PATH}\n+++ b/{PATH}\n@@ {numbers} @@\n-a\n+b\n")
    assert fatal(edit) and DefectKind.NO_PATCH in kinds(edit)


def test_a_hunk_that_promises_a_billion_lines_fills_in_none() -> None:
    edit = edit_of(patch=f"--- a/{PATH}\n+++ b/{PATH}\n@@ -1,999999999 +1,999999999 @@\n x")
    assert fatal(edit) and DefectKind.HUNK_COUNTS in kinds(edit)


@pytest.mark.parametrize(
    "text", ["import" + " " * 150_000, "import a.b;\n" * 60_000 + "@Test public void adds() { }", " " * 150_000]
)
def test_blanks_and_imports_before_a_method_are_read_once(text: str) -> None:
    assert edit_of(tests={"adds": text}).content != OLD.encode()


def test_more_text_than_a_test_file_has_is_refused() -> None:
    edit = edit_of(files={PATH: "import a.b;\n" * (MOST_BYTES // 8)})
    assert kinds(edit) == [DefectKind.TOO_LARGE] and edit.content is None


def test_types_nested_deeper_than_class_files_can_be_are_not_read() -> None:
    assert parse_java(b"class A {" * 1500 + b"}" * 1500, "A.java").has_errors
    assert len(parse_java(b"class A {" * 100 + b"}" * 100, "A.java").types) == 100
    assert DefectKind.NOT_JAVA in kinds(edit_of(files={PATH: "class A {" * 1500 + "}" * 1500}))


def test_names_of_annotations_are_looked_up_not_searched_for() -> None:
    imports = "".join(f"import a.D{number};\n" for number in range(5000))
    methods = "".join(f"@D4999 void f{number}() {{}}\n" for number in range(5000))
    assert parse_java(f"{imports}class A {{\n{methods}}}".encode(), "A.java").methods[-1].annotation_text == "@a.D4999"


@pytest.mark.parametrize(
    "argument",
    ["+".join(['"a"'] * 30_000), "(" * 20_000 + "1" + ")" * 20_000, "assertEquals(1, " * 5000 + "1" + ")" * 5000],
)
def test_the_assertions_of_an_excessive_method_are_not_read(argument: str) -> None:
    assert checks_of(f"@Test void f() {{ assertEquals(1, {argument}); }}") is None


@pytest.mark.parametrize(
    ("first", "again"),
    [("", "/* "), ('"', '\\"'), ("'", "\\'"), ('"""\n', '\\"')],
    ids=["comment", "string", "character", "block"],
)
def test_what_is_never_closed_is_read_once(first: str, again: str) -> None:
    """However often it seems to begin again: each try would read to the end."""
    found = [len(tokens_of(f"a {first}{again * many}".encode())) for many in (10, 200_000)]
    assert found == [2, 2]
    source = f"class A {{ void f() {{ g({first}{again * 200_000}"
    assert parse_java(source.encode(), "A.java").has_errors
    assert checks_of(f"void f() {{ g({first}{again * 200_000}") is None
    assert surroundings(source.encode(), b"") == ()
    assert add_imports(source.encode(), parse_java(b"", "A.java"), ("b.C",)).startswith(b"import b.C;\nclass")


def test_long_names_in_strings_are_read_once() -> None:
    assert surroundings(b'f("' + b"a$" * 200_000 + b'!");', b"") == ()
    assert surroundings(b'f("' + b"a$" * 200_000 + b'Unsafe");', b"") == ("Unsafe",)


def test_type_variables_are_erased_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each bound is read once, however long the way to the last of a chain, and no scope is copied."""
    erased: list[int] = []
    monkeypatch.setattr(signatures, "erased_type", lambda *given: erased.append(1) or erased_type(*given))
    chain = [word for n in range(5000) for word in (b"T%d" % n, b"extends", b"T%d" % (n + 1), b",")]
    scope = signatures.type_variables([*chain, b"T5000", b"extends", b"Last"], {})
    assert len(erased) == 5001 and {scope[f"T{n}"] for n in range(5001)} == {"Last"}
    inner = signatures.type_variables([b"X"], scope)
    assert isinstance(inner, ChainMap) and inner.maps[0] == {"X": "Object"} and inner.maps[1:] == scope.maps


def test_a_cycle_of_type_variables_ends() -> None:
    words = b"A extends B , B extends C , C extends B".split()
    assert set(signatures.type_variables(words, {})) == {"A", "B", "C"}


def test_imports_without_an_end_are_read_once() -> None:
    source = b"import a;\n" + b"import b\n" * 100_000
    assert add_imports(source, parse_java(b"", "A.java"), ("c.D",)).startswith(b"import a;\nimport c.D;\nimport b\n")
