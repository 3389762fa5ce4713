"""Read Java source with tree-sitter: types and methods with keys, spans and tokens (TEB-M16, M17).

Only the bodies of types are walked, never those of methods: what is declared inside a method (local and anonymous
classes) belongs to that method, and what is declared inside an enum constant or a field to nobody.
"""

import faulthandler
import os
import re
import resource
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

import tree_sitter_java
from tree_sitter import Language, Node, Parser

from testevo.java.declarations import JavaField, JavaFile, JavaMethod, JavaType, TypeKind
from testevo.java.encodings import USUAL, encoding_of, in_utf8
from testevo.java.signatures import CONSTRUCTOR, Scope, erased_type, inner_scope, parameters_of_source, type_variables
from testevo.java.tokens import (
    annotations_of,
    decoded,
    in_older_syntax,
    is_word,
    split_at_commas,
    start_of_open_comment,
    token_text,
    tokens_of,
    without_annotations,
    without_type_arguments,
)
from testevo.records.methods import MethodKey, Span
from testevo.runtime.stopwatch import timed

__all__ = ["JavaFile", "JavaMethod", "JavaType", "parse_java", "syntax_tree"]

_PARSER: Final = Parser(Language(tree_sitter_java.language()))
_STEPS_BETWEEN_LOOKS: Final = 100
_STEPS_OF_A_BYTE: Final = 20
"""At most; of 18,510 files of projects and of a JDK none took more than two."""
_SHORT, _LONG = 1000, 32 * 2**10
"""Bytes. The most memory that any mistakes of a file are known to take is 600 MB at 32 KiB, and 600 GB at 1 MiB."""
_MOST_MEMORY: Final = 2**30
_MISTAKE: Final = b"}"
_LINE_END: Final = re.compile(rb"\r\n?|\n")
_LONE_RETURN: Final = re.compile(rb"\r(?!\n)")
_CONTROL_Z: Final = re.compile(rb"\x1a\Z")
_NOT_ASCII: Final = bytes(range(128)) + b"x" * 128
_TYPE_KINDS: Final[dict[str, TypeKind]] = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "annotation",
}
_METHODS: Final = frozenset(
    {
        "method_declaration",
        "constructor_declaration",
        "compact_constructor_declaration",
        "annotation_type_element_declaration",
    }
)
_FIELDS: Final = frozenset(
    {"field_declaration", "constant_declaration", "enum_constant", "static_initializer", "block"}
)
_TRANSPARENT: Final = frozenset({"ERROR", "enum_body_declarations"})
_MOST_NESTED: Final = 100
"""Types within types; javac could not write the class files of more, which have the names of all of them."""
_MOST_OPEN_COMMENTS: Final = 10
"""For each sign that opens one tree-sitter reads to the end of the file; behind the first the others say nothing."""
_PACKAGES: Final = {
    "junit": ("org.junit", "junit.framework"),
    "org.junit.jupiter": ("org.junit.jupiter.api", "org.junit.jupiter.params"),
}
"""Of modules that are not named like a package of theirs, those that tests are found by."""
_FOR_THE_COMPILER: Final = frozenset({"Override", "SuppressWarnings", "SafeVarargs", "FunctionalInterface"})


def syntax_tree(source: bytes) -> Node:
    """The root of the syntax tree of a file in UTF-8, whatever mistakes it has.

    Where the parser finds mistakes, the tree is that of older syntax if that has none.

    Mistakes in a row can take the parser the square of their number of steps and of memory. A file that needs too much
    has the tree of one that is nothing but a mistake.
    """
    root = _bounded(source)
    older = in_older_syntax(source) if root.has_error else source
    rewritten = root if older == source else _bounded(older)
    return root if rewritten.has_error else rewritten


def _bounded(source: bytes) -> Node:
    if len(source) > _LONG and not _is_parsed_apart(source):
        return _PARSER.parse(_MISTAKE).root_node
    return _parsed(source)


