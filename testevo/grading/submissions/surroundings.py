"""Find in a test file what only a test that looks at its run, not at the code, has a use for.

A list of suspects, not a proof: names can be put together at run time, and an honest test may ask for its loader.
"""

import re
from collections.abc import Iterator

from testevo.java.tokens import decoded, tokens_of, without_unicode_escapes

_NAMES = frozenset(
    name.encode()
    for name in (
        "CodeSource",
        "HotSpotDiagnosticMXBean",
        "Instrumentation",
        "MBeanServer",
        "ManagementFactory",
        "ProcessHandle",
        "ProtectionDomain",
        "RuntimeMXBean",
        "StackWalker",
        "Unsafe",
        "VirtualMachine",
        "defineClass",
        "dumpStack",
        "getAllStackTraces",
        "getCallerClass",
        "getClassContext",
        "getCodeSource",
        "getContextClassLoader",
        "getDeclaredClasses",
        "getDeclaredConstructors",
        "getDeclaredFields",
        "getDeclaredMethods",
        "getInputArguments",
        "getPlatformClassLoader",
        "getPlatformMXBean",
        "getProtectionDomain",
        "getStackTrace",
        "getSystemClassLoader",
        "isSynthetic",
        "privateLookupIn",
    )
)
_PACKAGES = frozenset({(b"jdk", b"internal"), (b"sun", b"misc"), (b"sun", b"reflect"), (b"sun", b"instrument")})
_QUALIFIED = re.compile(r"[\w.$]+")
"""A name as reflection takes it: of a class with its package, or of a member."""
_IN_NAME = re.compile(r"[.$]")
_TEXTS = re.compile(
    r"\.class$|/proc(?=/|$)|jacoco|java\.class\.path|jdk\.module\.path|pom\.xml|src/main|sun\.java\.command"
    r"|jdk\.internal|sun\.(?:instrument|misc|reflect)|target/classes|target/test-classes|testevo|user\.dir"
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
    for first, dot, second in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if dot == b"." and (first, second) in _PACKAGES:
            found.add(f"{first.decode()}.{second.decode()}")
    for text in _texts(tokens):
        found.update(_TEXTS.findall(text))
        name = _IN_NAME.split(text)[-1]
        if name.encode() in _NAMES and _QUALIFIED.fullmatch(text):
            found.add(name)
    return found


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
