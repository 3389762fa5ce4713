"""The static coupling of a test and its callees (TEB-X13, X14)."""

from testevo.java.coupling import coupling
from testevo.java.syntax import parse_java
from testevo.records.methods import MethodKey

SOURCE = b"""package a;
class CalculatorTest { @Test void testAddsNumbers() { assertEquals(2, calc.add(1, 1)); log.write(); } }"""
(TEST,) = parse_java(SOURCE, "CalculatorTest.java").methods


def score(type_name: str, name: str, direct_calls: int) -> float:
    return coupling(TEST, "a.CalculatorTest", MethodKey(type_name=type_name, name=name), direct_calls)


def test_names_mentions_and_calls_each_raise_the_score() -> None:
    focal = score("a.Calculator", "add", 1)
    assert focal > score("a.Calculator", "add", 0) > score("a.Other", "add", 0) > score("a.Other", "store", 0)
    assert focal > score("a.Log", "write", 1) > score("a.Log", "flush", 1)


def test_scores_lie_between_zero_and_one() -> None:
    assert score("x.Unrelated", "thing", 0) == 0.0
    assert 0.9 <= score("a.Calculator", "add", 10**6) <= 1.0


def test_more_calls_never_lower_the_score() -> None:
    scores = [score("a.Calculator", "add", calls) for calls in range(20)]
    assert scores == sorted(scores)