def _parsed(source: bytes) -> Node:
    left = max(len(source), _SHORT) * _STEPS_OF_A_BYTE // _STEPS_BETWEEN_LOOKS

    def is_used_up(*_: object) -> bool:
        nonlocal left
        left -= 1
        return left < 0

    try:
        tree = _PARSER.parse(lambda at, _: source[at:], encoding="utf8", progress_callback=is_used_up)
    except ValueError:
        _PARSER.reset()
        tree = _PARSER.parse(_MISTAKE)
    return tree.root_node


def _is_parsed_apart(source: bytes) -> bool:
    """Whether another process, whose memory is bounded, parses the file to the end."""
    child = os.fork()
    if child == 0:
        try:
            _bound_memory()
            _parsed(source)
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    return status == 0


def _bound_memory() -> None:
    """Let this process have `_MOST_MEMORY` more than it has; what it says when it gets none is of no use."""
    faulthandler.disable()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pages = int(Path("/proc/self/statm").read_bytes().split()[0])
    most = pages * resource.getpagesize() + _MOST_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


@lru_cache(maxsize=4096)
@timed("parsing Java")
def parse_java(source: bytes, path: str, encoding: str | None = None) -> JavaFile:
    """The declarations of a file. Equal calls are answered from a cache: most files live through many revisions.

    Args:
        source: the bytes of the file.
        path: repository-relative, only carried along.
        encoding: that the build tells the compiler; None where it is not known (`encoding_of`).
    """
    return _Reader(source, path, encoding or encoding_of(source)).read()


