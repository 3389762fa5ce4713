"""How much an assertion says of its subject. What is not known says as much as can be said."""

from enum import IntEnum
from typing import Final

from tree_sitter import Node

from testevo.java.assertions.constants import constant
from testevo.java.assertions.method_source import LITERALS, MethodSource
from testevo.java.assertions.names import (
    BROAD_EXCEPTIONS,
    CHAIN_CONDITIONS,
    CHAIN_WEAK,
    CONDITIONS,
    EQUALITIES,
    MATCHERS_WRAPPING,
    PRESENCES,
)


class Strength(IntEnum):
    """How much an assertion says of its subject."""

    NOTHING = 0
    """True of everything: `assertTrue(true)`."""
    PRESENCE = 1
    """It is there, has a type, does not throw."""
    CONDITION = 2
    """Something holds of it."""
    EQUALITY = 3
    """It is this value, or throws this exception."""


_BY_NAME: Final = {**dict.fromkeys(CONDITIONS, Strength.CONDITION), **dict.fromkeys(PRESENCES, Strength.PRESENCE)}
_MATCHERS: Final = {
    "anything": Strength.NOTHING,
    **dict.fromkeys(("notNullValue", "instanceOf", "isA", "any"), Strength.PRESENCE),
    **dict.fromkeys(
        (
            "not",
            "containsString",
            "startsWith",
            "endsWith",
            "hasItem",
            "hasSize",
            "greaterThan",
            "lessThan",
            "greaterThanOrEqualTo",
            "lessThanOrEqualTo",
            "closeTo",
            "anyOf",
            "matchesPattern",
        ),
        Strength.CONDITION,
    ),
}
"""Hamcrest matchers that say less than equality."""


def of_call(method: MethodSource, call: Node) -> Strength:
    """Of an assertion that is one call: `assertEquals(1, x)`."""
    name, arguments = method.name(call), method.arguments(call)
    if name in EQUALITIES | PRESENCES | CONDITIONS and _says_nothing(method, name, arguments):
        return Strength.NOTHING
    if name in ("assertThrows", "assertThrowsExactly"):
        return of_exception(method.text(arguments[0]) if arguments else "")
    if name in ("assertTrue", "assertFalse") and not is_failure(method, call):
        return _of_condition(method, arguments)
    if name == "assertThat" and arguments:
        return _of_matcher(method, arguments[-1])
    return _BY_NAME.get(name, Strength.EQUALITY)


def is_failure(method: MethodSource, node: Node) -> bool:
    """Whether an assertion fails in every run: `fail()`, `assertTrue(false)`."""
    if node.type != "method_invocation":
        return False
    name = method.name(node)
    failing = {"assertTrue": False, "assertFalse": True}
    return name == "fail" or (
        name in failing and any(constant(method, one) is failing[name] for one in method.arguments(node))
    )


def of_link(method: MethodSource, link: str, subject: list[Node]) -> Strength:
    """Of one check of a chain: `isTrue` in `assertThat(x).isTrue()`, whose subject is x."""
    if subject and subject[0].type in LITERALS:
        return Strength.NOTHING
    if link in ("isTrue", "isFalse"):
        return _of_condition(method, subject)
    if link in CHAIN_WEAK:
        return Strength.PRESENCE
    return Strength.CONDITION if link in CHAIN_CONDITIONS else Strength.EQUALITY


def of_exception(written: str) -> Strength:
    """Of expecting an exception, written `X.class`."""
    return Strength.CONDITION if written.removesuffix(".class") in BROAD_EXCEPTIONS else Strength.EQUALITY


def _of_condition(method: MethodSource, arguments: list[Node]) -> Strength:
    """Of `assertTrue(x)`: the argument decides, a message may stand before or behind it."""
    texts = [method.text(argument) for argument in arguments if argument.type != "string_literal"]
    if any(constant(method, argument) is not None for argument in arguments):
        return Strength.NOTHING
    equal = any(".equals(" in text or "==" in text or "Objects.equals" in text for text in texts)
    return Strength.EQUALITY if equal else Strength.CONDITION


def _of_matcher(method: MethodSource, matcher: Node) -> Strength:
    if matcher.type != "method_invocation":
        return Strength.EQUALITY
    name, inner = method.name(matcher), method.arguments(matcher)
    if name in MATCHERS_WRAPPING and len(inner) == 1 and inner[0].type == "method_invocation":
        return _of_matcher(method, inner[0])
    return _MATCHERS.get(name, Strength.EQUALITY)


def _says_nothing(method: MethodSource, name: str, arguments: list[Node]) -> bool:
    if name in ("assertNotNull", "assertDoesNotThrow"):
        return bool(arguments) and arguments[-1].type in ("string_literal", "object_creation_expression")
    if name in EQUALITIES and len(arguments) >= 2:
        first, second = arguments[0], arguments[1]
        simple = first.type == "identifier" or first.type in LITERALS
        return simple and first.type == second.type and method.text(first) == method.text(second)
    return False
