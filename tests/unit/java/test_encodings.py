"""Sources are read in the encoding that their build names."""

import pytest

from testevo.java.encodings import UnwritableError, encoding_of, in_utf8, is_read, rewritten
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


@pytest.mark.parametrize(
    ("text", "written", "wanted"),
    [("größe é", "ISO-8859-1", "UTF-8"), ("größe é", "UTF-8", "Cp1252"), ("€", "windows-1252", "ISO-8859-15")],
)
def test_a_text_says_the_same_in_another_encoding(text: str, written: str, wanted: str) -> None:
    assert rewritten(text.encode(written), written, wanted) == text.encode(wanted)


@pytest.mark.parametrize(
    ("source", "written", "wanted"),
    [
        (b"\xfc", "UTF-8", "utf8"),
        (b"\xfc", "latin1", "ISO-8859-1"),
        (b"\xfc", None, None),
        (b"a", "GBK", "UTF-8/KOI8-R"),
    ],
)
def test_bytes_that_need_no_change_stay(source: bytes, written: str | None, wanted: str | None) -> None:
    assert rewritten(source, written, wanted) == source


@pytest.mark.parametrize(
    ("source", "written", "wanted", "reason"),
    [
        ("é".encode(), "UTF-8", "US-ASCII", "the character 'é' has no form in US-ASCII"),
        ("€".encode(), "UTF-8", "ISO-8859-1", "the character '€' has no form in ISO-8859-1"),
        (b"\xfc", "UTF-8", "ISO-8859-1", "the byte 0xfc says nothing in UTF-8"),
        (b"\xfc", "US-ASCII", "UTF-8", "the byte 0xfc says nothing in US-ASCII"),
        (b"\xfc", "x-unknown", "UTF-8", "x-unknown is not read here"),
        (b"\xfc", "UTF-8/ISO-8859-1", "UTF-8", "UTF-8/ISO-8859-1 is not read here"),
        ("é".encode(), "UTF-8", "x-unknown", "x-unknown is not written here"),
        ("表".encode(), "UTF-8", "Shift_JIS", "Shift_JIS is not written here"),
        ("é".encode(), None, "UTF-8", "the encoding of a text with characters beyond ASCII is not known"),
        ("é".encode(), "UTF-8", None, "the encoding of a text with characters beyond ASCII is not known"),
    ],
)
def test_what_cannot_be_written_says_why(source: bytes, written: str | None, wanted: str | None, reason: str) -> None:
    with pytest.raises(UnwritableError) as raised:
        rewritten(source, written, wanted)
    assert str(raised.value) == reason
