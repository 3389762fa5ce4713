"""Extract the assertions of a test method with their strength, and what keeps them from counting.

Reads JUnit 3 to 5, Hamcrest, AssertJ, Truth, Mockito's `verify`, expected exceptions, `assert`, and calls of own
methods that are named like assertions. What is not known counts as a strong assertion, never as a missing one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import tree_sitter_java
from tree_sitter import Language, Node, Parser

from testevo.java.assertion_names import (
    BROAD_EXCEPTIONS,
    CHAIN_CONDITIONS,
    CHAIN_SETTINGS,
    CHAIN_STARTS,
    CHAIN_WEAK,
    CONDITIONS,
    EQUALITIES,
    MATCHERS_WRAPPING,
    PRESENCES,
    is_assertion_class,
    is_named_like_assertion,
)
from testevo.java.tokens import decoded, token_text, tokens_of

_PARSER: Final = Parser(Language(tree_sitter_java.language()))
_SHELL: Final = (b"class Shell {\n", b"\n}\n")
_MOST_TOKENS: Final = 20_000
_MOST_NESTED: Final = 100
_OPENING: Final = frozenset({b"(", b"{", b"["})
_CLOSING: Final = frozenset({b")", b"}", b"]"})
_HIDING: Final = frozenset({"Throwable", "Error", "AssertionError", "AssertionFailedError", "ComparisonFailure"})
"""Exceptions whose catch hides a failed assertion."""
_BROAD_CATCHES: Final = frozenset({"Exception", "RuntimeException"})
_ABORTS: Final = frozenset({"TestAbortedException", "AssumptionViolatedException", "SkipException"})
_OTHER_METHODS: Final = frozenset({"lambda_expression", "class_body", "method_declaration"})
_LITERALS: Final = frozenset(
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


@dataclass(frozen=True)
class Assertion:
    """An assertion. `arguments`: its argument expressions as token text; a chain's subject is the only one."""

    name: str
    strength: Strength
    arguments: tuple[str, ...]
    swallowed: bool = False
    """It stands in a `try` whose `catch` hides that it failed, or that it was never reached."""


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
    """Names of unqualified calls: methods that may check something too."""

    def count(self, least: Strength) -> int:
        return sum(assertion.strength >= least for assertion in self.assertions)


def checks_of(method: str) -> Checks | None:
    """Find the assertions of a method; None when its source cannot be read.

    Args:
        method: source of the declaration with annotations. More or deeper nested than a person writes is not read:
            nesting multiplies the work.
    """
    if _is_excessive(method):
        return None
    source = _SHELL[0] + method.encode("utf-8", "replace") + _SHELL[1]
    root = _PARSER.parse(source).root_node
    declaration = next((node for node in _below(root) if node.type == "method_declaration"), None)
    if root.has_error or declaration is None:
        return None
    return _Reader(source, declaration).read()


def _is_excessive(method: str) -> bool:
    depth = deepest = count = 0
    for token in tokens_of(method.encode("utf-8", "replace")):
        count += 1
        depth += (token in _OPENING) - (token in _CLOSING)
        deepest = max(deepest, depth)
    return count > _MOST_TOKENS or deepest > _MOST_NESTED


