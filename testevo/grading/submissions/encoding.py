"""From the text of a prediction to bytes of a file: predictions are JSON, files are whatever they are."""


def bytes_like(text: str, file: bytes | None) -> bytes | None:
    """The bytes of `text` in the encoding of `file`; None for text that no encoding has (half a surrogate pair).

    Bytes that a program could not decode and wrote as U+DC80 to U+DCFF are those bytes again. In a file that is not
    UTF-8, letters up to U+00FF are single bytes, as in ISO 8859-1; text with others is UTF-8 all the same.
    """
    if file is not None and not _is_utf8(file):
        try:
            return b"".join(_single_byte(letter) for letter in text)
        except UnicodeEncodeError:
            pass
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return None


def _single_byte(letter: str) -> bytes:
    return letter.encode("latin-1", "surrogateescape")


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
