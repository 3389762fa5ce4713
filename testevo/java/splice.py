"""Put the text of one method into a file and leave every other byte as it is (compatibility section 4)."""

import re

from testevo.java.declarations import JavaMethod, JavaType

_LINE_END = re.compile(rb"\r\n?|\n")
_BLANK_LINE_START = re.compile(rb"(?:\A|(?<=[\r\n]))[ \t]*\Z")


def method_text(file: bytes, method: JavaMethod) -> bytes:
    """The bytes of a method parsed from `file`: annotations included, javadoc excluded."""
    return file[method.start_byte : method.end_byte]


def replace_method(file: bytes, method: JavaMethod, text: bytes) -> bytes:
    """`file` with `text` in the place of `method`, which was parsed from `file`. `text` is taken as it is."""
    return file[: method.start_byte] + text + file[method.end_byte :]


def append_method(file: bytes, type: JavaType, text: bytes) -> bytes:
    """`file` with the method `text` as the last member of `type`, which was parsed from `file`.

    The new lines end as the first line of the file does; `text` itself is taken as it is.
    """
    first_end = _LINE_END.search(file)
    line_end = first_end.group() if first_end else b"\n"
    before, after = file[: type.body_end_byte], file[type.body_end_byte :]
    separator = b";" + line_end if type.needs_separator else b""
    brace_indent = _BLANK_LINE_START.search(before)
    if brace_indent is None:
        return before + line_end + separator + text + line_end + after
    # The brace keeps its own line, with the indentation it has.
    indent = brace_indent.group()
    before = before[: len(before) - len(indent)]
    return before + separator + indent + b"    " + text + line_end + indent + after
