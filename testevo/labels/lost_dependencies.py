"""Callees that the released data loses, told by descriptor and signature."""

from dataclasses import dataclass

from testevo.records.calls import Callee

OBJECT = "Ljava/lang/Object;"


@dataclass(frozen=True)
class MethodSignature:
    """The parts of a generic method signature that the rule needs (JVM specification, section 4.7.9.1)."""

    bounded: frozenset[str]
    """The method's own type variables with a bound other than `Object`."""
    unbounded: frozenset[str]
    parameters: tuple[str, ...]
    """One type signature per parameter: `I`, `[TT;`, `Ljava/util/List<TT;>;`."""


def is_lost(callee: Callee) -> bool:
    """Whether the released data never lists such a callee.

    Lost are methods that return an array of references or an array of arrays, and methods with type parameters of
    their own that take an array of such a type (`T[]`) or a bounded one. A one-dimensional array of a primitive type,
    an unbounded `T`, and `T...` of one are fine.

    Raises:
        ValueError: the descriptor or the signature is none.
    """
    if _returns_lost_array(callee.descriptor):
        return True
    if not callee.generic_signature or not callee.generic_signature.startswith("<"):
        return False
    signature = parse_signature(callee.generic_signature)
    parameters = signature.parameters
    if callee.variable_arity and parameters:
        parameters = (*parameters[:-1], parameters[-1].removeprefix("["))
    return any(_takes_lost_variable(parameter, signature) for parameter in parameters)


def _returns_lost_array(descriptor: str) -> bool:
    _, parenthesis, returns = descriptor.rpartition(")")
    if not parenthesis or not returns:
        raise ValueError(f"no method descriptor: {descriptor!r}")
    return returns.startswith(("[L", "[["))


def _takes_lost_variable(parameter: str, signature: MethodSignature) -> bool:
    element = parameter.lstrip("[")
    if not element.startswith("T"):
        return False
    variable = element[1:-1]
    if variable in signature.bounded:
        return True
    return element != parameter and variable in signature.unbounded


def parse_signature(text: str) -> MethodSignature:
    """Read the type parameters and parameter types of a method's generic signature.

    Raises:
        ValueError: the text is not a method signature.
    """
    position = 0
    bounded: set[str] = set()
    unbounded: set[str] = set()
    if text.startswith("<"):
        position = 1
        while text[position] != ">":
            colon = text.index(":", position)
            variable = text[position:colon]
            bounds, position = _bounds(text, colon)
            (unbounded if bounds <= {OBJECT} else bounded).add(variable)
        position += 1
    if text[position : position + 1] != "(":
        raise ValueError(f"no method signature: {text!r}")
    position += 1
    parameters = []
    while text[position] != ")":
        end = _type_end(text, position)
        parameters.append(text[position:end])
        position = end
    return MethodSignature(frozenset(bounded), frozenset(unbounded), tuple(parameters))


def _bounds(text: str, position: int) -> tuple[set[str], int]:
    """The bounds from the colon at `position` on, and where they end. The class bound may be empty (`T::LI;`)."""
    bounds = set()
    while text[position] == ":":
        position += 1
        if text[position] == ":":
            continue
        end = _type_end(text, position)
        bounds.add(text[position:end])
        position = end
    return bounds, position


def _type_end(text: str, position: int) -> int:
    """The position after the type signature that starts at `position`."""
    while text[position] == "[":
        position += 1
    if text[position] in "BCDFIJSZV":
        return position + 1
    if text[position] not in "LT":
        raise ValueError(f"no type signature at {position} of {text!r}")
    depth = 0
    for index in range(position, len(text)):
        depth += {"<": 1, ">": -1}.get(text[index], 0)
        if text[index] == ";" and depth == 0:
            return index + 1
    raise ValueError(f"unfinished type signature at {position} of {text!r}")
