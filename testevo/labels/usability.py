"""When a commit can be the end of a pair (TEB-M13, M14)."""

from testevo.config.rules import PairRules
from testevo.records.verdicts import BuildOutcome, BuildVerdict, Outcome, SuiteOutcome, SuiteVerdict


def unusable_reason(build: BuildVerdict, suite: SuiteVerdict, rules: PairRules) -> str | None:
    """Why a commit cannot be the end of a pair, in a word; None when it can."""
    if build.outcome is not BuildOutcome.BUILT:
        return build.outcome.value
    return USABILITY[rules.usability](suite)


def all_tests_pass(suite: SuiteVerdict) -> str | None:
    """Every executed test passes, tolerated ones aside."""
    return None if suite.outcome in (SuiteOutcome.GREEN, SuiteOutcome.TOLERATED) else suite.outcome.value


def tests_run(suite: SuiteVerdict) -> str | None:
    """At least one test executed, at least one passed, no runner error; single red tests do not matter."""
    if suite.outcome is SuiteOutcome.RED and any(test.outcome is Outcome.PASSED for test in suite.tests):
        return None
    return all_tests_pass(suite)


USABILITY = {"all_tests_pass": all_tests_pass, "tests_run": tests_run}
