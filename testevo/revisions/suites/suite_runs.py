"""Results that the suites already proved: runs of unchanged tests on revisions as they are."""

from collections.abc import Iterable

from testevo.labels.candidate import CandidateFacts
from testevo.records.executions import Combination, Execution
from testevo.records.methods import ChangeKind, TestKey
from testevo.records.verdicts import Outcome, SuiteVerdict

AS_IT_IS = (Combination.OLD_TEST_OLD_CODE, Combination.NEW_TEST_NEW_CODE)


class SuiteRuns:
    """Outcomes of tests by revision.

    An unchanged test is asked about nothing but revisions as they are, and `build_check` has run it there: its
    executions are taken from the suites, without logs, instead of starting two more JVMs (TEB-K03).
    """

    def __init__(self, suites: Iterable[SuiteVerdict]) -> None:
        tests: dict[TestKey, TestKey] = {}
        self._outcomes: dict[tuple[str, TestKey], Outcome] = {
            (suite.revision, tests.setdefault(one.test, one.test)): one.outcome
            for suite in suites
            for one in suite.tests
        }
        """Equal tests of all revisions are one object."""

    def outcome(self, revision: str, test: TestKey) -> Outcome | None:
        """How a test ended in the suite of a revision; None when the suite did not get to it."""
        return self._outcomes.get((revision, test))

    def executions(self, facts: CandidateFacts) -> list[Execution] | None:
        """Both executions of an unchanged test; None for another one, or when a suite did not get to it."""
        if facts.change is not ChangeKind.UNCHANGED:
            return None
        ends = (facts.old_revision, facts.new_revision)
        found = [self._outcomes[revision, facts.test] for revision in ends if (revision, facts.test) in self._outcomes]
        if len(found) < len(ends):
            return None
        return [self._execution(facts, *run) for run in zip(AS_IT_IS, found, strict=True)]

    def _execution(self, facts: CandidateFacts, combination: Combination, outcome: Outcome) -> Execution:
        return Execution(
            repository=facts.repository,
            old_revision=facts.old_revision,
            new_revision=facts.new_revision,
            test=facts.test,
            combination=combination,
            swap="none",
            old_tree="clean" if combination is Combination.OLD_TEST_OLD_CODE else "",
            outcomes=(outcome,),
        )
