"""Find in a test file what only a test that looks at its run, not at the code, has a use for.

A list of suspects, not a proof: names can be put together at run time, and an honest test may ask for its loader.
"""

import re

from testevo.java.tokens import tokens_of

_NAMES = frozenset(
    name.encode()
    for name in (
        "Instrumentation",
        "ManagementFactory",
        "ProtectionDomain",
        "StackWalker",
        "Unsafe",
        "VirtualMachine",
        "dumpStack",
        "getAllStackTraces",
        "getCodeSource",
        "getContextClassLoader",
        "getProtectionDomain",
        "getStackTrace",
        "getSystemClassLoader",
        "privateLookupIn",
    )
)
_TEXTS = tuple(
    text.encode()
    for text in (
        '.class"',
        "/proc/",
        "jacoco",
        "java.class.path",
        "jdk.module.path",
        "sun.java.command",
        "target/classes",
        "target/test-classes",
        "testevo",
        "user.dir",
    )
)
_ESCAPE = re.compile(rb"\\u+([0-9a-fA-F]{4})")


def surroundings(source: bytes, developers: bytes) -> tuple[str, ...]:
    """Names of loaders, stack frames, class files and the like in a test file, sorted; none that the developer's file
    has too.

    Args:
        source: of the edited file.
        developers: the developer's file.
    """
    return tuple(sorted(name.decode().rstrip('"') for name in _found(source) - _found(developers)))


def _found(source: bytes) -> set[bytes]:
    tokens = tokens_of(_ESCAPE.sub(_unescaped, source))
    found = {token for token in tokens if token in _NAMES}
    for literal in (token for token in tokens if token.startswith(b'"')):
        found |= {text for text in _TEXTS if text in literal}
    return found


def _unescaped(escape: re.Match[bytes]) -> bytes:
    return chr(int(escape.group(1), 16)).encode("utf-8", "replace")
