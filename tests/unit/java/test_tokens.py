"""Unicode escapes are translated as javac translates them, before any token is read."""

import pytest

from testevo.java.tokens import tokens_of, without_unicode_escapes


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (rb"\u0072eturn", b"return"),
        (rb"\uuuu0072eturn", b"return"),
        (rb"// c\u000areturn", b"// c\nreturn"),
        (rb"/* \u002a\u002F f", b"/* */ f"),
        (rb"\\u0072", rb"\\u0072"),
        (rb"\\\u0072", rb"\\r"),
        (rb"\u005cu0072", rb"\u0072"),
        (rb"\u005c\u0072", rb"\r"),
        (rb"\u005c\\u0072", rb"\\\u0072"),
        (rb"\u00e9 \ud83d\ude00 \ud83d.", "\u00e9 \U0001f600 \ufffd.".encode()),
        (rb"\u00", rb"\u00"),
        (rb"\t\"\\", rb"\t\"\\"),
    ],
)
def test_an_escape_is_what_it_stands_for(written: bytes, read: bytes) -> None:
    """An odd number of backslashes begins one, several `u` are one, and no escape begins another."""
    assert without_unicode_escapes(written) == read


def test_escaped_keywords_and_comments_are_tokens() -> None:
    source = rb"void f() { // x \u000d \u0072eturn; }"
    assert tokens_of(without_unicode_escapes(source)) == [b"void", b"f", b"(", b")", b"{", b"return", b";", b"}"]
