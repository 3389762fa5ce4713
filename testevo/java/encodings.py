"""Encodings of Java sources: the one that a build names to the compiler decides what the bytes of a file say.

Methods and tests are put back byte by byte, so that only encodings are read in which ASCII characters are single bytes
and no other character has such a byte. In all others a file can be read only as long as it is ASCII.
"""

import codecs
import re

from testevo.records.verdicts import BuildVerdict

USUAL = "UTF-8"
"""What javac assumes where the build names none: the environment of every build says so."""

_READ = re.compile(r"utf-8|ascii|iso8859-\d+|cp125\d|koi8-[rut]|mac-\w+|euc_(jp|kr)|gb2312")
_ASCII_ABOVE = re.compile(r"big5\w*|gbk|gb18030|shift_jis\w*|cp9(32|49|50)|euc_\w+|johab")
"""In these an ASCII file is the same bytes, though other characters may have bytes of ASCII."""


def is_usual(encoding: str) -> bool:
    """Whether a name, however it is written, means UTF-8."""
    return is_same(encoding, USUAL)


def is_same(one: str, other: str) -> bool:
    """Whether two names mean one encoding."""
    return one == other or _codec(one) == _codec(other) != ""


def is_read(encoding: str, source: bytes) -> bool:
    """Whether a file says here what it says to a compiler that is told this encoding, or one of several (`a/b`)."""
    names = [_codec(name) for name in encoding.split("/")]
    if len(names) == 1 and _READ.fullmatch(names[0]):
        return True
    return source.isascii() and all(_READ.fullmatch(name) or _ASCII_ABOVE.fullmatch(name) for name in names)


def encoding_of(source: bytes) -> str:
    """The encoding of a file whose build nobody knows: UTF-8, or else Latin-1, which loses nothing."""
    try:
        source.decode(USUAL)
    except UnicodeDecodeError:
        return "ISO-8859-1"
    return USUAL


def in_utf8(source: bytes, encoding: str) -> bytes:
    """Bytes of a file in this encoding as UTF-8.

    What cannot be decoded becomes a replacement character, as it does for the compiler that lets it pass.
    """
    return source if source.isascii() else source.decode(encoding, "replace").encode()


class UnreadError(ValueError):
    """A file of which nobody knows what it says; the message has the reason."""


def as_built(source: bytes, path: str, build: BuildVerdict | None) -> bytes:
    """Bytes of a file as UTF-8, as the compiler of its revision read them.

    Raises:
        UnreadError: the record of that build does not tell how.
    """
    if source.isascii():
        return source
    encoding = build.encoding_of(path) if build is not None else None
    if build is None or encoding is None:
        raise UnreadError(f"no build record names the encoding of {path}; run build_check again")
    if not is_read(encoding, source):
        raise UnreadError(
            f"{path} at {build.revision[:7]} is compiled as {encoding}, an encoding that is not read here"
        )
    return in_utf8(source, encoding)


class UnwritableError(ValueError):
    """A text cannot be written in another encoding; the message says why."""


def rewritten(source: bytes, written: str | None, wanted: str | None) -> bytes:
    """Bytes of a file in one encoding as bytes that say the same in another.

    Args:
        written, wanted: of two compilers; None where no compiler reads the file.

    Raises:
        UnwritableError: the bytes say nothing in the one encoding, or a character of them has no form in the other.
    """
    if source.isascii() or written is wanted is None:
        return source
    if written is None or wanted is None:
        raise UnwritableError("the encoding of a text with characters beyond ASCII is not known")
    if is_same(written, wanted):
        return source
    text = _strictly(source, written)
    try:
        content = text.encode(wanted)
    except UnicodeEncodeError as error:
        raise UnwritableError(f"the character {text[error.start]!r} has no form in {wanted}") from error
    except LookupError as error:
        raise UnwritableError(f"{wanted} is not written here") from error
    if not is_read(wanted, content) or content.decode(wanted) != text:
        raise UnwritableError(f"{wanted} is not written here")
    return content


def _strictly(source: bytes, encoding: str) -> str:
    if not is_read(encoding, source):
        raise UnwritableError(f"{encoding} is not read here")
    try:
        return source.decode(encoding)
    except UnicodeDecodeError as error:
        raise UnwritableError(f"the byte {source[error.start]:#04x} says nothing in {encoding}") from error


def _codec(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return ""
