"""Find the changed production methods a test depends on, ranked by coupling (TEB-X13, X14)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from testevo.config.rules import ChangeRules
from testevo.labels.lost_dependencies import is_lost
from testevo.records.calls import Callee, CallMap
from testevo.records.changes import MethodChange
from testevo.records.labels import Dependency
from testevo.records.methods import ChangeKind, MethodKey, Side
from testevo.records.verdicts import Outcome

CouplingScore = Callable[[MethodKey, int], float]
"""Coupling of the test with a callee, 0 to 1, from the callee and the number of direct calls."""

CONSTRUCTORS = ("<init>", "<clinit>")
SCORE_DIGITS = 6
CUT_SHORT = (Outcome.CRASHED, Outcome.TIMED_OUT, Outcome.NOT_FOUND, Outcome.INFRASTRUCTURE)
"""Outcomes of tests that did not come to their end, and were not left out on purpose."""


@dataclass(frozen=True)
class DependencyLinks:
    """A test's changed production methods between two revisions."""

    dependencies: tuple[Dependency, ...] = ()
    """Direct callees, strongest first; the first one is focal."""
    lost: tuple[MethodKey, ...] = ()
    """Changed direct callees left out by the switch `lost_dependencies`."""
    closure: tuple[Dependency, ...] = ()
    """Changed methods anywhere below the test, strongest first."""
    ambiguous: tuple[MethodKey, ...] = ()
    """Changed methods below the test of which calls do not tell whether they ran: see `is_called`."""


def direct_callees(calls: CallMap | None, rules: ChangeRules) -> dict[MethodKey, Callee]:
    """The direct callees that count under the rules, those of lost kinds included; constructors never count."""
    if calls is None:
        return {}
    return {
        callee.method: callee
        for callee in calls.direct
        if callee.method.name not in CONSTRUCTORS
        and (rules.through_helpers or not callee.through_helper)
        and (rules.through_bridges or not callee.through_bridge)
        and (rules.through_lambdas or not callee.through_lambda)
        and (rules.through_threads or not callee.from_thread)
    }


def why_unknown(calls: CallMap | None) -> str | None:
    """Why a call map does not show all that a test calls; None when it does."""
    if calls is None:
        return "no run with the call probe"
    if calls.outcome in CUT_SHORT:
        return calls.outcome.value
    return f"the probe cannot see calls of {calls.uninstrumented[0]}" if calls.uninstrumented else None


def why_another_run(calls: CallMap | None, verdict: Outcome | None) -> str | None:
    """How the run with the call probe ended otherwise than the test did in its suite; None when both ended alike, or
    one of them is not known. Its calls are then those of another run than the one that is judged."""
    if calls is None or verdict is None or (calls.outcome is Outcome.PASSED) is (verdict is Outcome.PASSED):
        return None
    return f"{calls.outcome.value} with the call probe, {verdict.value} in its suite"


def counted_callees(calls: CallMap | None, rules: ChangeRules) -> frozenset[MethodKey]:
    """The direct callees that can become dependencies under the rules."""
    callees = direct_callees(calls, rules)
    return frozenset(key for key, callee in callees.items() if not (rules.lost_dependencies and is_lost(callee)))


def counts_for_old_test(kind: ChangeKind, rules: ChangeRules) -> bool:
    """Whether a production method that changed so may be a dependency by a call of the old test on the old code."""
    return kind == ChangeKind.REMOVED or (kind == ChangeKind.MODIFIED and rules.modified_old_callees)


