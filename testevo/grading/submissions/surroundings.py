"""Find in a test file what only a test that looks at its run, not at the code, has a use for.

A list of suspects, not a proof: names can be put together at run time, and an honest test may ask for its loader.
"""

import re
from collections.abc import Iterator

from testevo.java.tokens import decoded, tokens_of, without_unicode_escapes

_NAMES = frozenset(
    name.encode()
    for name in (
        "ClassFileTransformer",
        "CodeSource",
        "ExtensionContext",
        "FileDescriptor",
        "HotSpotDiagnosticMXBean",
        "Instrumentation",
        "Introspector",
        "JarFile",
        "JarURLConnection",
        "LauncherSession",
        "MBeanServer",
        "MBeanServerFactory",
        "ManagementFactory",
        "ModuleFinder",
        "ModuleLayer",
        "ObjectStreamClass",
        "ProcessBuilder",
        "ProcessHandle",
        "ProtectionDomain",
        "RunListener",
        "RuntimeMXBean",
        "ScriptEngineManager",
        "ServiceLoader",
        "StackTraceElement",
        "StackWalker",
        "TestExecutionListener",
        "TestInfo",
        "TestReporter",
        "ToolProvider",
        "Unsafe",
        "VirtualMachine",
        "availableProcessors",
        "defineClass",
        "dumpStack",
        "freeMemory",
        "getAllStackTraces",
        "getBeanInfo",
        "getCallerClass",
        "getClassContext",
        "getCodeSource",
        "getContextClassLoader",
        "getDeclaredClasses",
        "getDeclaredConstructors",
        "getDeclaredFields",
        "getDeclaredMethods",
        "getDefinedPackages",
        "getFileStores",
        "getInputArguments",
        "getNestMembers",
        "getPermittedSubclasses",
        "getPlatformClassLoader",
        "getPlatformMXBean",
        "getProtectionDomain",
        "getRecordComponents",
        "getRootDirectories",
        "getStackTrace",
        "getSystemClassLoader",
        "getURLs",
        "inheritedChannel",
        "isSynthetic",
        "listRoots",
        "maxMemory",
        "privateLookupIn",
        "testevo",
        "totalMemory",
    )
)
_PACKAGES = frozenset(
    {
        (b"jdk", b"internal"),
        (b"jdk", b"jfr"),
        (b"jdk", b"management"),
        (b"sun", b"instrument"),
        (b"sun", b"management"),
        (b"sun", b"misc"),
        (b"sun", b"nio"),
        (b"sun", b"reflect"),
        (b"sun", b"tools"),
    }
)
_CALLS = tuple(
    (re.compile(calls), found)
    for calls, found in (
        (r"\b(?:class|getClass \( \)) \. (getConstructors|getFields|getMethods|getModule) \(", r"class.\1"),
        (r"\b(Package \. getPackages|Runtime \. [vV]ersion|System \. getProperties|Thread \. enumerate)\b", r"\1"),
        (r"\bSystem \. getenv \( \)", r"System.getenv"),
        (r"\bMethodHandles \. (?:l|privateL)ookup(?:In)? \([^;]{0,200}\) \. (find\w+|unreflect\w*) \(", r"lookup.\1"),
        (r"\bgetRuntime \( \) \. exec \(", r"getRuntime.exec"),
        (r"\bgetClassLoader \( \) \. (equals|getClass|getName|getParent|hashCode|toString) \(", r"getClassLoader.\1"),
        (r"\bidentityHashCode \( [^;]{0,200}\bgetClassLoader \(", r"getClassLoader.identityHashCode"),
        (r'\b(File|Paths \. get|Path \. of|get(?:System)?Resource(?:s|AsStream)?) \( ("[./]*") \)', r"\1(\2)"),
    )
)
"""Calls, and what they are named; in a file whose tokens stand apart by one space each."""
_TYPES = re.compile(r"\b(?:class|interface|enum|record) (\w+)")
_OF_CLASS = re.compile(
    r"(?:\b(\w+) \. class|(?:(?<!\. )|(?<=\bthis \. ))\bgetClass \( \))"
    r" \. (get(?:Declared)?Annotation\w*|isAnnotationPresent) \("
)
"""Annotations of a class; of interest where it is one of the file's own."""
_FOLDER = re.compile(r"[./]*")
_TOP_FOLDER = re.compile(r"(?:\./)*(?:src|target|build|src/test)/*")
"""A folder of a project from which its sources or class files are found."""
_MAKES_PATH = ([b"Path", b".", b"of"], [b"Paths", b".", b"get"])
_QUOTES = (b'"', b"'")
_BEFORE_VALUE = (b"+", b"(", b",", b"=", b"return")
_QUALIFIED = re.compile(r"[\w.$]+")
"""A name as reflection takes it: of a class with its package, or of a member."""
_IN_NAME = re.compile(r"[.$]")
_TEXTS = re.compile(
    r"\.class$|/proc(?=/|$)|^/sys(?=/|$)|META-INF/MANIFEST|META-INF/maven|jacoco|java\.class\.path|jdk\.module\.path"
    r"|pom\.xml|src/main|src/test/java|sun\.java\.command|sun\.boot\.class\.path|surefire"
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
    tokens = _without_parentheses(tokens_of(without_unicode_escapes(source)))
    found = {token.decode() for token in tokens if token in _NAMES}
    for first, dot, second in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if dot == b"." and (first, second) in _PACKAGES:
            found.add(f"{first.decode()}.{second.decode()}")
    found |= _calls(" ".join(map(_shown, tokens)))
    paths = [*_paths(tokens)]
    found |= {path.strip("./") for path in paths if _TOP_FOLDER.fullmatch(path)}
    for text in (*_texts(tokens), *paths):
        found.update(_TEXTS.findall(text))
        name = _IN_NAME.split(text)[-1]
        if name.encode() in _NAMES and _QUALIFIED.fullmatch(text):
            found.add(name)
    return found


def _calls(source: str) -> set[str]:
    """What a file calls, of source with one space between its tokens."""
    found = {one.expand(name).replace(" ", "") for calls, name in _CALLS for one in calls.finditer(source)}
    own = {None, *_TYPES.findall(source)}
    of_classes = (one.groups() for one in _OF_CLASS.finditer(source))
    return found | {f"{name or 'getClass'}.{member}" for name, member in of_classes if name in own}


def _shown(token: bytes) -> str:
    """A token; of strings only those that name the folder they are asked in."""
    if not token.startswith((b'"', b"'")):
        return decoded(token)
    text = _text_of(token) if token.startswith(b'"') else "_"
    return f'"{text}"' if _FOLDER.fullmatch(text) else '"_"'


def _texts(tokens: list[bytes]) -> Iterator[str]:
    """The strings of a file, and characters; literals that are added to each other are one."""
    parts: list[str] = []
    for before, token, after in zip([b"", *tokens], tokens, [*tokens[1:], b""], strict=False):
        if token.startswith(_QUOTES):
            if before != b"+" and parts:
                yield "".join(parts)
                parts = []
            parts.append(_text_of(token))
        elif token != b"+" or not after.startswith(_QUOTES):
            yield "".join(parts)
            parts = []
    yield "".join(parts)


def _without_parentheses(tokens: list[bytes]) -> list[bytes]:
    """The tokens without parentheses around a single literal, those of calls aside."""
    kept: list[bytes] = []
    for token in tokens:
        if token == b")" and len(kept) > 2 and kept[-2] == b"(" and kept[-3] in _BEFORE_VALUE:
            literal = kept[-1]
            if literal.startswith(_QUOTES):
                kept[-2:] = [literal]
                continue
        kept.append(token)
    return kept


def _paths(tokens: list[bytes]) -> Iterator[str]:
    """Paths that are made of literals: several arguments of one call, and those of `resolve` on it."""
    for place, token in enumerate(tokens):
        before = tokens[max(0, place - 3) : place]
        if token == b"(" and (before in _MAKES_PATH or before[-1:] == [b"File"]):
            yield "/".join(_path_parts(tokens, place + 1))


def _path_parts(tokens: list[bytes], place: int) -> Iterator[str]:
    while place < len(tokens):
        if tokens[place].startswith(b'"'):
            yield _text_of(tokens[place])
            place += 1
        elif tokens[place] == b",":
            place += 1
        elif tokens[place : place + 4] == [b")", b".", b"resolve", b"("]:
            place += 4
        else:
            return


def _text_of(literal: bytes) -> str:
    block = literal.startswith(b'"""')
    text = decoded(literal[3:-3] if block else literal[1:-1])
    return _IN_LITERAL.sub(_character, text)


def _character(escape: re.Match[str]) -> str:
    named = escape.group(1)
    if named[0] in "01234567":
        return chr(int(named, 8))
    return named.strip()
