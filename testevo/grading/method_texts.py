"""The target test file after texts of single methods: each replaces its method, or is appended (TEB-E02)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from testevo.grading.submissions.defects import Defects, shown
from testevo.grading.submissions.encoding import bytes_like
from testevo.grading.submissions.markdown_fences import unwrapped_source
from testevo.java.declarations import JavaFile, JavaMethod, JavaType
from testevo.java.encodings import in_utf8
from testevo.java.splice import add_imports, append_method, replace_method
from testevo.java.syntax import parse_java
from testevo.java.tokens import tokens_of, without_unicode_escapes
from testevo.packaging.start_states.start_state import TargetFile
from testevo.records.evaluation.predictions import DefectKind
from testevo.records.methods import MethodKey

_SHELL = b"class Shell {\n"
_IMPORT = re.compile(rb"\s*import\s+([^\s;{}()][^;{}()]*);")


@dataclass(frozen=True)
class _Text:
    """A declaration that can be put into a file, with the imports that came before it."""

    declaration: bytes
    imports: tuple[str, ...]


def file_with_methods(
    texts: Mapping[str, str], targets: Sequence[MethodKey], target: TargetFile, defects: Defects
) -> bytes | None:
    """The target file with the given methods; None when a fatal finding says why not.

    Args:
        texts: source by method name, `Class#name` or `Class#name(types)`.
        targets: the target methods of the task, as their file declares them.
    """
    if target.start is None:
        defects.add(
            DefectKind.DOES_NOT_APPLY,
            f"{target.path} does not exist at the start state, so single methods have no place; submit the whole file "
            f"with `files`, or a patch that creates it.",
        )
        return None
    wanted = _by_target(texts, targets, defects)
    content = target.start
    readable = 0
    for key, text in wanted.items():
        source = _readable(text, key, target, defects)
        readable += source is not None
        content = _put(content, key, source, target)
    if defects.fatal or not readable:
        if not defects.fatal:
            defects.add(
                DefectKind.NOT_JAVA,
                "None of the texts is a target method of the task in Java; submit declarations with body, by method.",
            )
        return None
    return content


def _by_target(texts: Mapping[str, str], targets: Sequence[MethodKey], defects: Defects) -> dict[MethodKey, str]:
    wanted: dict[MethodKey, str] = {}
    for name, text in texts.items():
        found = [key for key in targets if name in _names(key)]
        if len(found) == 1 and found[0] not in wanted:
            wanted[found[0]] = text
            continue
        known = ", ".join(sorted(_name(key, targets) for key in targets))
        reason = f"names {len(found)} targets" if not found or len(found) > 1 else "names a target a second time"
        defects.add(DefectKind.NO_SUCH_METHOD, f"{shown(name)} {reason} of the task and is left out; use {known}.")
    return wanted


def _name(key: MethodKey, targets: Sequence[MethodKey]) -> str:
    """The shortest name that no other target has."""
    others = set().union(*(_names(other) for other in targets if other != key))
    return key.short if key.short not in others else f"{key.short}({','.join(key.parameters)})"


def _names(key: MethodKey) -> set[str]:
    signature = f"({','.join(key.parameters)})"
    classes = {key.type_name, key.simple_type, key.simple_type.replace("$", "."), key.simple_type.rsplit("$", 1)[-1]}
    plain = {key.name, *(f"{name}#{key.name}" for name in classes)}
    return plain | {f"{name}{signature}" for name in plain}


def _readable(text: str, key: MethodKey, target: TargetFile, defects: Defects) -> _Text | None:
    """The bytes to put into the file; None when they hold no such method, or would swallow what follows them."""
    given = bytes_like(text, None, target.encoding)
    if given is not None:
        source, imports = _without_imports(unwrapped_source(given, f"The text of {key.short}", defects), target)
        shell = parse_java(_SHELL + source + b"\n}\n", "Shell.java", target.encoding)
        methods = [one for one in shell.methods if one.key.type_name == "Shell" and one.key.name == key.name]
        if methods and _is_closed(source):
            if shell.has_errors:
                defects.warn(DefectKind.NOT_JAVA, f"The text of {key.short} has a syntax error and will not compile.")
            return _Text(source, imports)
    defects.warn(
        DefectKind.NOT_JAVA,
        f"The text of {key.short} is not a declaration of {key.name} with balanced braces; nothing of it is used.",
    )
    return None


def _without_imports(text: bytes, target: TargetFile) -> tuple[bytes, tuple[str, ...]]:
    """A text without the imports it begins with, and those; white space at both ends is left out."""
    imports, at = [], 0
    while (found := _IMPORT.match(text, at)) is not None:
        imports.append(in_utf8(b" ".join(found.group(1).split()), target.encoding).decode())
        at = found.end()
    return text[at:].strip(), tuple(imports)


def _is_closed(source: bytes) -> bool:
    """Whether every brace and comment is closed, so that the text cannot reach beyond its place."""
    depth = 0
    tokens = tokens_of(without_unicode_escapes(source))
    for token in tokens:
        depth += {b"{": 1, b"}": -1}.get(token, 0)
        if depth < 0:
            return False
    # Comments are no tokens, but for one that is never closed.
    return depth == 0 and not (tokens and tokens[-1].startswith(b"/*"))


def _put(content: bytes, key: MethodKey, text: _Text | None, target: TargetFile) -> bytes:
    """`content` with the method replaced, appended, or, without a text, taken out."""
    file = parse_java(content, target.path, target.encoding)
    present = _find(file, key)
    if present is not None:
        content = replace_method(content, present, text.declaration if text else b"")
    elif text is not None and (type_ := _type_for(file, key)) is not None:
        content = append_method(content, type_, text.declaration)
    if text is None or not text.imports:
        return content
    parsed = parse_java(content, target.path, target.encoding)
    return add_imports(content, parsed, text.imports, target.encoding)


def _find(file: JavaFile, key: MethodKey) -> JavaMethod | None:
    """The method of that class, name and parameters; else the only one of that class and name: a test may take other
    parameters at the old revision."""
    named = [one for one in file.methods if (one.key.type_name, one.key.name) == (key.type_name, key.name)]
    exact = [one for one in named if one.key == key]
    return (exact or named)[0] if exact or len(named) == 1 else None


def _type_for(file: JavaFile, key: MethodKey) -> JavaType | None:
    """The class the method belongs to; when the file lacks it, its top-level class."""
    types = [*(type_ for type_ in file.types if type_.name == key.type_name), *file.types]
    return types[0] if types else None
