"""Conditions whose value stands in the source, the assumptions that never hold, and the code that is never reached."""

import operator
from typing import Final

from tree_sitter import Node

from testevo.java.assertions.method_source import LITERALS, MethodSource

_ABORTS: Final = frozenset({"TestAbortedException", "AssumptionViolatedException", "SkipException"})
_WRITTEN: Final = {"true": True, "false": False, "Boolean.TRUE": True, "Boolean.FALSE": False}
_COMPARISONS: Final = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_DEEPEST: Final = 50
_EQUAL_TO: Final = frozenset({"is", "equalTo", "isEqualTo"})


def constant(method: MethodSource, node: Node | None, depth: int = 0) -> bool | None:
    """The value of a condition that is the same in every run: `!true`, `1 > 2`, `() -> false`; None where it is not."""
    if node is None or depth > _DEEPEST:
        return None
    if node.type in ("true", "false", "field_access"):
        return _WRITTEN.get(method.text(node))
    if node.type in ("lambda_expression", "parenthesized_expression"):
        inner = node.child_by_field_name("body") or node.named_children[0]
        return constant(method, inner, depth + 1)
    if node.type == "unary_expression" and method.text(node).startswith("!"):
        value = constant(method, node.child_by_field_name("operand"), depth + 1)
        return None if value is None else not value
    return _of_two(method, node, depth) if node.type == "binary_expression" else None


def _of_two(method: MethodSource, node: Node, depth: int) -> bool | None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    between = node.child_by_field_name("operator")
    if left is None or right is None or between is None:
        return None
    sign = method.text(between)
    if sign in ("&&", "||"):
        values = {constant(method, left, depth + 1), constant(method, right, depth + 1)}
        decides = sign == "||"
        return decides if decides in values else (None if None in values else not decides)
    numbers = "decimal_integer_literal"
    if sign in _COMPARISONS and left.type == right.type == numbers:
        return _compared(sign, method.text(left), method.text(right))
    same = left.type == right.type == "identifier" and method.text(left) == method.text(right)
    return sign == "==" if same and sign in ("==", "!=") else None


def _compared(sign: str, left: str, right: str) -> bool | None:
    if not (left.isdecimal() and right.isdecimal() and max(len(left), len(right)) < 20):
        return None
    return bool(_COMPARISONS[sign](int(left), int(right)))


def never_holds(method: MethodSource, node: Node) -> bool:
    """Whether a statement or call ends the test as aborted in every run: an assumption, or an exception like one."""
    if node.type == "throw_statement":
        return any(name in method.text(node) for name in _ABORTS)
    if node.type != "method_invocation":
        return False
    name, arguments = method.name(node), method.arguments(node)
    values = [constant(method, argument) for argument in arguments]
    if name in ("assumeTrue", "assumeFalse"):
        return (name == "assumeFalse") in values
    if name == "assumeThat" and arguments:
        return _differs(method, node, arguments)
    if name == "abort":
        receiver = node.child_by_field_name("object")
        return receiver is not None and method.text(receiver).rsplit(".", 1)[-1] == "Assumptions"
    made = [argument.type for argument in arguments]
    return (name, made) in (("assumeNotNull", ["null_literal"]), ("assumeNoException", ["object_creation_expression"]))


def _differs(method: MethodSource, start: Node, arguments: list[Node]) -> bool:
    """Whether `assumeThat` compares a literal with another one."""
    link = arguments[1] if len(arguments) > 1 else start.parent
    if arguments[0].type not in LITERALS or link is None or link.type != "method_invocation":
        return False
    name, expected = method.name(link), method.arguments(link)
    if name in ("isTrue", "isFalse"):
        return constant(method, arguments[0]) is (name == "isFalse")
    literal = len(expected) == 1 and expected[0].type in LITERALS
    return name in _EQUAL_TO and literal and method.text(expected[0]) != method.text(arguments[0])


def is_unreached(method: MethodSource, node: Node) -> bool:
    """Whether a constant condition keeps a node from being run: `if (false)`, `assumingThat(false, ...)`."""
    inner = node
    for outer in method.around(node):
        if _keeps_from(method, outer, inner):
            return True
        inner = outer
    return False


def _keeps_from(method: MethodSource, outer: Node, inner: Node) -> bool:
    """Whether a statement or call never runs a child of it, for a constant."""
    if outer.type == "if_statement":
        value = constant(method, outer.child_by_field_name("condition"))
        branch = "consequence" if value is False else "alternative"
        return value is not None and outer.child_by_field_name(branch) == inner
    if outer.type != "method_invocation" or method.name(outer) != "assumingThat":
        return False
    return any(constant(method, argument) is False for argument in method.arguments(outer)[:1])
