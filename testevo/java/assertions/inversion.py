"""Whether a test wants its assertions to fail, as in `assertThrows(AssertionError.class, () -> assertEquals(1, x))`."""

from typing import Final

from tree_sitter import Node

from testevo.java.assertions.method_source import MethodSource
from testevo.java.assertions.swallowing import hides_failures

_OF_A_CLASS: Final = frozenset({"assertThrows", "assertThrowsExactly", "expect", "expected"})


def is_to_fail(method: MethodSource, call: Node) -> bool:
    """Whether an assertion stands in code whose failed assertions are expected."""
    return any(
        is_expectation(method.name(outer), tuple(map(method.text, method.arguments(outer)[:1])))
        for outer in method.around(call)
        if outer.type == "method_invocation"
    )


def is_expectation(name: str, arguments: tuple[str, ...]) -> bool:
    """Whether an assertion itself expects what a failed assertion throws."""
    return name in _OF_A_CLASS and bool(arguments) and hides_failures(arguments[0].removesuffix(".class"))
