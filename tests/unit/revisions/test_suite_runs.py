"""Runs of unchanged tests are taken from the suites, and only those (TEB-K03)."""

from dataclasses import replace

import pytest

from testevo.labels.candidate import CandidateFacts
from testevo.records.executions import Combination
from testevo.records.methods import ChangeKind, TestKey, TestKind
from testevo.records.verdicts import Outcome, SuiteOutcome, SuiteTest, SuiteVerdict
from testevo.revisions.suites.suite_runs import SuiteRuns

TEST = TestKey(module="", path="src/test/java/a/ATest.java", type_name="a.ATest", name="adds")
UNCHANGED = CandidateFacts(
    repository="o/r",
    old_revision="old",
    new_revision="new",
    test=TEST,
    test_kind=TestKind.JUNIT4,
    is_plain=True,
    nominated=ChangeKind.UNCHANGED,
    change=ChangeKind.UNCHANGED,
)


def suite(revision: str, outcome: Outcome, test: TestKey = TEST) -> SuiteVerdict:
    tests = (SuiteTest(test=test, outcome=outcome),)
    return SuiteVerdict(repository="o/r", revision=revision, outcome=SuiteOutcome.GREEN, reason="", tests=tests)


def test_both_ends_come_from_their_suites() -> None:
    runs = SuiteRuns([suite("old", Outcome.PASSED), suite("new", Outcome.ASSERTION_FAILED)])
    executions = runs.executions(UNCHANGED)
    assert executions is not None
    assert {one.combination: one.outcomes for one in executions} == {
        Combination.OLD_TEST_OLD_CODE: (Outcome.PASSED,),
        Combination.NEW_TEST_NEW_CODE: (Outcome.ASSERTION_FAILED,),
    }


@pytest.mark.parametrize("kind", [ChangeKind.MODIFIED, ChangeKind.INSERTED])
def test_a_touched_test_is_run(kind: ChangeKind) -> None:
    runs = SuiteRuns([suite("old", Outcome.PASSED), suite("new", Outcome.PASSED)])
    assert runs.executions(replace(UNCHANGED, change=kind)) is None


def test_a_test_that_a_suite_did_not_get_to_is_run() -> None:
    other = TEST.model_copy(update={"name": "subtracts"})
    runs = SuiteRuns([suite("old", Outcome.PASSED), suite("new", Outcome.PASSED, other)])
    assert runs.executions(UNCHANGED) is None
