"""Extract the assertions of a test method with their strength, and what keeps them from counting.

Reads JUnit 3 to 5, Hamcrest, AssertJ, Truth, Mockito's `verify`, expected exceptions, `assert`, and calls of own
methods that are named like assertions. What is not known counts as a strong assertion, never as a missing one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from tree_sitter import Node

from testevo.java.assertions import strength
from testevo.java.assertions.constants import is_unreached, never_holds
from testevo.java.assertions.inversion import is_expectation, is_to_fail
from testevo.java.assertions.method_source import MethodSource, below, parsed
from testevo.java.assertions.names import CHAIN_SETTINGS, CHAIN_STARTS
from testevo.java.assertions.strength import Strength
from testevo.java.assertions.swallowing import is_swallowed

_LOOPS: Final = frozenset({"for_statement", "enhanced_for_statement", "while_statement"})
_REPEATING_CALLS: Final = frozenset({"assertAll", "forEach", "allSatisfy", "assertSoftly", "allMatch"})


@dataclass(frozen=True)
class Assertion:
    """An assertion. `arguments`: its argument expressions as token text; a chain's subject is the only one."""

    name: str
    strength: Strength
    arguments: tuple[str, ...]
    swallowed: bool = False
    """It stands in a `try` whose `catch` or `finally` hides that it failed, or that it was never reached."""
    to_fail: bool = False
    """It stands in code whose failed assertions are expected."""

    @property
    def is_expectation(self) -> bool:
        """It expects what a failed assertion throws."""
        return is_expectation(self.name, self.arguments)


@dataclass(frozen=True)
class Checks:
    """The assertions of one test method."""

    assertions: tuple[Assertion, ...]
    disabled: bool
    """By an annotation, a constant assumption or an abort."""
    returns_early: bool
    """A `return` stands before an assertion."""
    repeats: int
    """Loops and calls that check many values at once."""
    own_calls: frozenset[str]
    """Names of unqualified calls that are no starts of chains or assumptions: methods that may check something too."""

    def count(self, least: Strength) -> int:
        return sum(assertion.strength >= least for assertion in self.assertions)


def checks_of(method: str) -> Checks | None:
    """Find the assertions of a method; None when its source cannot be read (`parsed`).

    Args:
        method: source of the declaration with annotations.
    """
    source = parsed(method)
    return None if source is None else _checks(source)


def _checks(method: MethodSource) -> Checks:
    found = list(_expected(method))
    found += [(node.start_byte, one) for node in method.nodes() for one in _reached(method, node)]
    calls = [node for node in method.nodes() if node.type == "method_invocation"]
    loops = sum(node.type in _LOOPS for node in method.nodes())
    last = max((at for at, _ in found), default=-1)
    any_fails = any(one.is_expectation and one.name in ("expect", "expected") for _, one in found)
    return Checks(
        assertions=tuple(replace(one, to_fail=True) if any_fails else one for _, one in found),
        disabled=_is_disabled(method),
        returns_early=any(
            node.type == "return_statement" and node.start_byte < last and method.is_own(node)
            for node in method.nodes()
        ),
        repeats=loops + sum(method.name(call) in _REPEATING_CALLS for call in calls),
        own_calls=frozenset(filter(_may_check, (method.name(call) for call in calls if _is_unqualified(call)))),
    )


def _is_unqualified(call: Node) -> bool:
    return call.child_by_field_name("object") is None


def _may_check(name: str) -> bool:
    """Whether a call of this name may check something that is not seen in the method."""
    return name not in CHAIN_STARTS and not name.startswith(("assume", "assuming"))


def _expected(method: MethodSource) -> Iterator[tuple[int, Assertion]]:
    """`@Test(expected = X.class)`, with its place."""
    for annotation in method.annotations():
        for pair in (node for node in below(annotation) if node.type == "element_value_pair"):
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if key is not None and value is not None and method.text(key) == "expected":
                yield (
                    pair.start_byte,
                    Assertion("expected", strength.of_exception(method.text(value)), (method.text(value),)),
                )


def _reached(method: MethodSource, node: Node) -> list[Assertion]:
    """Of a node the assertions that some run can reach."""
    found = list(_assertions(method, node))
    return [] if found and is_unreached(method, node) else found


def _assertions(method: MethodSource, node: Node) -> Iterator[Assertion]:
    if node.type == "assert_statement":
        yield Assertion("assert", Strength.CONDITION, (method.text(node),), is_swallowed(method, node))
    elif node.type == "throw_statement" and "AssertionError" in method.text(node):
        yield Assertion("fail", Strength.EQUALITY, ())
    elif node.type == "method_invocation" and method.may_assert(node):
        arguments = method.arguments(node)
        if method.name(node) in CHAIN_STARTS and len(arguments) < 2:
            yield from _chain(method, node, arguments)
        else:
            texts = tuple(method.text(argument) for argument in arguments)
            says, swallowed = strength.of_call(method, node), is_swallowed(method, node)
            yield Assertion(method.name(node), says, texts, swallowed, is_to_fail(method, node))


def _chain(method: MethodSource, start: Node, subject: list[Node]) -> Iterator[Assertion]:
    """The checks of `assertThat(x).a().b()`, one each; a chain without a check says nothing."""
    name = method.name(start)
    texts = tuple(method.text(argument) for argument in subject)
    swallowed, to_fail = is_swallowed(method, start), is_to_fail(method, start)
    if "Thrown" in name or "Exception" in name:
        broad = name == "assertThatExceptionOfType" and strength.of_exception(texts[0] if texts else "")
        yield Assertion(name, broad or Strength.EQUALITY, texts, swallowed)
        return
    for link in (method.name(call) for call in _links(start)):
        if link not in CHAIN_SETTINGS:
            yield Assertion(f"{name}.{link}", strength.of_link(method, link, subject), texts, swallowed, to_fail)


def _links(start: Node) -> Iterator[Node]:
    inner, link = start, start.parent
    while link is not None and link.type == "method_invocation" and link.child_by_field_name("object") == inner:
        yield link
        inner, link = link, link.parent


def _is_disabled(method: MethodSource) -> bool:
    names = {
        method.text(name).rsplit(".", 1)[-1]
        for annotation in method.annotations()
        if (name := annotation.child_by_field_name("name")) is not None
    }
    return any(name == "Ignore" or name.startswith("Disabled") for name in names) or any(
        never_holds(method, node) for node in method.nodes()
    )
