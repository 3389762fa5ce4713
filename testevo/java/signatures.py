"""Method keys from source and from byte code: equal for one method, whichever side it is read from.

A key holds erased simple type names (`Entry`, `int[]`), so that a parameter class that moved to another package
changes no key.
"""

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence

from testevo.java.tokens import decoded, is_word, split_at_commas, without_annotations, without_type_arguments
from testevo.records.methods import MethodKey

CONSTRUCTOR = "<init>"
"""The name of constructors in keys, as in byte code."""

PRIMITIVES = {
    "B": "byte",
    "C": "char",
    "D": "double",
    "F": "float",
    "I": "int",
    "J": "long",
    "S": "short",
    "Z": "boolean",
    "V": "void",
}
"""Types without a class by their letters in byte code."""
_FIELD_TYPE = re.compile(r"(\[*)(?:L([^;]+);|([BCDFIJSZV]))")

Scope = Mapping[str, str]
"""Type variables in scope, each with its erasure."""


def parameters_of_descriptor(descriptor: str) -> tuple[str, ...]:
    """Erased simple names of the parameters of a byte-code method descriptor.

    >>> parameters_of_descriptor("(ILjava/util/Map$Entry;[[J)V")
    ('int', 'Entry', 'long[][]')

    Raises:
        ValueError: `descriptor` is not a method descriptor.
    """
    return tuple(simple_name(name) + brackets for name, brackets in _parameters(descriptor))


def qualified_parameters(descriptor: str) -> tuple[str, ...]:
    """The same with fully qualified names: `(I[La/B$C;)V` gives `int`, `a.B$C[]`."""
    return tuple(name.replace("/", ".") + brackets for name, brackets in _parameters(descriptor))


def _parameters(descriptor: str) -> Iterator[tuple[str, str]]:
    """Internal class names or primitive types, each with the brackets of an array."""
    if not descriptor.startswith("(") or ")" not in descriptor:
        raise ValueError(f"{descriptor!r} is not a method descriptor")
    inside = descriptor[1 : descriptor.index(")")]
    position = 0
    while position < len(inside):
        match = _FIELD_TYPE.match(inside, position)
        if match is None:
            raise ValueError(f"{descriptor!r} is not a method descriptor")
        dimensions, reference, primitive = match.groups()
        yield reference or PRIMITIVES[primitive], "[]" * len(dimensions)
        position = match.end()


def method_key(class_internal_or_binary_name: str, name: str, descriptor: str) -> MethodKey:
    """The key of a method named in byte code; equals the key from source except for constructors of inner classes and
    enums, whose descriptors have parameters that no source shows.

    Raises:
        ValueError: `descriptor` is not a method descriptor.
    """
    type_name = class_internal_or_binary_name.replace("/", ".")
    return MethodKey(type_name=type_name, name=name, parameters=parameters_of_descriptor(descriptor))


def simple_name(name: str) -> str:
    """The last segment of a class name after `/`, `.` and `$`; a `$` at the end belongs to the name."""
    last = re.split(r"[/.]", name)[-1]
    return last.rsplit("$", 1)[-1] or last


def erased_type(tokens: Sequence[bytes], scope: Scope) -> str:
    """The erased simple name of a type as written, with `[]` for each dimension and for `...`."""
    bare = without_type_arguments(without_annotations(tokens))
    words = [token for token in bare if is_word(token)]
    if not words:
        return ""
    name = decoded(words[-1])
    # A qualified name is never a type variable.
    erased = scope.get(name) if len(words) == 1 else None
    return (erased or simple_name(name)) + "[]" * (bare.count(b"[") + bare.count(b"..."))


def parameters_of_source(tokens: Sequence[bytes], scope: Scope) -> tuple[str, ...]:
    """Erased simple types of the parameters between the parentheses of a declaration; receivers are not parameters."""
    names = []
    # Without annotations first: `>` in their arguments is no bracket.
    for parameter in split_at_commas(without_annotations(tokens)):
        words = [token for token in parameter if token != b"final"]
        last_word = max((at for at, token in enumerate(words) if is_word(token)), default=-1)
        if last_word < 1 or words[last_word] == b"this":
            continue
        # Dimensions may follow the name: `int foo[]`.
        names.append(erased_type(words[:last_word] + words[last_word + 1 :], scope))
    return tuple(names)


def type_variables(tokens: Sequence[bytes], outer: Scope) -> Scope:
    """The scope inside a declaration with the type parameters written between angle brackets in `tokens`.

    A variable erases to its first bound; the bound may be a variable of this list or of an outer one.
    """
    bounds: dict[str, list[bytes]] = {}
    for words in split_at_commas(without_annotations(tokens)):
        bounds[decoded(words[0])] = words[2:] if words[1:2] == [b"extends"] else [b"Object"]
    hiding = inner_scope(dict.fromkeys(bounds, ""), outer)
    first = {name: _first_bound(words, hiding) for name, words in bounds.items()}
    erasures: dict[str, str] = {}
    for name in bounds:
        way, (erased, may_be_variable) = {name: None}, first[name]
        while may_be_variable and erased in bounds and erased not in way and erased not in erasures:
            way[erased] = None
            erased, may_be_variable = first[erased]
        erasures |= dict.fromkeys(way, erasures.get(erased, erased) if may_be_variable else erased)
    return inner_scope(erasures, outer)


def inner_scope(own: Mapping[str, str], outer: Scope) -> Scope:
    """`outer`, of which nothing is copied, with the variables of a declaration inside it, which hide others.

    A variable without an erasure ('') hides one and is none itself.
    """
    around = outer if isinstance(outer, ChainMap) else ChainMap(dict(outer))
    return around.new_child(dict(own))


def _first_bound(bound: Sequence[bytes], scope: Scope) -> tuple[str, bool]:
    """The erasure of the first type of a bound, and whether it can be a variable of the same list."""
    bare = without_type_arguments(without_annotations(bound))
    one = bare[: bare.index(b"&")] if b"&" in bare else bare
    return erased_type(one, scope), len(one) == 1