class _Reader:
    """One pass over one method."""

    def __init__(self, source: bytes, method: Node) -> None:
        self.source = source
        self.method = method

    def read(self) -> Checks:
        found: list[tuple[int, Assertion]] = list(self._expected())
        own_calls, repeats = set(), 0
        for node in _below(self.method):
            found += [(node.start_byte, one) for one in self._assertions(node)]
            repeats += node.type in ("for_statement", "enhanced_for_statement", "while_statement")
            if node.type == "method_invocation":
                name = self._name(node)
                repeats += name in ("assertAll", "forEach", "allSatisfy", "assertSoftly", "allMatch")
                if node.child_by_field_name("object") is None:
                    own_calls.add(name)
        last = max((at for at, _ in found), default=-1)
        return Checks(
            assertions=tuple(one for _, one in found),
            disabled=self._is_disabled(),
            returns_early=any(
                node.type == "return_statement" and node.start_byte < last and self._is_own(node)
                for node in _below(self.method)
            ),
            repeats=repeats,
            own_calls=frozenset(own_calls),
        )

    def _expected(self) -> Iterator[tuple[int, Assertion]]:
        """`@Test(expected = X.class)`."""
        for annotation in self._annotations():
            for pair in (node for node in _below(annotation) if node.type == "element_value_pair"):
                key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
                if key is not None and value is not None and self._text(key) == "expected":
                    yield pair.start_byte, Assertion("expected", self._exception(self._text(value)), ())

    def _assertions(self, node: Node) -> Iterator[Assertion]:
        if node.type == "assert_statement":
            yield Assertion("assert", Strength.CONDITION, (self._text(node),), self._is_swallowed(node))
        elif node.type == "throw_statement" and "AssertionError" in self._text(node):
            yield Assertion("fail", Strength.EQUALITY, ())
        elif node.type == "method_invocation":
            name = self._name(node)
            if not self._may_assert(node, name):
                return
            if name in CHAIN_STARTS and len(self._arguments(node)) < 2:
                yield from self._chain(node, name)
            else:
                yield self._single(node, name)

    def _may_assert(self, node: Node, name: str) -> bool:
        receiver = node.child_by_field_name("object")
        if receiver is not None and name in ("expect", "expectMessage", "andExpect", "untilAsserted"):
            return True
        if receiver is not None and not is_assertion_class(self._text(receiver).rsplit(".", 1)[-1]):
            return False
        return is_named_like_assertion(name)

    def _single(self, node: Node, name: str) -> Assertion:
        arguments = self._arguments(node)
        texts = tuple(self._text(argument) for argument in arguments)
        # What is not known (own methods, verify, fail) says as much as can be said.
        strength = Strength.EQUALITY
        if name in ("assertThrows", "assertThrowsExactly"):
            strength = self._exception(texts[0] if texts else "")
        elif name in ("assertTrue", "assertFalse"):
            strength = self._condition(arguments)
        elif name in CONDITIONS:
            strength = Strength.CONDITION
        elif name in PRESENCES:
            strength = Strength.PRESENCE
        elif name == "assertThat" and arguments:
            strength = self._matcher(arguments[-1])
        if name in EQUALITIES | PRESENCES | CONDITIONS and self._says_nothing(name, arguments):
            strength = Strength.NOTHING
        return Assertion(name, strength, texts, self._is_swallowed(node))

    def _chain(self, start: Node, name: str) -> Iterator[Assertion]:
        """The checks of `assertThat(x).a().b()`, one each; a chain without a check says nothing."""
        arguments = self._arguments(start)
        subject = tuple(self._text(argument) for argument in arguments)
        checks = [self._name(call) for call in self._links(start)]
        checks = [check for check in checks if check not in CHAIN_SETTINGS]
        swallowed = self._is_swallowed(start)
        if "Thrown" in name or "Exception" in name:
            broad = name == "assertThatExceptionOfType" and self._exception(subject[0] if subject else "")
            yield Assertion(name, broad or Strength.EQUALITY, subject, swallowed)
            return
        constant = bool(arguments) and arguments[0].type in _LITERALS
        for check in checks:
            strength = Strength.EQUALITY
            if check in ("isTrue", "isFalse"):
                strength = self._condition(arguments)
            elif check in CHAIN_WEAK:
                strength = Strength.PRESENCE
            elif check in CHAIN_CONDITIONS:
                strength = Strength.CONDITION
            yield Assertion(f"{name}.{check}", Strength.NOTHING if constant else strength, subject, swallowed)

    def _links(self, start: Node) -> Iterator[Node]:
        link = start.parent
        inner = start
        while link is not None and link.type == "method_invocation" and link.child_by_field_name("object") == inner:
            yield link
            inner, link = link, link.parent

    def _condition(self, arguments: list[Node]) -> Strength:
        """Of `assertTrue(x)`: the argument decides, a message may stand before or behind it."""
        texts = [self._text(argument) for argument in arguments if argument.type != "string_literal"]
        if any(argument.type in ("true", "false") for argument in arguments):
            return Strength.NOTHING
        equal = any(".equals(" in text or "==" in text or "Objects.equals" in text for text in texts)
        return Strength.EQUALITY if equal else Strength.CONDITION

    def _matcher(self, matcher: Node) -> Strength:
        if matcher.type != "method_invocation":
            return Strength.EQUALITY
        name, inner = self._name(matcher), self._arguments(matcher)
        if name in MATCHERS_WRAPPING and len(inner) == 1 and inner[0].type == "method_invocation":
            return self._matcher(inner[0])
        return _MATCHERS.get(name, Strength.EQUALITY)

    def _says_nothing(self, name: str, arguments: list[Node]) -> bool:
        if name in ("assertNotNull", "assertDoesNotThrow"):
            return bool(arguments) and arguments[-1].type in ("string_literal", "object_creation_expression")
        if name in EQUALITIES and len(arguments) >= 2:
            first, second = arguments[0], arguments[1]
            simple = first.type == "identifier" or first.type in _LITERALS
            return simple and first.type == second.type and self._text(first) == self._text(second)
        return False

    def _exception(self, written: str) -> Strength:
        """Of expecting an exception, written `X.class`."""
        return Strength.CONDITION if written.removesuffix(".class") in BROAD_EXCEPTIONS else Strength.EQUALITY

    def _is_swallowed(self, node: Node) -> bool:
        if node.type == "method_invocation" and self._name(node) == "fail":
            return self._hides(node, _HIDING)
        return self._hides(node, _HIDING | _BROAD_CATCHES)

    def _hides(self, node: Node, hiding: frozenset[str]) -> bool:
        """Whether a `try` around the node catches one of `hiding` and does nothing that could fail the test."""
        inner, outer = node, node.parent
        while outer is not None and outer != self.method:
            in_body = outer.type.startswith("try") and outer.child_by_field_name("body") == inner
            if (
                in_body
                and self._body_has_no_fail(inner)
                and any(hiding & self._caught(clause) and self._is_silent(clause) for clause in outer.named_children)
            ):
                return True
            inner, outer = outer, outer.parent
        return False

    def _body_has_no_fail(self, body: Node) -> bool:
        """A `fail()` in the body of the `try` makes it an expected exception, unless errors are caught too."""
        calls = [node for node in _below(body) if node.type == "method_invocation" and self._name(node) == "fail"]
        caught = set().union(*(self._caught(clause) for clause in body.parent.named_children)) if body.parent else set()
        return not calls or bool(caught & _HIDING)

    def _caught(self, clause: Node) -> set[str]:
        if clause.type != "catch_clause":
            return set()
        types = next((node for node in _below(clause) if node.type == "catch_type"), None)
        names = [] if types is None else self._text(types).split("|")
        return {name.strip().rsplit(".", 1)[-1] for name in names}

    def _is_silent(self, clause: Node) -> bool:
        """Whether a catch neither throws, returns a verdict nor asserts."""
        body = clause.child_by_field_name("body")
        if body is None:
            return False
        for node in _below(body):
            if node.type in ("throw_statement", "assert_statement"):
                return False
            if node.type == "method_invocation" and self._may_assert(node, self._name(node)):
                return False
        return True

    def _is_disabled(self) -> bool:
        names = {
            self._text(name).rsplit(".", 1)[-1]
            for annotation in self._annotations()
            if (name := annotation.child_by_field_name("name")) is not None
        }
        return any(name == "Ignore" or name.startswith("Disabled") for name in names) or any(
            self._aborts(node) for node in _below(self.method)
        )

    def _aborts(self, node: Node) -> bool:
        """An assumption that never holds, or an exception that stands for one."""
        if node.type == "throw_statement":
            return any(name in self._text(node) for name in _ABORTS)
        if node.type != "method_invocation":
            return False
        constants = {argument.type for argument in self._arguments(node)}
        name = self._name(node)
        return (name == "assumeTrue" and "false" in constants) or (name == "assumeFalse" and "true" in constants)

    def _annotations(self) -> list[Node]:
        modifiers = next((child for child in self.method.named_children if child.type == "modifiers"), None)
        kinds = ("annotation", "marker_annotation")
        return [] if modifiers is None else [child for child in modifiers.named_children if child.type in kinds]

    def _is_own(self, node: Node) -> bool:
        """Whether a statement belongs to the method itself, not to a lambda or a class inside it."""
        outer = node.parent
        while outer is not None and outer != self.method:
            if outer.type in _OTHER_METHODS:
                return False
            outer = outer.parent
        return True

    def _name(self, call: Node) -> str:
        name = call.child_by_field_name("name")
        return "" if name is None else decoded(self.source[name.start_byte : name.end_byte])

    def _arguments(self, call: Node) -> list[Node]:
        listed = call.child_by_field_name("arguments")
        comments = ("line_comment", "block_comment")
        return [] if listed is None else [child for child in listed.named_children if child.type not in comments]

    def _text(self, node: Node) -> str:
        return token_text(self.source[node.start_byte : node.end_byte]).replace(" . ", ".").replace(" (", "(")


def _below(node: Node) -> Iterator[Node]:
    """All nodes below `node`, in the order of the source."""
    waiting = list(reversed(node.named_children))
    while waiting:
        one = waiting.pop()
        yield one
        waiting += reversed(one.named_children)
