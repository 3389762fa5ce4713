"""The tokens of Java source: what is left when white space and comments are taken away."""

import re
from collections.abc import Iterator, Sequence

_TOKEN = re.compile(
    rb"""
      //[^\r\n]* | /\*[\s\S]*?\*/ | \s+
    | (
        [A-Za-z_$\x80-\xff][\w$\x80-\xff]*
      | [(){}\[\];,@>]
      | \.\.\. | \.(?![0-9])
      | /\*[\s\S]*
      | "{3}[^"\\]*(?:(?:\\[\s\S]|"(?!""))[^"\\]*)*(?:"{3})?
      | "[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"?
      | '[^'\\\r\n]*(?:\\.[^'\\\r\n]*)*'?
      | 0[xX](?:[pP][+-]?|[0-9a-fA-F_.])+[lL]?
      | \.?[0-9](?:[eE][+-]?[0-9]|[0-9A-Za-z_.])*
      | -> | :: | \+\+ | -- | && | \|\| | <<=? | [-+*/&|^%!=<]=
      | [\s\S]
      )
    """,
    re.VERBOSE,
)

"""What is never closed, a comment, a text block or a literal on its line, is one token: so each byte is read once."""

_LINE_END = re.compile(rb"\r\n?")
_ESCAPES = re.compile(rb"\\\\|(?:\\u+[0-9a-fA-F]{4})+")
_ESCAPE = re.compile(rb"\\u+([0-9a-fA-F]{4})")
_NOT_IN_TYPES = frozenset((b"(", b")", b"{", b"}", b";", b":", b"->", b"case"))
_CLOSING = {b"<": b">", b"(": b")", b"[": b"]", b"{": b"}"}


def tokens_of(source: bytes) -> list[bytes]:
    """The tokens of `source` in order, comments left out; one that is never closed is the last token.

    `>` is always a token of its own, so that `List<List<T>>` and `List<List<T> >` are equal.
    """
    found = [token for token in _TOKEN.findall(source) if token]
    return [_LINE_END.sub(b"\n", token) if token.startswith(b'"""') else token for token in found]


def without_unicode_escapes(source: bytes) -> bytes:
    """`source` in UTF-8 as javac reads it before it looks for tokens: `\\u0072eturn` is `return`.

    A backslash begins an escape when the number of those before it is even, and may have several `u` behind it. What
    an escape stands for begins no other one.
    """
    return _ESCAPES.sub(_characters, source)


def _characters(found: re.Match[bytes]) -> bytes:
    if found.group() == b"\\\\":
        return found.group()
    units = bytes.fromhex(b"".join(_ESCAPE.findall(found.group())).decode())
    return units.decode("utf-16-be", "replace").encode()


def in_older_syntax(source: bytes) -> bytes:
    """The same number of bytes, all declarations in their places, without the syntax that the parser does not know.

    Left out are `module` in imports, modifiers inside round brackets, modifiers of patterns, qualifiers of record
    patterns, annotations of dimensions and of `...`, and all patterns of a case label but the first. A constructor call
    behind statements calls a method, a variable of a pattern is not named `when`, and numbers have no `_`.
    """
    found = [match for match in _TOKEN.finditer(source) if match.group(1)]
    tokens = [match.group(1) for match in found]
    rewritten = bytearray(source)
    for at, token in enumerate(tokens):
        if b"_" in token and token[:1] in b".0123456789":
            rewritten[found[at].start() : found[at].end()] = token.replace(b"_", b"0")
    calls = list(_calls_of_constructors(tokens))
    for at in (*(called for _, called in calls), *_variables_named_when(tokens)):
        rewritten[found[at].start()] -= ord("a") - ord("A")
    with_types = [call for call in calls if call[0] < call[1]]
    for first, end in (*_newer_syntax(tokens), *_qualifiers_of_records(tokens), *with_types):
        start, stop = found[first].start(), found[end - 1].end()
        rewritten[start:stop] = b" " * (stop - start)
    return bytes(rewritten)


