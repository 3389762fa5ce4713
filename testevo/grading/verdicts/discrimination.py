"""Classify how a test that passes on the new code behaves on the old code (TEB-V02, V03)."""

import re

from testevo.execution.runner import MethodRun
from testevo.records.evaluation.grading import Discrimination
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome

_NOT_LINKED = frozenset(
    {
        "java.lang.NoClassDefFoundError",
        "java.lang.NoSuchMethodError",
        "java.lang.NoSuchFieldError",
        "java.lang.AbstractMethodError",
        "java.lang.IncompatibleClassChangeError",
        "java.lang.IllegalAccessError",
        "java.lang.InstantiationError",
        "java.lang.UnsupportedClassVersionError",
        "java.lang.VerifyError",
    }
)
_NOT_REFLECTED = frozenset(
    {
        "java.lang.ClassNotFoundException",
        "java.lang.NoSuchMethodException",
        "java.lang.NoSuchFieldException",
        "java.lang.TypeNotPresentException",
        "java.lang.EnumConstantNotPresentException",
    }
)
MISSING = _NOT_LINKED | _NOT_REFLECTED
"""Exceptions that say what the old code lacks, not what it does: by linking, or by reflection."""
_CAUSE = re.compile(r"^Caused by: ", re.MULTILINE)
_FRAME = re.compile(r"^\tat (?:[^\s()/]*/)*([\w.$]+)\.[\w$<>]+\(", re.MULTILINE)
_JDK = ("java.", "javax.", "jdk.", "sun.")

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


def discrimination(run: MethodRun, test: TestKey, gold: Outcome | None = None) -> Discrimination:
    """The kind of discrimination of a run on old code.

    Args:
        test: as it was run.
        gold: how the developer's test ended on the old code; None where that is not known.
    """
    if run.outcome in _WITHOUT_VERDICT and gold in _WITHOUT_VERDICT:
        return Discrimination.EXCEPTION
    if run.outcome is Outcome.EXCEPTION and run.exception in MISSING:
        return Discrimination.MISSING_CLASS
    if run.outcome in (Outcome.EXCEPTION, Outcome.ASSERTION_FAILED) and _is_caused_by_missing(run.trace or "", test):
        return Discrimination.MISSING_CLASS
    return _BY_OUTCOME[run.outcome]


def _is_caused_by_missing(trace: str, test: TestKey) -> bool:
    """Whether a failure wraps an exception of `MISSING`, as `assertDoesNotThrow` does.

    What the project itself looks up by reflection and does not find is what it does: only look-ups of the test count.
    """
    for cause in _CAUSE.split(trace)[1:]:
        name = cause.split("\n", maxsplit=1)[0].split(":")[0].strip()
        if name in _NOT_LINKED:
            return True
        if name in _NOT_REFLECTED:
            caller = next((frame for frame in _FRAME.findall(cause) if not frame.startswith(_JDK)), test.type_name)
            if caller.split("$")[0] == test.type_name.split("$")[0]:
                return True
    return False
