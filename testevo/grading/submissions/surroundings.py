"""Find in a test file what only a test that looks at its run, not at the code, has a use for.

A list of suspects, not a proof: names can be put together at run time, and an honest test may ask for its loader.
"""

import re
from collections.abc import Iterator

from testevo.java.tokens import decoded, tokens_of, without_unicode_escapes

_NAMES = frozenset(
    name.encode()
    for name in (
        "Instrumentation",
        "ManagementFactory",
        "ProcessHandle",
        "ProtectionDomain",
        "StackWalker",
        "Unsafe",
        "VirtualMachine",
        "dumpStack",
        "getAllStackTraces",
        "getCodeSource",
        "getContextClassLoader",
        "getDeclaredClasses",
        "getDeclaredConstructors",
        "getDeclaredFields",
        "getDeclaredMethods",
        "getProtectionDomain",
        "getStackTrace",
        "getSystemClassLoader",
        "privateLookupIn",
    )
)
_TEXTS = re.compile(
    r"\.class$|/proc(?=/|$)|jacoco|java\.class\.path|jdk\.module\.path|pom\.xml|src/main|sun\.java\.command"
    r"|target/classes|target/test-classes|testevo|user\.dir"
)
_IN_LITERAL = re.compile(r"\\([0-3]?[0-7]{1,2}|\r?\n[ \t]*|[\s\S])")


def surroundings(source: bytes, developers: bytes) -> tuple[str, ...]:
    """Names of loaders, stack frames, class files and the like in a test file, sorted; none that the developer's file
    has too.

    Args:
        source: of the edited file.
        developers: the developer's file.
    """
    return tuple(sorted(_found(source) - _found(developers)))


def _found(source: bytes) -> set[str]:
    tokens = tokens_of(without_unicode_escapes(source))
    found = {token.decode() for token in tokens if token in _NAMES}
    return found.union(*(_TEXTS.findall(text) for text in _texts(tokens)))


def _texts(tokens: list[bytes]) -> Iterator[str]:
    """The strings of a file; literals that are added to each other are one."""
    parts: list[str] = []
    for before, token, after in zip([b"", *tokens], tokens, [*tokens[1:], b""], strict=False):
        if token.startswith(b'"'):
            if before != b"+" and parts:
                yield "".join(parts)
                parts = []
            parts.append(_text_of(token))
        elif token != b"+" or not after.startswith(b'"'):
            yield "".join(parts)
            parts = []
    yield "".join(parts)


def _text_of(literal: bytes) -> str:
    block = literal.startswith(b'"""')
    text = decoded(literal[3:-3] if block else literal[1:-1])
    return _IN_LITERAL.sub(_character, text)


def _character(escape: re.Match[str]) -> str:
    named = escape.group(1)
    if named[0] in "01234567":
        return chr(int(named, 8))
    return named.strip()