def _calls_of_constructors(tokens: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Where each call of `super` or `this` behind a statement begins, with type arguments in front of it, and its name.

    Type arguments behind a dot do not count: a call of a method can have them, too.
    """
    types = 0
    for at in range(1, len(tokens) - 1):
        token, before = tokens[at], tokens[at - 1]
        is_called = token in (b"super", b"this") and tokens[at + 1] == b"("
        if token == b"<" and before in (b";", b"}", b"."):
            types = at
        elif is_called and before in (b";", b"}", b"."):
            yield at, at
        elif is_called and before == b">" and types:
            yield at if tokens[types - 1] == b"." else types, at
        elif token in _NOT_IN_TYPES:
            types = 0


def _variables_named_when(tokens: Sequence[bytes]) -> Iterator[int]:
    """The names of variables of case labels that are `when`, which are no guards: `case A when`."""
    for at, token in enumerate(tokens):
        if token == b"case":
            _, end = _type_at(tokens, at + 1)
            if end > at + 1 and tokens[end : end + 1] == [b"when"]:
                yield end


def _newer_syntax(tokens: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Where the tokens begin and end that `in_older_syntax` leaves out; each token is looked at a few times at most."""
    opened: list[bytes] = []
    position = 0
    while position < len(tokens):
        token, after = tokens[position], tokens[position + 1 : position + 3]
        if token == b"import" and after[:1] == [b"module"] and any(map(is_word, after[1:])):
            yield position + 1, position + 2
        elif token == b"case":
            yield from _patterns_but_the_first(tokens, position)
        elif (end := _end_of_modifiers(tokens, position)) > position:
            of_pattern = tokens[position - 1 : position] == [b"case"]
            if of_pattern or opened[-1:] == [b"("] or tokens[end : end + 1] in ([b"["], [b"..."]):
                yield position, end
            position = end
            continue
        elif token in (b"(", b"[", b"{"):
            opened.append(token)
        elif token in (b")", b"]", b"}") and opened:
            opened.pop()
        position += 1


def _qualifiers_of_records(tokens: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """What stands in front of the last word of the name of a record pattern, which has patterns in its brackets."""
    of_records: list[bool] = []
    at = 1
    while at < len(tokens):
        before = tokens[at - 1]
        is_component = of_records[-1:] == [True] and before in (b"(", b",")
        if (is_component or before in (b"case", b"instanceof")) and is_word(tokens[at]):
            begin, (last, at) = at, _type_at(tokens, at)
            if tokens[at : at + 1] == [b"("]:
                of_records.append(True)
                at += 1
                if last > begin:
                    yield begin, last
            continue
        if tokens[at] == b"(":
            of_records.append(False)
        elif tokens[at] == b")" and of_records:
            of_records.pop()
        at += 1


def _type_at(tokens: Sequence[bytes], at: int) -> tuple[int, int]:
    """The last word of the name of the type that begins at `at`, and the position after it with its arguments."""
    last = end = at
    while end < len(tokens) and is_word(tokens[end]):
        last = end
        end = _end_of_type_arguments(tokens, end + 1)
        if tokens[end : end + 1] != [b"."]:
            break
        end += 1
    while list(tokens[end : end + 2]) == [b"[", b"]"]:
        end += 2
    return last, end


def _end_of_type_arguments(tokens: Sequence[bytes], at: int) -> int:
    """The position after the type arguments that begin at `at`, or of what can stand in none; `at` where none begin."""
    depth = 0
    while at < len(tokens) and tokens[at] not in _NOT_IN_TYPES:
        depth += (tokens[at] == b"<") - (tokens[at] == b">")
        if depth <= 0:
            return at + (depth == 0 and tokens[at] == b">")
        at += 1
    return at


def _end_of_modifiers(tokens: Sequence[bytes], at: int) -> int:
    """The position after the annotations and `final` that begin at `at`; `at` where none do."""
    while at < len(tokens):
        if tokens[at] == b"@" and tokens[at + 1 : at + 2] != [b"interface"]:
            at = end_of_annotation(tokens, at)
        elif tokens[at] == b"final":
            at += 1
        else:
            break
    return min(at, len(tokens))


def _patterns_but_the_first(tokens: Sequence[bytes], case: int) -> Iterator[tuple[int, int]]:
    """What follows the first pattern of a case label with several, up to its guard or its end."""
    depth, comma, patterns = 0, 0, False
    for at in range(case + 1, len(tokens)):
        token, before = tokens[at], tokens[at - 1]
        depth += (token in (b"<", b"(", b"[")) - (token in (b">", b")", b"]"))
        guarded = token == b"when" and before in (b"_", b")")
        if token in (b"->", b":", b";", b"{", b"}", b"case") or guarded:
            if patterns and comma:
                yield comma, at
            return
        patterns |= token == b"_" or (token == b"(" and is_word(before))
        if not comma and token == b"," and depth == 0:
            comma = at


def start_of_last_comments(source: bytes) -> int:
    """Where the comments begin that `source` ends with, else its end; a `//` comment behind code is none of them.

    Whatever looks like a comment inside a string or another comment is not taken for one.
    """
    start = None
    for found in _TOKEN.finditer(source):
        if found.group().startswith(b"/*") and not found.group(1):
            start = found.start() if start is None else start
        elif found.group().startswith(b"//") and not source[_line(source, found) : found.start()].strip():
            start = _line(source, found) if start is None else start
        elif not found.group().isspace():
            start = None
    return len(source) if start is None else start


def end_of_first_comments(source: bytes) -> int:
    """Where the comments end that `source` begins with on its first line, with the blanks behind them; else 0."""
    end = 0
    for found in _TOKEN.finditer(source):
        is_comment = found.group().startswith((b"//", b"/*")) and not found.group(1)
        if is_comment:
            end = found.end()
        elif not found.group().isspace() or b"\n" in found.group() or b"\r" in found.group():
            break
    return end and end + len(source[end:]) - len(source[end:].lstrip(b" \t"))


def _line(source: bytes, found: re.Match[bytes]) -> int:
    """Where the line begins that something is found on."""
    start = source.rfind(b"\n", 0, found.start()) + 1
    return max(start, source.rfind(b"\r", start, found.start()) + 1)


def start_of_open_comment(source: bytes) -> int | None:
    """Where a comment begins that is never closed; None where there is none."""
    opened = (found.start() for found in _TOKEN.finditer(source) if (found.group(1) or b"").startswith(b"/*"))
    return next(opened, None)


def token_text(source: bytes) -> str:
    """The tokens of `source` separated by one space, as text: equal for sources that differ in layout only."""
    return decoded(b" ".join(tokens_of(source)))


def decoded(data: bytes) -> str:
    """Text of UTF-8 bytes; bytes that are not UTF-8 are read as Latin-1, which loses nothing."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def is_word(token: bytes) -> bool:
    """Whether a token is an identifier or a keyword."""
    return token[0] in b"_$" or token[:1].isalpha() or token[0] >= 0x80


def without_annotations(tokens: Sequence[bytes]) -> list[bytes]:
    """`tokens` without annotations and their arguments; `@interface` stays."""
    kept: list[bytes] = []
    position = 0
    while position < len(tokens):
        if tokens[position] == b"@" and tokens[position + 1 : position + 2] != [b"interface"]:
            position = end_of_annotation(tokens, position)
        else:
            kept.append(tokens[position])
            position += 1
    return kept


def annotations_of(tokens: Sequence[bytes]) -> list[list[bytes]]:
    """The annotations among `tokens`, each from its `@` to the end of its arguments."""
    found = []
    position = 0
    while position < len(tokens):
        if tokens[position] == b"@" and tokens[position + 1 : position + 2] != [b"interface"]:
            end = end_of_annotation(tokens, position)
            found.append(list(tokens[position:end]))
            position = end
        else:
            position += 1
    return found


def end_of_annotation(tokens: Sequence[bytes], at: int) -> int:
    """The position after the annotation whose `@` is at `at`."""
    position = at + 2
    while position + 1 < len(tokens) and tokens[position] == b"." and is_word(tokens[position + 1]):
        position += 2
    if position < len(tokens) and tokens[position] == b"(":
        position = end_of_group(tokens, position)
    return position


def end_of_group(tokens: Sequence[bytes], opening: int) -> int:
    """The position after the bracket that closes the one at `opening`; the end when nothing closes it."""
    opened, closed = tokens[opening], _CLOSING[tokens[opening]]
    depth = 0
    for position in range(opening, len(tokens)):
        if tokens[position] == opened:
            depth += 1
        elif tokens[position] == closed:
            depth -= 1
            if depth == 0:
                return position + 1
    return len(tokens)


def without_type_arguments(tokens: Sequence[bytes]) -> list[bytes]:
    """`tokens` without anything between angle brackets."""
    kept: list[bytes] = []
    depth = 0
    for token in tokens:
        if token == b"<":
            depth += 1
        elif token == b">":
            depth -= 1
        elif depth == 0:
            kept.append(token)
    return kept


def split_at_commas(tokens: Sequence[bytes]) -> list[list[bytes]]:
    """The parts between the commas that lie in no bracket; no parts for no tokens."""
    parts: list[list[bytes]] = [[]]
    depth = 0
    for token in tokens:
        if token in (b"<", b"(", b"[", b"{"):
            depth += 1
        elif token in (b">", b")", b"]", b"}"):
            depth -= 1
        if token == b"," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]