class _Reader:
    """One pass over one file."""

    def __init__(self, source: bytes, path: str, encoding: str) -> None:
        self.source = source
        self.encoding = encoding
        self.path = path
        self.line_starts = [0, *(match.end() for match in _LINE_END.finditer(source))]
        self.package = ""
        self.imports: list[str] = []
        self.full_names: dict[str, str] = {}
        self.types: list[JavaType] = []
        self.methods: list[JavaMethod] = []
        self.fields: list[JavaField] = []
        self.too_deep = False

    def read(self) -> JavaFile:
        root = syntax_tree(_parseable(self.source, self.encoding))
        for child in _declarations(root):
            if child.type == "package_declaration":
                self.package = self._dotted(without_annotations(self._tokens(child))[1:])
            elif child.type == "import_declaration":
                self._import(child)
            elif child.type in _TYPE_KINDS:
                self._type(child, "", {}, 1)
        found = tuple(self.imports), tuple(self.types), tuple(self.methods)
        return JavaFile(self.path, self.package, *found, root.has_error or self.too_deep, tuple(self.fields))

    def _type(self, node: Node, outer: str, outer_scope: Scope, depth: int) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        self.too_deep |= depth > _MOST_NESTED
        if name_node is None or body is None or self.too_deep:
            return
        prefix = f"{outer}$" if outer else f"{self.package}." if self.package else ""
        name = prefix + self._text(name_node)
        annotations, modifiers, runs_with = self._modifiers(node)
        members = list(_declarations(body))
        self.types.append(
            JavaType(
                name=name,
                kind=_TYPE_KINDS[node.type],
                span=self._span(node),
                superclass=next(iter(self._type_names(node.child_by_field_name("superclass"))), None),
                interfaces=self._interfaces(node),
                annotations=annotations,
                modifiers=modifiers,
                start_byte=node.start_byte,
                end_byte=node.end_byte,
                body_end_byte=_closing_brace(body),
                annotation_text=self._annotation_text(node, body),
                components=self._components(node),
                constants=tuple(self._constants(members)),
                runs_with=runs_with,
                needs_separator=body.type == "enum_body"
                and all(child.type != "enum_body_declarations" for child in body.named_children),
            )
        )
        scope = self._scope(node, outer_scope)
        # A member type hides a type variable of the same name.
        hidden = [self._text(inner) for member in members if (inner := _type_name(member)) is not None]
        if any(name in scope for name in hidden):
            scope = inner_scope(dict.fromkeys(hidden, ""), scope)
        components = self._parameters(node, scope) if node.type == "record_declaration" else ()
        blocks = 0
        for member in members:
            if member.type in _FIELDS:
                blocks += member.type in ("block", "static_initializer")
                self._field(member, name, blocks)
            elif member.type in _METHODS:
                self._method(member, name, scope, components)
            elif member.type in _TYPE_KINDS:
                self._type(member, name, scope, depth + 1)

    def _components(self, node: Node) -> str:
        declared = node.child_by_field_name("parameters") if node.type == "record_declaration" else None
        return token_text(self._bytes(declared.start_byte, declared.end_byte)) if declared is not None else ""

    def _constants(self, members: Iterable[Node]) -> Iterator[str]:
        for member in members:
            name = member.child_by_field_name("name") if member.type == "enum_constant" else None
            if name is not None:
                yield self._text(name)

    def _field(self, node: Node, type_name: str, number: int) -> None:
        declarators = node.children_by_field_name("declarator") or ([node] if node.type == "enum_constant" else [])
        names = [declarator.child_by_field_name("name") for declarator in declarators]
        self.fields.append(
            JavaField(
                type_name=type_name,
                names=tuple(self._text(name) for name in names if name is not None),
                number=number,
                tokens=token_text(self._bytes(node.start_byte, node.end_byte)),
                works_unnamed=node.type not in ("field_declaration", "constant_declaration")
                or bool(self._modifiers(node)[0]),
            )
        )

    def _method(self, node: Node, type_name: str, class_scope: Scope, components: tuple[str, ...]) -> None:
        name_node = node.child_by_field_name("name")
        if name_node is None:
            return
        scope = self._scope(node, class_scope)
        is_constructor = node.type.endswith("constructor_declaration")
        compact = node.type == "compact_constructor_declaration"
        annotations, modifiers, _ = self._modifiers(node)
        body = node.child_by_field_name("body")
        parameters = components if compact else self._parameters(node, scope)
        self.methods.append(
            JavaMethod(
                key=MethodKey(
                    type_name=type_name,
                    name=CONSTRUCTOR if is_constructor else self._text(name_node),
                    parameters=parameters,
                ),
                span=self._span(node),
                start_byte=node.start_byte,
                end_byte=node.end_byte,
                tokens=token_text(self._bytes(node.start_byte, node.end_byte)),
                annotations=annotations,
                modifiers=modifiers,
                return_type="void" if is_constructor else self._return_type(node, scope),
                is_constructor=is_constructor,
                has_body=body is not None,
                annotation_text=self._annotation_text(node, body),
                takes_variables=bool(class_scope)
                and not compact
                and self._parameters(node, self._scope(node, {})) != parameters,
            )
        )

    def _scope(self, node: Node, outer: Scope) -> Scope:
        declared = node.child_by_field_name("type_parameters")
        return type_variables(self._tokens(declared)[1:-1], outer) if declared is not None else outer

    def _parameters(self, node: Node, scope: Scope) -> tuple[str, ...]:
        declared = node.child_by_field_name("parameters")
        return parameters_of_source(self._tokens(declared)[1:-1], scope) if declared is not None else ()

    def _return_type(self, node: Node, scope: Scope) -> str:
        declared, dimensions = node.child_by_field_name("type"), node.child_by_field_name("dimensions")
        return erased_type(
            [*(self._tokens(declared) if declared else ()), *(self._tokens(dimensions) if dimensions else ())], scope
        )

    def _modifiers(self, node: Node) -> tuple[tuple[str, ...], frozenset[str], str | None]:
        """Annotation names, keywords, and the class that `@RunWith` names."""
        first = node.child(0)
        if first is None or first.type != "modifiers":
            return (), frozenset(), None
        tokens = self._tokens(first)
        annotations = list(self._annotations(tokens))
        runners = [arguments for name, arguments in annotations if name.rpartition(".")[2] == "RunWith"]
        runs_with = self._class_literal(runners[-1][1:-1]) if runners else None
        words = b" ".join(without_annotations(tokens)).replace(b"non - sealed", b"non-sealed").split()
        return tuple(name for name, _ in annotations), frozenset(map(decoded, words)), runs_with

    def _annotations(self, tokens: list[bytes]) -> Iterator[tuple[str, list[bytes]]]:
        """The name of each annotation as written, and its arguments with their parentheses."""
        for annotation in annotations_of(tokens):
            at = annotation.index(b"(") if b"(" in annotation else len(annotation)
            yield self._dotted(annotation[:at]), annotation[at:]

    def _annotation_text(self, node: Node, body: Node | None) -> str:
        """The annotations in front of the body, names in full where a single import tells them."""
        head = self._bytes(node.start_byte, node.end_byte if body is None else body.start_byte)
        told = []
        for written, arguments in self._annotations(tokens_of(head)):
            if written not in _FOR_THE_COMPILER:
                full = self.full_names.get(written, written)
                told.append(f"@{full}{decoded(b' '.join(arguments))}")
        return " ".join(told)

    def _class_literal(self, tokens: list[bytes]) -> str | None:
        if tokens[:2] == [b"value", b"="]:
            tokens = tokens[2:]
        return self._dotted(tokens[:-2]) if tokens[-2:] == [b".", b"class"] else None

    def _interfaces(self, node: Node) -> tuple[str, ...]:
        declared = node.child_by_field_name("interfaces") or next(
            (child for child in node.named_children if child.type == "extends_interfaces"), None
        )
        return tuple(self._type_names(declared))

    def _type_names(self, node: Node | None) -> Iterator[str]:
        if node is not None:
            tokens = without_type_arguments(without_annotations(self._tokens(node)[1:]))
            for part in split_at_commas(tokens):
                yield self._dotted(part)

    def _import(self, node: Node) -> None:
        tokens = self._tokens(node)[1:]
        if tokens[:1] == [b"module"] and any(map(is_word, tokens[1:2])):
            module = self._dotted(tokens[1:])
            self.imports += (f"{package}.*" for package in _PACKAGES.get(module, (module,)))
            return
        name = f"static {self._dotted(tokens[1:])}" if tokens[:1] == [b"static"] else self._dotted(tokens)
        self.imports.append(name)
        self.full_names.setdefault(name.rpartition(".")[2], name)

    def _dotted(self, tokens: list[bytes]) -> str:
        return decoded(b"".join(token for token in tokens if is_word(token) or token in (b".", b"*")))

    def _tokens(self, node: Node) -> list[bytes]:
        return tokens_of(self._bytes(node.start_byte, node.end_byte))

    def _bytes(self, start: int, end: int) -> bytes:
        """A part of the file as UTF-8."""
        return in_utf8(self.source[start:end], self.encoding)

    def _text(self, node: Node) -> str:
        return decoded(self._bytes(node.start_byte, node.end_byte))

    def _span(self, node: Node) -> Span:
        # The compiler's lines, not tree-sitter's rows: a lone carriage return ends a line too.
        first = bisect_right(self.line_starts, node.start_byte)
        return Span(first_line=first, last_line=bisect_right(self.line_starts, max(node.start_byte, node.end_byte - 1)))


