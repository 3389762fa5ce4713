"""Classify how a test that passes on the new code behaves on the old code (TEB-V02, V03)."""

from testevo.execution.runner import MethodRun
from testevo.grading.verdicts.code_classes import CodeClasses
from testevo.grading.verdicts.missing import MISSING, is_missing
from testevo.records.evaluation.grading import Discrimination
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome

_BY_OUTCOME = {
    Outcome.PASSED: Discrimination.NONE,
    Outcome.ASSERTION_FAILED: Discrimination.ASSERTION,
    Outcome.EXCEPTION: Discrimination.EXCEPTION,
    Outcome.COMPILE_ERROR_IN_METHOD: Discrimination.OWN_COMPILE_ERROR,
    Outcome.COMPILE_ERROR_IN_FILE: Discrimination.COLLATERAL_COMPILE_ERROR,
    # Other test code needed what the edited file no longer has. The old tree does not compile with the edit, which the
    # paper counts as failing; it says nothing about behaviour.
    Outcome.COMPILE_ERROR_ELSEWHERE: Discrimination.COLLATERAL_COMPILE_ERROR,
    Outcome.SKIPPED: Discrimination.NOT_JUDGED,
    Outcome.ABORTED: Discrimination.NOT_JUDGED,
    Outcome.NOT_FOUND: Discrimination.NOT_JUDGED,
    # A test can hang or end its JVM on any code. Nothing was checked then, unless the developer's test ends alike.
    Outcome.TIMED_OUT: Discrimination.NOT_JUDGED,
    Outcome.CRASHED: Discrimination.NOT_JUDGED,
    # Twice without a verdict, after a pass on the new code: nothing shows that the test tells the two apart.
    Outcome.INFRASTRUCTURE: Discrimination.NOT_JUDGED,
}


_WITHOUT_VERDICT = frozenset({Outcome.TIMED_OUT, Outcome.CRASHED})


def discrimination(
    run: MethodRun, test: TestKey, gold: Outcome | None = None, classes: CodeClasses | None = None
) -> Discrimination:
    """The kind of discrimination of a run on old code.

    Args:
        test: as it was run.
        gold: how the developer's test ended on the old code; None where that is not known.
        classes: of the old code and the new; without them every class but those of the JDK is taken for the project's.
    """
    if run.outcome in _WITHOUT_VERDICT and gold in _WITHOUT_VERDICT:
        return Discrimination.EXCEPTION
    if run.outcome is Outcome.EXCEPTION and not run.trace and run.exception in MISSING:
        return Discrimination.MISSING_CLASS
    has_failed = run.outcome in (Outcome.EXCEPTION, Outcome.ASSERTION_FAILED)
    if has_failed and is_missing(_without_message(run), test, classes or CodeClasses(), run.message):
        return Discrimination.MISSING_CLASS
    return _BY_OUTCOME[run.outcome]


def _without_message(run: MethodRun) -> str:
    """The trace with one line of the message: further ones can look like a trace."""
    trace, begins = run.trace or "", f"{run.exception}: {run.message}"
    return f"{begins.splitlines()[0]}{trace.removeprefix(begins)}" if trace.startswith(begins) else trace
