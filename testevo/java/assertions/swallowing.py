"""Whether a `catch` or `finally` around an assertion hides that it failed, or that it was never reached."""

from itertools import takewhile
from typing import Final

from tree_sitter import Node

from testevo.java.assertions.method_source import MethodSource, below
from testevo.java.assertions.strength import Strength, is_failure, of_call

_HIDING: Final = frozenset({"Throwable", "Error", "AssertionError", "AssertionFailedError", "ComparisonFailure"})
"""Exceptions whose catch hides a failed assertion."""
_METHODS: Final = frozenset({"lambda_expression", "class_body", "method_declaration"})
_REPEATED: Final = frozenset({"for_statement", "enhanced_for_statement", "while_statement", "do_statement"})
_TAKING: Final = {
    "return_statement": _METHODS,
    "break_statement": _METHODS | _REPEATED | {"switch_expression"},
    "continue_statement": _METHODS | _REPEATED,
}
"""Statements that leave a `finally`, and what they leave instead where it stands inside of it."""
_BROAD_CATCHES: Final = frozenset({"Exception", "RuntimeException"})


def hides_failures(written: str) -> bool:
    """Whether a failed assertion is an exception of a class, as written."""
    return written.rsplit(".", 1)[-1] in _HIDING


def is_swallowed(method: MethodSource, assertion: Node) -> bool:
    hiding = _HIDING if is_failure(method, assertion) else _HIDING | _BROAD_CATCHES
    inner = assertion
    for outer in method.around(assertion):
        in_body = outer.type.startswith("try") and outer.child_by_field_name("body") == inner
        if in_body and _hides(method, outer, inner, hiding):
            return True
        if outer.type.startswith("try") and inner.type != "finally_clause" and _leaves_in_finally(method, outer):
            return True
        inner = outer
    return False


def _leaves_in_finally(method: MethodSource, statement: Node) -> bool:
    """Whether the `finally` of a `try` ends the method or leaves a loop, which drops what was thrown."""
    clause = next((child for child in statement.named_children if child.type == "finally_clause"), None)
    return clause is not None and any(
        node.type in _TAKING and not _is_within(method, node, clause, _TAKING[node.type]) for node in below(clause)
    )


def _is_within(method: MethodSource, node: Node, clause: Node, kinds: frozenset[str]) -> bool:
    """Whether a node of some kinds stands around another one, inside a clause."""
    return any(outer.type in kinds for outer in takewhile(lambda outer: outer != clause, method.around(node)))


def _hides(method: MethodSource, statement: Node, body: Node, hiding: frozenset[str]) -> bool:
    """Whether a `try` catches one of `hiding` and does nothing that could fail the test.

    A `fail()`, or an assertion like it, in its body makes it an expected exception, unless errors are caught too.
    """
    caught = [(clause, _caught(method, clause)) for clause in statement.named_children]
    expects = any(is_failure(method, node) for node in below(body))
    if expects and not any(_HIDING & names for _, names in caught):
        return False
    return any(hiding & names and _is_silent(method, clause) for clause, names in caught)


def _caught(method: MethodSource, clause: Node) -> set[str]:
    if clause.type != "catch_clause":
        return set()
    types = next((node for node in below(clause) if node.type == "catch_type"), None)
    names = [] if types is None else method.text(types).split("|")
    return {name.strip().rsplit(".", 1)[-1] for name in names}


def _is_silent(method: MethodSource, clause: Node) -> bool:
    """Whether a catch neither throws, returns a verdict nor asserts more than that something is there."""
    body = clause.child_by_field_name("body")
    if body is None:
        return False
    for node in below(body):
        if node.type in ("throw_statement", "assert_statement"):
            return False
        if node.type == "method_invocation" and method.may_assert(node) and of_call(method, node) > Strength.PRESENCE:
            return False
    return True
