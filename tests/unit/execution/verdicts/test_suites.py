"""From tests to the outcome of a suite (TEB-M09, M14)."""

import pytest

from testevo.config.model import ToleratedTest
from testevo.execution.runner import ModuleRun, Vanished
from testevo.execution.verdicts.suites import judge_runs, judge_suite
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, SuiteOutcome, SuiteTest


def entry(name: str, outcome: Outcome) -> SuiteTest:
    return SuiteTest(test=TestKey(module="", path="a/T.java", type_name="a.T", name=name), outcome=outcome)


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([Outcome.PASSED, Outcome.SKIPPED, Outcome.ABORTED], SuiteOutcome.GREEN),
        ([Outcome.PASSED, Outcome.ASSERTION_FAILED], SuiteOutcome.RED),
        ([Outcome.SKIPPED], SuiteOutcome.NO_TESTS),
        ([], SuiteOutcome.NO_TESTS),
    ],
)
def test_the_outcome_follows_from_the_tests(outcomes: list[Outcome], expected: SuiteOutcome) -> None:
    assert judge_suite([entry(f"t{i}", outcome) for i, outcome in enumerate(outcomes)]).outcome is expected


def test_reasons_name_the_first_failing_test_whatever_the_order() -> None:
    tests = [entry("z", Outcome.EXCEPTION), entry("a", Outcome.PASSED), entry("b", Outcome.ASSERTION_FAILED)]
    assert judge_suite(tests) == judge_suite(tests[::-1])
    assert judge_suite(tests).reason == "2 of 3 tests did not pass, first T#b (assertion_failed)"


def test_a_test_of_several_jvms_has_its_worst_outcome_once() -> None:
    first = ModuleRun("", ("a.T",), (entry("one", Outcome.PASSED), entry("two", Outcome.SKIPPED)))
    again = ModuleRun("", ("a.All",), (entry("one", Outcome.EXCEPTION), entry("two", Outcome.PASSED)))
    for runs in ([first, again], [again, first]):
        suite = judge_runs(runs)
        assert suite.tests == (entry("one", Outcome.EXCEPTION), entry("two", Outcome.PASSED))
        assert suite.outcome is SuiteOutcome.RED


@pytest.mark.parametrize("pattern", ["T#red*", "a.T#redNow", "T", "a.*"])
def test_tolerated_tests_do_not_make_a_suite_red(pattern: str) -> None:
    tolerated = [ToleratedTest(test=pattern, reason="fails on this JDK")]
    suite = judge_suite([entry("redNow", Outcome.EXCEPTION), entry("green", Outcome.PASSED)], tolerated=tolerated)
    assert suite.outcome is SuiteOutcome.TOLERATED


def test_a_vanished_verdict_outweighs_all_tests() -> None:
    tests = [entry("a", Outcome.PASSED)]
    assert judge_suite(tests, [Vanished("m", True, "passed its time limit")]).outcome is SuiteOutcome.TIMED_OUT
    crashed = judge_suite(tests, [Vanished("", False, "ended")])
    assert (crashed.outcome, crashed.reason, len(crashed.tests)) == (SuiteOutcome.CRASHED, "module .: ended", 1)
