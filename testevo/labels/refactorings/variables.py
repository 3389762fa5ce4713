"""The names of variables in a method: which it declares, takes from around it, and changes, and when it reads them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tree_sitter import Node

from testevo.java.assertions.method_source import below
from testevo.java.syntax import syntax_tree

_SHELL: Final = ("class Shell { ", " }")
_DECLARING: Final = frozenset(
    {
        "variable_declarator",
        "formal_parameter",
        "catch_formal_parameter",
        "enhanced_for_statement",
        "resource",
        "instanceof_expression",
    }
)
"""Nodes whose field `name` is a variable of its own."""
_ONLY_DECLARING: Final = frozenset({"inferred_parameters", "type_pattern", "record_pattern_component"})
_CALLS: Final = frozenset({"method_invocation", "object_creation_expression", "explicit_constructor_invocation"})
_CHANGES: Final = frozenset({"assignment_expression", "update_expression"})
_LATER_OR_AGAIN: Final = frozenset(
    {
        "while_statement",
        "do_statement",
        "for_statement",
        "enhanced_for_statement",
        "lambda_expression",
        "method_reference",
        "class_body",
    }
)
"""Nodes whose content runs when something else has, or more than once."""


@dataclass(frozen=True)
class Variables:
    """The names of variables in one member, as its parsed text has them."""

    text: bytes
    identifiers: Sequence[Node]
    """Those that may name variables, in the order of the text."""
    nodes: Sequence[Node]
    """All of the member, in the order of the text."""

    @cached_property
    def declared(self) -> frozenset[str]:
        """Parameters and local variables, of lambdas and local classes too."""
        return frozenset(self._name(node) for node in self.identifiers if _is_declaration(node))

    @cached_property
    def taken(self) -> frozenset[str]:
        """Names that it uses and does not declare: fields, constants, types."""
        return frozenset(map(self._name, self.identifiers)) - self.declared

    @cached_property
    def changed(self) -> frozenset[str]:
        """Names that it assigns to, or counts up or down."""
        changed = (_target(node) for node in self.nodes if node.type in _CHANGES)
        return frozenset(self._name(node) for node in changed if node is not None and node.type == "identifier")

    def reads_first(self, name: str) -> bool:
        """Whether each use of a name is evaluated before anything can have changed what it stands for."""
        if any(node.type in _LATER_OR_AGAIN for node in self.nodes):
            return False
        changing = [node.end_byte for node in self.nodes if node.type in _CALLS or node.type in _CHANGES]
        reads = [node.start_byte for node in self.identifiers if self._name(node) == name]
        return not changing or not reads or max(reads) < min(changing)

    def _name(self, node: Node) -> str:
        return self.text[node.start_byte : node.end_byte].decode()


def variables_of(member: Sequence[str]) -> Variables | None:
    """Read the tokens of a method or constructor; None for those that are none."""
    text = " ".join(member).join(_SHELL).encode()
    root = syntax_tree(text)
    if root.has_error:
        return None
    nodes = list(below(next(node for node in below(root) if node.type == "class_body")))
    identifiers = [node for node in nodes if node.type == "identifier" and not _is_other_name(node)]
    return Variables(text, identifiers, nodes)


def _is_declaration(node: Node) -> bool:
    parent = node.parent
    if parent is None:
        return False
    if parent.type in _ONLY_DECLARING or (parent.type == "lambda_expression" and _is_field(node, parent, "parameters")):
        return True
    return parent.type in _DECLARING and _is_field(node, parent, "name")


def _is_other_name(node: Node) -> bool:
    """Whether an identifier names a method, a member of something, a label or an annotation."""
    parent = node.parent
    if parent is None or parent.type in ("labeled_statement", "break_statement", "continue_statement"):
        return True
    if parent.type == "method_reference":
        return parent.named_children[-1] == node and parent.named_child_count > 1
    return _is_field(node, parent, "field") or (parent.type not in _DECLARING and _is_field(node, parent, "name"))


def _is_field(node: Node, parent: Node, name: str) -> bool:
    return parent.child_by_field_name(name) == node


def _target(change: Node) -> Node | None:
    if change.type == "assignment_expression":
        return change.child_by_field_name("left")
    return change.named_children[0] if change.named_children else None
