"""Sources are read in the encoding that their build names."""

import pytest

from testevo.java.encodings import encoding_of, in_utf8, is_read
from testevo.java.syntax import parse_java

SOURCE = 'class A { // äé\n @Tag("ü") void prüft(Größe a) { String s = "é"; } void g() {} }'
GREEK = "class A { void δοκιμή() {} }"


@pytest.mark.parametrize("encoding", ["UTF-8", "ISO-8859-1", "latin1", "Cp1252", "windows-1252", "ISO8859_15"])
def test_the_bytes_do_not_change_what_a_file_declares(encoding: str) -> None:
    source = SOURCE.encode(encoding)
    told, usual = parse_java(source, "A.java", encoding), parse_java(SOURCE.encode(), "A.java", "UTF-8")
    assert [(one.key, one.tokens, one.annotation_text, one.span) for one in told.methods] == [
        (one.key, one.tokens, one.annotation_text, one.span) for one in usual.methods
    ]
    first = told.methods[0]
    assert source[first.start_byte : first.end_byte].decode(encoding).startswith('@Tag("ü") void prüft'), "own bytes"


@pytest.mark.parametrize("encoding", ["ISO-8859-7", "windows-1253", "UTF8"])
def test_names_are_those_that_the_compiler_writes(encoding: str) -> None:
    (method,) = parse_java(GREEK.encode(encoding), "A.java", encoding).methods
    assert method.key.name == "δοκιμή"


def test_what_is_utf8_by_accident_is_read_as_the_compiler_reads_it() -> None:
    (method,) = parse_java("class A { void ü() {} }".encode(), "A.java", "ISO-8859-1").methods
    assert method.key.name == "ü".encode().decode("ISO-8859-1")


def test_a_part_of_a_file_is_read_as_the_whole_of_it() -> None:
    source = b'class A { void a() { s("\xc3\xbc"); } /* \xfc */ }'
    (method,) = parse_java(source, "A.java").methods
    assert encoding_of(source) == "ISO-8859-1"
    assert '"Ã¼"' in method.tokens


def test_undecodable_bytes_are_those_of_the_compiler() -> None:
    assert in_utf8(b"a\xfcb", "UTF-8").decode() == "a\ufffdb"
    (method,) = parse_java(b'class A { void a() { s("\xfc"); } }', "A.java", "UTF-8").methods
    assert '"\ufffd"' in method.tokens


@pytest.mark.parametrize(
    ("encoding", "text", "read"),
    [
        ("UTF-8", "ü", True),
        ("EUC-JP", "表", True),
        ("KOI8-R", "д", True),
        ("Shift_JIS", "表", False),
        ("GBK", "表", False),
        ("Big5", "表", False),
        ("UTF-16", "a", False),
        ("cp037", "a", False),
        ("x-unknown", "a", False),
        ("Shift_JIS", "a", True),
        ("GBK", "a", True),
    ],
)
def test_an_encoding_is_read_or_refused(encoding: str, text: str, read: bool) -> None:
    source = b"\xff" if encoding == "x-unknown" else text.encode(encoding)
    assert is_read(encoding, source) is read


def test_of_several_encodings_only_ascii_is_read() -> None:
    assert is_read("UTF-8/ISO-8859-1", b"a")
    assert not is_read("UTF-8/ISO-8859-1", b"\xc3\xbc")
    assert not is_read("UTF-8/UTF-16", b"a")
