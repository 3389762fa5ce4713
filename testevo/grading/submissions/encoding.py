"""From the text of a prediction to bytes of a file: predictions are JSON, files are whatever they are."""

from testevo.java.encodings import USUAL, UnwritableError, is_read, is_usual


def bytes_like(text: str, file: bytes | None, encoding: str = USUAL) -> bytes | None:
    """The bytes of `text` in the encoding of the build; None for text that no encoding has (half a surrogate pair).

    Bytes that a program could not decode and wrote as U+DC80 to U+DCFF are those bytes again. In a file that should be
    UTF-8 and is not, letters up to U+00FF are single bytes, as in ISO 8859-1; text with others is UTF-8 all the same.

    Raises:
        UnwritableError: a character has no form in the encoding.
    """
    if is_usual(encoding) and file is not None and not _is_utf8(file):
        try:
            return b"".join(_single_byte(letter) for letter in text)
        except UnicodeEncodeError:
            pass
    if text.isascii():
        return text.encode()
    if not is_read(encoding, b"\xff"):
        raise UnwritableError(f"the build reads the file as {encoding}, in which only ASCII is written here")
    try:
        return text.encode(encoding, "surrogateescape")
    except UnicodeEncodeError as error:
        letter = text[error.start]
    if "\ud800" <= letter <= "\udfff":
        return None
    raise UnwritableError(
        f"the character {letter!r} has no form in {encoding}, in which the build reads the file; write it as a Unicode "
        f"escape ({_escape(letter)})"
    )


def adds_undecodable(content: bytes, start: bytes | None, encoding: str) -> bool:
    """Whether a file has more bytes than before that say nothing in its encoding."""
    return _undecodable(content, encoding) > _undecodable(start or b"", encoding)


def _undecodable(content: bytes, encoding: str) -> int:
    return not content.isascii() and sum(
        "\udc80" <= letter <= "\udcff" for letter in content.decode(encoding, "surrogateescape")
    )


def _escape(letter: str) -> str:
    units = letter.encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _single_byte(letter: str) -> bytes:
    return letter.encode("latin-1", "surrogateescape")


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