def link_dependencies(
    changes: Sequence[MethodChange],
    new_calls: CallMap | None,
    old_calls: CallMap | None,
    rules: ChangeRules,
    score: CouplingScore,
    is_declared: Callable[[MethodKey], bool] = lambda _: True,
) -> DependencyLinks:
    """Intersect the changed production methods with what the test calls.

    Args:
        changes: method changes between the two revisions; those of test code and unchanged ones are ignored.
        new_calls: the new test on the new code; decides about inserted and modified methods.
        old_calls: the old test on the old code; decides about removed methods, and under the switch
            `modified_old_callees` about modified ones that the new test does not call. None for an inserted test.
        rules: which callees count.
        score: coupling of the test with a callee.
        is_declared: whether a production source of the new revision declares a method; false for those that an
            annotation processor such as Lombok adds to a class. Asked only where all dependencies are removed methods.
    """
    changed = [
        change
        for change in changes
        if change.side == Side.PRODUCTION
        and change.kind != ChangeKind.UNCHANGED
        and _is_called(change, new_calls, old_calls) is not False
    ]
    new_direct, old_direct = direct_callees(new_calls, rules), direct_callees(old_calls, rules)
    called = _called(changed, new_direct, old_direct, rules)
    lost = [callee.method for _, callee in called if rules.lost_dependencies and is_lost(callee)]
    kept = [(change, callee) for change, callee in called if callee.method not in lost]
    only_gone = bool(kept) and all(change.kind == ChangeKind.REMOVED for change, _ in kept)
    if rules.lost_dependencies and only_gone and not any(map(is_declared, counted_callees(new_calls, rules))):
        lost, kept = [callee.method for _, callee in called], []
    if rules.merge_removed_overloads:
        kept = _without_replaced_overloads(kept)
    below = _called(changed, _entered(new_calls), _entered(old_calls), rules)
    return DependencyLinks(
        dependencies=_ranked(kept, score),
        lost=tuple(sorted(lost, key=str)),
        closure=_ranked(below, score),
        ambiguous=tuple(change.method for change, _ in below if _is_called(change, new_calls, old_calls) is None),
    )


def is_called(change: MethodChange, module: str) -> bool | None:
    """Whether calls of the method's name, by a test of a module, are calls of this method; None when nobody knows.

    Calls name classes and no modules. Of classes of one name a test runs the one of its own module, which comes first
    on its class path; when its module has none, it may be any of them. Nor do calls tell overloads of one key apart.
    """
    if module != change.module and module in change.copies:
        return False
    return None if change.key_is_shared or (change.copies and change.module != module) else True


def _is_called(change: MethodChange, new_calls: CallMap | None, old_calls: CallMap | None) -> bool | None:
    calls = old_calls if change.kind == ChangeKind.REMOVED else new_calls
    return calls is not None and is_called(change, calls.test.module)


def _entered(calls: CallMap | None) -> dict[MethodKey, Callee]:
    """Everything entered below the test, direct callees included, whatever the way."""
    if calls is None:
        return {}
    entered = (*calls.closure, *calls.direct)
    return {callee.method: callee for callee in entered if callee.method.name not in CONSTRUCTORS}


def _called(
    changed: Iterable[MethodChange], new: dict[MethodKey, Callee], old: dict[MethodKey, Callee], rules: ChangeRules
) -> list[tuple[MethodChange, Callee]]:
    found = []
    for change in changed:
        callee = new.get(change.method) if change.kind != ChangeKind.REMOVED else None
        if callee is None and counts_for_old_test(change.kind, rules):
            callee = old.get(change.method)
        if callee is not None:
            found.append((change, callee))
    return found


def _without_replaced_overloads(called: list[tuple[MethodChange, Callee]]) -> list[tuple[MethodChange, Callee]]:
    """A changed parameter list is one entry, not a removed and an inserted one."""
    present = {(c.method.type_name, c.method.name) for c, _ in called if c.kind != ChangeKind.REMOVED}
    return [
        (change, callee)
        for change, callee in called
        if change.kind != ChangeKind.REMOVED or (change.method.type_name, change.method.name) not in present
    ]


def _ranked(called: Iterable[tuple[MethodChange, Callee]], score: CouplingScore) -> tuple[Dependency, ...]:
    """Strongest coupling first; of equal ones the larger change, which says more than the order of their names."""
    ranked = []
    for change, callee in called:
        removed = change.kind == ChangeKind.REMOVED
        path, span = (change.old_path, change.old_span) if removed else (change.new_path, change.new_span)
        if path is None or span is None:
            raise ValueError(f"{change.kind} change of {change.method} has no place")
        direct_calls = callee.calls if callee.depth == 1 else 0
        value = round(score(change.method, direct_calls), SCORE_DIGITS)
        dependency = Dependency(method=change.method, kind=change.kind, path=path, span=span, score=value)
        ranked.append((-value, -change.changed_tokens, str(change.method), path, dependency))
    return tuple(dependency for *_, dependency in sorted(ranked, key=lambda one: one[:4]))
