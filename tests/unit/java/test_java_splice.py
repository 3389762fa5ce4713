"""Splicing one method changes that method and no other byte."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from testevo.java.splice import add_imports, append_method, method_text, replace_method
from testevo.java.syntax import parse_java

LINE_ENDS = ("\n", "\r\n", "\r")
BODIES = (
    "{ }",
    "{ return; }",
    '{ String s = "}"; /* } */ }',
    "{ Object o = new Object() { void x() { } }; }",
    "{ // }\n  }",
    "{ char c = '\"'; }",
    '{ String \u00e4 = "\u4e16\U0001f600"; }',
)
HEADS = (
    "",
    "@Deprecated\n  ",
    "/** doc } */\n  @Test(expected = E.class)\n  public ",
    "static <T extends Comparable<T>> ",
)
SHELLS = (
    "class A { MEMBERS }",
    "package p;\nclass A {\nMEMBERS\n}\n",
    "enum A { X { void in() { } }, Y; MEMBERS }",
    "interface O { int I = 1;\n  class A {\n MEMBERS\n\t}\n}",
    "record A(int... a) { A { } MEMBERS }",
)


@st.composite
def sources(draw: st.DrawFn) -> bytes:
    """A file with a type A that has some methods m0, m1, ..., in some layout."""
    members = draw(st.lists(st.tuples(st.sampled_from(HEADS), st.sampled_from(BODIES)), min_size=1, max_size=4))
    text = "\n  ".join(f"{head}void m{at}() {body}" for at, (head, body) in enumerate(members))
    source = draw(st.sampled_from(SHELLS)).replace("MEMBERS", text).replace("\n", draw(st.sampled_from(LINE_ENDS)))
    return source.encode()


@settings(deadline=None, derandomize=True)
@given(sources())
def test_replacing_a_method_by_itself_changes_nothing(source: bytes) -> None:
    for method in parse_java(source, "A.java").methods:
        assert replace_method(source, method, method_text(source, method)) == source


@settings(deadline=None, derandomize=True)
@given(sources(), sources(), st.data())
def test_replacing_a_method_leaves_all_other_bytes_and_the_new_one_is_found(
    source: bytes, donor: bytes, data: st.DataObject
) -> None:
    methods = [method for method in parse_java(source, "A.java").methods if not method.is_constructor]
    at = data.draw(st.integers(0, len(methods) - 1))
    text = method_text(donor, data.draw(st.sampled_from(parse_java(donor, "A.java").methods[-1:])))
    text = text.replace(b"void m", b"void replaced")
    result = replace_method(source, methods[at], text)
    after = len(source) - methods[at].end_byte
    assert result[: methods[at].start_byte] == source[: methods[at].start_byte]
    assert result[len(result) - after :] == source[len(source) - after :]
    parsed = parse_java(result, "A.java")
    found = [method for method in parsed.methods if method.key.name.startswith("replaced")]
    assert not parsed.has_errors
    assert [method_text(result, method) for method in found] == [text]


@settings(deadline=None, derandomize=True)
@given(sources(), sources())
def test_an_appended_method_is_the_last_member_and_nothing_else_changes(source: bytes, donor: bytes) -> None:
    text = method_text(donor, parse_java(donor, "A.java").methods[-1]).replace(b"void m", b"void added")
    file = parse_java(source, "A.java")
    target = next(type_ for type_ in file.types if type_.simple_name == "A")
    result = append_method(source, target, text)
    start = result.index(text)
    before, after = result[:start], result[start + len(text) :]
    assert source.startswith(before.rstrip()) and source.endswith(after.lstrip())
    parsed = parse_java(result, "A.java")
    assert not parsed.has_errors
    assert [one.tokens for one in parsed.methods[:-1]] == [one.tokens for one in file.methods]
    assert parsed.methods[-1].key.type_name == target.name
    assert method_text(result, parsed.methods[-1]) == text


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("", "import a.B;\nimport static c.D.*;\n"),
        ("package p;\n", "package p;\nimport a.B;\nimport static c.D.*;\n"),
        ("// import x;\nimport a.B;\n", "// import x;\nimport a.B;\nimport static c.D.*;\n"),
        ("import a.B;\nimport static c.D.*;\n", "import a.B;\nimport static c.D.*;\n"),
        ("import a.B;\n/*\nimport e.F;\n*/\n", "import a.B;\nimport static c.D.*;\n/*\nimport e.F;\n*/\n"),
    ],
)
def test_imports_that_a_file_lacks_are_added(head: str, expected: str) -> None:
    source = f"{head}class A {{ }}\n".encode()
    result = add_imports(source, parse_java(source, "A.java"), ["a.B", "static c.D.*", "a.B"])
    assert result == f"{expected}class A {{ }}\n".encode()


@pytest.mark.parametrize("line_end", LINE_ENDS)
def test_an_appended_method_gets_the_line_ends_and_the_indentation_of_its_surroundings(line_end: str) -> None:
    def file(text: str) -> bytes:
        return text.replace("\n", line_end).encode()

    source = file("class A {\n  class B {\n    int i;\n  }\n}\n")
    inner = parse_java(source, "A.java").types[1]
    assert append_method(source, inner, b"void f() { }") == file(
        "class A {\n  class B {\n    int i;\n      void f() { }\n  }\n}\n"
    )


@pytest.mark.parametrize("body", ["X", "X,", "X { }", "", "X\n", "X, // last\n", "X;", "X; int i;"])
def test_a_method_can_be_appended_to_every_enum(body: str) -> None:
    """Constants need a `;` before the first member."""
    source = f"enum E {{ {body} }}".encode()
    result = append_method(source, parse_java(source, "E.java").types[0], b"void f() { }")
    parsed = parse_java(result, "E.java")
    assert not parsed.has_errors
    assert [str(method.key) for method in parsed.methods] == ["E#f()"]
