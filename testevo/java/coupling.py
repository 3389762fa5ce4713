"""Score how strongly a test is coupled to a method it calls, from names and calls alone (TEB-X13, X14)."""

import re
from itertools import pairwise

from testevo.java.declarations import JavaMethod
from testevo.records.methods import MethodKey

TYPE_WEIGHT = 0.35
"""The test class is called like the callee's class."""
NAME_WEIGHT = 0.35
"""The words of the callee's name occur in the test method's name."""
MENTION_WEIGHT = 0.20
"""The test method itself names the callee in a call."""
CALL_WEIGHT = 0.10
"""The test method entered the callee directly, often."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_TEST_WORDS = frozenset({"test", "tests", "testcase", "it", "case", "should"})
_SHORTEST_STEM = 3


def coupling(test: JavaMethod, test_type: str, callee: MethodKey, direct_calls: int) -> float:
    """A score from 0 (only reached) to 1; deterministic, rounded to six digits.

    Args:
        test: the test method.
        test_type: binary name of the class the test runs in.
        callee: a production method that ran below the test.
        direct_calls: how often the test method entered it directly; 0 for a method deeper in the closure.
    """
    score = (
        TYPE_WEIGHT * _shared(_words(callee.simple_type), _words(test_type.rsplit(".", 1)[-1]), both_ways=True)
        + NAME_WEIGHT * _shared(_words(callee.name), _words(test.key.name), both_ways=False)
        + MENTION_WEIGHT * _saturated(_mentions(test, callee.name))
        + CALL_WEIGHT * _saturated(direct_calls)
    )
    return round(score, 6)


def _words(name: str) -> list[str]:
    """Lower-case words of a camel-case or underscored name, without words that only say "test"."""
    return [word for word in map(str.lower, _WORD.findall(name)) if word not in _TEST_WORDS]


def _shared(sought: list[str], given: list[str], both_ways: bool) -> float:
    """Share of the sought words that are among the given; both ways, extra given words count against it as well."""
    if not sought:
        return 0.0
    found = sum(any(_same_stem(word, other) for other in given) for word in sought)
    return found / (max(len(sought), len(given)) if both_ways else len(sought))


def _same_stem(word: str, other: str) -> bool:
    """Equal, or one begins with the other (`add`, `adds`), if that is long enough to mean something."""
    shorter = min(len(word), len(other))
    return word == other or (shorter >= _SHORTEST_STEM and word[:shorter] == other[:shorter])


def _mentions(test: JavaMethod, name: str) -> int:
    tokens = test.tokens.split(" ")
    return sum(pair in ((name, "("), ("::", name)) for pair in pairwise(tokens))


def _saturated(count: int) -> float:
    """0 for 0, towards 1 for many: the first occurrence says most."""
    return 1 - 0.5**count if count > 0 else 0.0
