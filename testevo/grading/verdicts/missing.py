"""Tell a failure for what the old code lacks from one for what it does, by the trace of the test's failure."""

from testevo.grading.verdicts.code_classes import CodeClasses
from testevo.grading.verdicts.look_ups import BY_REFLECTION, frames_of_asker, is_failed_look_up, member_asked_for
from testevo.grading.verdicts.traces import ExcessiveTraceError, Thrown, read_trace
from testevo.records.methods import TestKey

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
MISSING = _NOT_LINKED | BY_REFLECTION
"""Exceptions that say what the old code lacks, not what it does: by linking, or by reflection."""
_OF_SEVERAL = frozenset(
    {
        "org.opentest4j.MultipleFailuresError",
        "org.assertj.core.error.AssertJMultipleFailuresError",
        "org.assertj.core.error.MultipleAssertionsError",
    }
)
"""Errors of `assertAll` and the like, whose suppressed exceptions are the failures."""
_UNPRINTED = "(printing its trace threw "
"""What the launcher says in place of a trace, where the test's own class or its memory does not let it be written."""
_DEEPEST = 100
"""A failure within so many others has been built by the test; it counts as one for what the old code lacks."""


def is_missing(trace: str, test: TestKey, classes: CodeClasses, message: str | None = None) -> bool:
    """Whether a failure of the test is for what the old code lacks, or wraps one that is, as `assertDoesNotThrow` does.

    What the project itself looks up by reflection and does not find is what it does: only look-ups in the test's own
    file count, and those of classes and members that only the new code has. Of several failures at once each one must
    be such. A trace that no code leaves has been made by the test, and says nothing of what the code does; neither does
    one that cannot be printed.

    Args:
        trace: with one line of the message at most.
        test: as it was run.
        message: the whole of it.
    """
    try:
        thrown = read_trace(trace)
    except ExcessiveTraceError:
        return True
    if thrown is None:
        return _UNPRINTED in trace
    if message is not None:
        thrown.lines = message.splitlines()
    return _lacks(thrown, test, classes)


def _lacks(thrown: Thrown, test: TestKey, classes: CodeClasses, depth: int = 0) -> bool:
    if depth > _DEEPEST:
        return True
    if thrown.name in _NOT_LINKED and "Could not initialize class" not in thrown.said:
        return True
    if is_failed_look_up(thrown) and _is_of_test(thrown, test, classes):
        return True
    if thrown.name in _OF_SEVERAL and thrown.parts:
        return all(_lacks(part, test, classes, depth + 1) for part in thrown.parts)
    inner = [*thrown.parts, *([thrown.cause] if thrown.cause is not None else [])]
    return any(_lacks(one, test, classes, depth + 1) for one in inner)


def _is_of_test(thrown: Thrown, test: TestKey, classes: CodeClasses) -> bool:
    """Whether the test looks for what is missing: by the nearest frame of its file or of the project, or where the
    project looks for it, by a name that only the new code has."""
    member = member_asked_for(thrown)
    if classes.is_added(thrown.said) or (member is not None and classes.is_added_member(*member)):
        return True
    file, own = test.path.rpartition("/")[2], test.type_name.split("$")[0]
    for frame in frames_of_asker(thrown):
        if frame.file == file or frame.type_name.split("$")[0] == own:
            return True
        if classes.is_production(frame.type_name):
            return False
    return True
