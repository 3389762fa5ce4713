"""Put the text of one method into a file and leave every other byte as it is."""

import re
from collections.abc import Sequence

from testevo.java.declarations import JavaFile, JavaMethod, JavaType
from testevo.java.encodings import USUAL, rewritten

_LINE_END = re.compile(rb"\r\n?|\n")
_HEAD_DECLARATION = re.compile(rb"^[ \t]*(?:import|package)\s[^;]*;", re.MULTILINE)
_COMMENT = re.compile(rb"//[^\r\n]*|/\*[\s\S]*?(?:\*/|\Z)")
_NOT_LINE_END = re.compile(rb"[^\r\n]")
_BLANK_LINE_START = re.compile(rb"(?:\A|(?<=[\r\n]))[ \t]*\Z")


def method_text(file: bytes, method: JavaMethod) -> bytes:
    """The bytes of a method parsed from `file`: annotations included, javadoc excluded."""
    return file[method.start_byte : method.end_byte]


def replace_method(file: bytes, method: JavaMethod, text: bytes) -> bytes:
    """`file` with `text` in the place of `method`, which was parsed from `file`. `text` is taken as it is."""
    return file[: method.start_byte] + text + file[method.end_byte :]


def add_imports(file: bytes, parsed: JavaFile, imports: Sequence[str], encoding: str = USUAL) -> bytes:
    """`file`, which `parsed` was read from, with those imports it lacks, behind its last one or its package.

    Args:
        imports: as in `JavaFile.imports`: `a.b.C`, `static a.b.C.d`.
        encoding: of the file.
    """
    present = frozenset(parsed.imports)
    missing = [name for name in dict.fromkeys(imports) if name not in present]
    first_type = min((type_.start_byte for type_ in parsed.types), default=len(file))
    head = _COMMENT.sub(lambda found: _NOT_LINE_END.sub(b" ", found.group()), file[:first_type])
    declared = list(_HEAD_DECLARATION.finditer(head, 0, head.rfind(b";") + 1))  # each that begins there ends there
    first_end = _LINE_END.search(file)
    line_end = first_end.group() if first_end else b"\n"
    lines = b"".join(line_end + rewritten(f"import {name};".encode(), USUAL, encoding) for name in missing)
    if declared:
        at = declared[-1].end()
        return file[:at] + lines + file[at:]
    return lines.removeprefix(line_end) + line_end + file if missing else file


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
