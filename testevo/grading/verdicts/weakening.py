"""Detect updates that check less than the old test did.

Every finding should be right, so doubtful cases are left out: an honest update may move checks into a method of its
own, a loop or one comparison of whole lists, and may check other things than before.
"""

from testevo.java.assertions.checks import Assertion, Checks, checks_of
from testevo.java.assertions.names import OF_LIBRARIES
from testevo.java.assertions.strength import Strength
from testevo.records.evaluation.grading import Weakening

_MANY = frozenset(
    {
        "assertArrayEquals",
        "assertIterableEquals",
        "assertLinesMatch",
        "assertThat.containsExactly",
        "assertThat.containsExactlyInAnyOrder",
        "assertThat.containsExactlyElementsOf",
        "assertThat.containsOnly",
    }
)
"""Assertions that compare many values at once."""


def weakenings(old_source: str, new_source: str) -> tuple[Weakening, ...]:
    """The ways in which the new source of a test method checks less than the old one; none for a source that cannot be
    read.

    Args:
        old_source: of the method with annotations, as the developer had it.
        new_source: of the same method in the candidate's edit.
    """
    old, new = checks_of(old_source), checks_of(new_source)
    if old is None or new is None:
        return ()
    found = {Weakening.DISABLED} if _is_disabled(old, new) else set()
    if _swallowed(new) > _swallowed(old) or _is_inverted(old, new):
        found.add(Weakening.EXCEPTION_SWALLOWED)
    if not _may_check_elsewhere(old, new):
        found |= _fewer(old, new)
    if Weakening.NO_ASSERTION not in found and _is_loosened(old, new):
        found.add(Weakening.ASSERTIONS_LOOSENED)
    return tuple(kind for kind in Weakening if kind in found)


def _is_disabled(old: Checks, new: Checks) -> bool:
    return (new.disabled and not old.disabled) or (new.returns_early and not old.returns_early)


def _swallowed(checks: Checks) -> int:
    return sum(assertion.swallowed for assertion in checks.assertions)


def _is_inverted(old: Checks, new: Checks) -> bool:
    """Whether assertions that had to hold gave way to some that have to fail.

    The project's own checks do not count: an error of theirs may be what the code does.
    """
    to_fail = [
        sum(one.to_fail and one.name.startswith(("assert", "fail")) for one in checks.assertions)
        for checks in (old, new)
    ]
    to_hold = [sum(not one.to_fail and not one.is_expectation for one in checks.assertions) for checks in (old, new)]
    return to_fail[1] > to_fail[0] and to_hold[1] < to_hold[0]


def _may_check_elsewhere(old: Checks, new: Checks) -> bool:
    """Whether the new test calls methods that the old one did not call, or checks many values at once."""
    many = [sum(assertion.name in _MANY for assertion in checks.assertions) for checks in (old, new)]
    return bool(new.own_calls - old.own_calls - OF_LIBRARIES) or new.repeats > old.repeats or many[1] > many[0]


def _fewer(old: Checks, new: Checks) -> set[Weakening]:
    before, after = old.count(Strength.PRESENCE), new.count(Strength.PRESENCE)
    if before and not after:
        return {Weakening.NO_ASSERTION}
    # What says nothing does not count, whether it was there before or took the place of something.
    replaced = len(new.assertions) >= len(old.assertions)
    return {Weakening.ASSERTIONS_REMOVED} if after < before and not replaced else set()


def _is_loosened(old: Checks, new: Checks) -> bool:
    if sum(one.strength is Strength.NOTHING for one in new.assertions) > sum(
        one.strength is Strength.NOTHING for one in old.assertions
    ):
        return True
    gone = [one for one in old.assertions if one not in new.assertions]
    come = [one for one in new.assertions if one not in old.assertions]
    equalities = [one for one in gone if one.strength is Strength.EQUALITY]
    if new.count(Strength.EQUALITY) >= old.count(Strength.EQUALITY) and not any(map(_tolerance, come)):
        return False
    return any(_is_weaker(one, before) for one in come for before in (equalities or gone)) or any(
        _is_more_tolerant(one, before) for one in come for before in gone
    )


def _is_weaker(new: Assertion, old: Assertion) -> bool:
    """Whether an assertion says less about the same thing."""
    if new.strength >= old.strength:
        return False
    if old.name == new.name and old.name in ("assertThrows", "expected", "assertThatExceptionOfType"):
        return True
    return any(subject in argument for subject in _subjects(old) for argument in new.arguments)


def _subjects(assertion: Assertion) -> list[str]:
    """The arguments that are about something: neither literals nor single letters."""
    return [text for text in assertion.arguments if len(text) > 2 and text[0] not in "\"'-0123456789" and "(" in text]


def _tolerance(assertion: Assertion) -> float | None:
    """The tolerance of `assertEquals(expected, actual, tolerance)`."""
    if assertion.name != "assertEquals" or len(assertion.arguments) < 3:
        return None
    try:
        return abs(float(assertion.arguments[2].rstrip("fFdDlL")))
    except ValueError:
        return None


def _is_more_tolerant(new: Assertion, old: Assertion) -> bool:
    after, before = _tolerance(new), _tolerance(old)
    if after is None or old.name != new.name or len(old.arguments) < 2 or old.arguments[1] != new.arguments[1]:
        return False
    return after > before if before is not None else after > 0 and len(old.arguments) == 2