def _parseable(source: bytes, encoding: str) -> bytes:
    """The same number of bytes in a form that tree-sitter reads as the compiler does.

    It wants UTF-8, else letters take the place of whatever is not ASCII; a lone carriage return ends no comment; and it
    does not ignore a Control-Z at the end (JLS 3.5).
    """
    if not source.isascii() and (encoding != USUAL or encoding_of(source) != USUAL):
        source = source.translate(_NOT_ASCII)
    source = _CONTROL_Z.sub(b" ", _LONE_RETURN.sub(b"\n", source))
    many = source.count(b"/*", source.rfind(b"*/") + 1) > _MOST_OPEN_COMMENTS
    at = start_of_open_comment(source) if many else None
    return source if at is None else source[:at] + b"/*" + b" " * (len(source) - at - 2)


def _declarations(parent: Node) -> Iterator[Node]:
    """The declarations directly in a file or type body, looking through nodes that stand for errors."""
    for child in parent.named_children:
        if child.type in _TRANSPARENT:
            yield from _declarations(child)
        else:
            yield child


def _type_name(node: Node) -> Node | None:
    return node.child_by_field_name("name") if node.type in _TYPE_KINDS else None


def _closing_brace(body: Node) -> int:
    last = body.child(body.child_count - 1)
    return last.start_byte if last is not None and last.type == "}" else body.end_byte
