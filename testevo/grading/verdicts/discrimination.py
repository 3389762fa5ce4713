"""Classify how a test that passes on the new code behaves on the old code (TEB-V02, V03)."""

from testevo.records.evaluation.grading import Discrimination
from testevo.records.verdicts import Outcome

MISSING = frozenset(
    {
        "java.lang.NoClassDefFoundError",
        "java.lang.ClassNotFoundException",
        "java.lang.NoSuchMethodError",
        "java.lang.NoSuchFieldError",
        "java.lang.NoSuchMethodException",
        "java.lang.NoSuchFieldException",
        "java.lang.AbstractMethodError",
        "java.lang.IncompatibleClassChangeError",
        "java.lang.IllegalAccessError",
        "java.lang.InstantiationError",
        "java.lang.UnsupportedClassVersionError",
        "java.lang.VerifyError",
        "java.lang.TypeNotPresentException",
        "java.lang.EnumConstantNotPresentException",
    }
)
"""Exceptions that say what the old code lacks, not what it does: by linking, or by reflection."""

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


def discrimination(outcome: Outcome, exception: str | None, gold: Outcome | None = None) -> Discrimination:
    """The kind of discrimination of a run on old code.

    Args:
        exception: class of the exception, for outcomes that have one.
        gold: how the developer's test ended on the old code; None where that is not known.
    """
    if outcome in _WITHOUT_VERDICT and gold in _WITHOUT_VERDICT:
        return Discrimination.EXCEPTION
    if outcome is Outcome.EXCEPTION and exception in MISSING:
        return Discrimination.MISSING_CLASS
    return _BY_OUTCOME[outcome]
