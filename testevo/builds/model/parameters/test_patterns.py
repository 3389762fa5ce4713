"""Includes and excludes of Surefire: which class files they choose, and which forms choose the same in all versions.

Surefire compares paths of class files such as `a/b/CTest.class` with Ant patterns, or with `%regex[...]`. A pattern
that ends in `.java` stands for one in `.class`; one with neither, nor with `.*`, matches also where `.class` follows.
See the plugin's page "Inclusions and Exclusions of Tests", and `ResolvedTest` in its sources.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from testevo.builds.model.sources import ant_pattern

_REGULAR_EXPRESSION = re.compile(r"%regex\[((?:(?:[\w/]|\\\.|\.)[*+?]?|\|)+)\]", re.ASCII)
_MOST_REPETITIONS = 3
"""So many `*` and `+` cannot keep the matching of a path busy."""
_ENDINGS = re.compile(r"(?:\.java|\.class|\.\*|(?<=\*))\Z")
"""After `*`, a pattern matches the whole name of a class file with its ending."""


@dataclass(frozen=True)
class TestPatterns:
    """The includes and excludes of one module."""

    __test__ = False

    includes: tuple[re.Pattern[str], ...]
    excludes: tuple[re.Pattern[str], ...]

    @classmethod
    def of(cls, includes: Iterable[str], excludes: Iterable[str]) -> "TestPatterns":
        """Includes that start with `!` are excludes, as for Surefire."""
        chosen = list(_parts(includes))
        negated = [name[1:] for name in chosen if name.startswith("!")]
        return cls(
            tuple(expression for name in chosen if not name.startswith("!") for expression in _expressions(name)),
            tuple(expression for name in (*_parts(excludes), *negated) for expression in _expressions(name)),
        )

    def choose(self, path: str) -> bool:
        """Whether Surefire runs the class file at a path below the folder of test classes."""
        return _matches(path, self.includes) and not _matches(path, self.excludes)


def regular_expression(pattern: str) -> re.Pattern[str] | None:
    """The expression of an include or exclude `%regex[...]` over paths of class files, where Java and Python read it
    alike; None for other patterns."""
    found = _REGULAR_EXPRESSION.fullmatch(pattern)
    if found is None or sum(map(pattern.count, "*+")) > _MOST_REPETITIONS:
        return None
    return re.compile(found.group(1))


def is_ant_pattern(pattern: str) -> bool:
    """Whether an include or exclude is a path of Ant that ends in `.java`, `.class` or `*`, without another dot, which
    newer versions take for a folder: not a regular expression, a method, or a negated pattern."""
    plain = not any(mark in pattern for mark in ("%", "#", "!", "[", "]", "{", "+", "|"))
    ending = _ENDINGS.search(pattern)
    return plain and ending is not None and "." not in pattern[: ending.start()]


def _parts(patterns: Iterable[str]) -> Iterator[str]:
    split = (part.strip() for text in patterns for part in (text.split(",") if "[" not in text else [text]))
    return filter(None, split)


@cache
def _expressions(pattern: str) -> tuple[re.Pattern[str], ...]:
    """As Surefire since 2.19 reads a pattern; of those that `is_ant_pattern` lets through, older ones do as well."""
    if expression := regular_expression(pattern):
        return (expression,)
    name = pattern.removeprefix("%ant[").removesuffix("]") if pattern.startswith("%ant[") else pattern
    name = name.split("#")[0].replace("\\", "/")
    if name.endswith((".java", ".class")):
        name = name.removesuffix(".java").removesuffix(".class").replace(".", "/") + ".class"
    elif "/" not in name:
        any_ending = ".*" if name.endswith(".*") else ""
        name = name.removesuffix(any_ending).replace(".", "/") + any_ending
    name = name if name.startswith("**/") else f"**/{name}"
    names = (name,) if name.endswith((".class", ".*")) else (name, f"{name}.class")
    return tuple(map(ant_pattern, names))


def _matches(path: str, expressions: Iterable[re.Pattern[str]]) -> bool:
    return any(expression.fullmatch(path) for expression in expressions)
