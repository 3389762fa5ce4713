"""One parsed method, and what its calls, arguments and annotations say as text."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from testevo.java.assertions.names import is_assertion_class, is_named_like_assertion
from testevo.java.syntax import syntax_tree
from testevo.java.tokens import decoded, token_text, tokens_of, without_unicode_escapes

LITERALS: Final = frozenset(
    {
        "true",
        "false",
        "null_literal",
        "string_literal",
        "character_literal",
        "decimal_integer_literal",
        "decimal_floating_point_literal",
        "hex_integer_literal",
    }
)
"""Kinds of nodes."""
_SHELL: Final = (b"class Shell {\n", b"\n}\n")
_MOST_TOKENS: Final = 20_000
_MOST_NESTED: Final = 100
_OPENING: Final = frozenset({b"(", b"{", b"["})
_CLOSING: Final = frozenset({b")", b"}", b"]"})
_OTHER_METHODS: Final = frozenset({"lambda_expression", "class_body", "method_declaration"})
_ON_ANY_RECEIVER: Final = frozenset({"expect", "expectMessage", "andExpect", "untilAsserted"})


@dataclass(frozen=True)
class MethodSource:
    """A method declaration and the source that its nodes point into."""

    source: bytes
    declaration: Node

    def nodes(self) -> Iterator[Node]:
        return below(self.declaration)

    def name(self, call: Node) -> str:
        name = call.child_by_field_name("name")
        return "" if name is None else decoded(self.source[name.start_byte : name.end_byte])

    def arguments(self, call: Node) -> list[Node]:
        listed = call.child_by_field_name("arguments")
        comments = ("line_comment", "block_comment")
        return [] if listed is None else [child for child in listed.named_children if child.type not in comments]

    def text(self, node: Node) -> str:
        return token_text(self.source[node.start_byte : node.end_byte]).replace(" . ", ".").replace(" (", "(")

    def annotations(self) -> list[Node]:
        modifiers = next((child for child in self.declaration.named_children if child.type == "modifiers"), None)
        kinds = ("annotation", "marker_annotation")
        return [] if modifiers is None else [child for child in modifiers.named_children if child.type in kinds]

    def is_own(self, node: Node) -> bool:
        """Whether a statement belongs to the method itself, not to a lambda or a class inside it."""
        return all(outer.type not in _OTHER_METHODS for outer in self.around(node))

    def around(self, node: Node) -> Iterator[Node]:
        """The nodes around one, from the inside, within the method."""
        outer = node.parent
        while outer is not None and outer != self.declaration:
            yield outer
            outer = outer.parent

    def may_assert(self, call: Node) -> bool:
        """Whether a call is an assertion by its name and its receiver as written."""
        name, receiver = self.name(call), call.child_by_field_name("object")
        if receiver is not None and name in _ON_ANY_RECEIVER:
            return True
        if receiver is not None and not is_assertion_class(self.text(receiver).rsplit(".", 1)[-1]):
            return False
        return is_named_like_assertion(name)


def parsed(method: str) -> MethodSource | None:
    """Parse a method's declaration; None when it cannot be read.

    Args:
        method: source of the declaration with annotations. More or deeper nested than a person writes is not read, nor
            a comment that is never closed: both multiply the work.
    """
    written = without_unicode_escapes(method.encode("utf-8", "replace"))
    if _is_excessive(written):
        return None
    source = _SHELL[0] + written + _SHELL[1]
    root = syntax_tree(source)
    declaration = next((node for node in below(root) if node.type == "method_declaration"), None)
    return None if root.has_error or declaration is None else MethodSource(source, declaration)


def below(node: Node) -> Iterator[Node]:
    """All nodes below `node`, in the order of the source."""
    waiting = list(reversed(node.named_children))
    while waiting:
        one = waiting.pop()
        yield one
        waiting += reversed(one.named_children)


def _is_excessive(method: bytes) -> bool:
    depth = deepest = count = 0
    token = b""
    for token in tokens_of(method):
        count += 1
        depth += (token in _OPENING) - (token in _CLOSING)
        deepest = max(deepest, depth)
    is_open = token.startswith(b"/*")
    return is_open or count > _MOST_TOKENS or deepest > _MOST_NESTED
