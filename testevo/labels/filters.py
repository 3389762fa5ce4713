"""The filters before execution: test kind, helpers, refactorings and moves (TEB-X09 to X11)."""

from collections.abc import Collection, Iterable
from functools import cache

from testevo.config.rules import ChangeRules, FilterRules
from testevo.labels.dependencies import is_called
from testevo.records.calls import CallMap
from testevo.records.changes import MethodChange
from testevo.records.executions import Execution
from testevo.records.labels import DropReason, Label, Purity, Refactoring, RefactoringVerdict
from testevo.records.methods import ChangeKind, Side, Span, TestKey, TestKind
from testevo.records.verdicts import Outcome

RELEASED_WITH_THE_TEST = frozenset({"Extract And Move Method"})
"""The one kind of refactoring that does not drop an update (*Refactoring filter*)."""
NAME_NOT_FOUND = frozenset(
    {
        "ClassNotFoundException",
        "NoClassDefFoundError",
        "NoSuchFieldError",
        "NoSuchFieldException",
        "NoSuchMethodError",
        "NoSuchMethodException",
    }
)
"""What looking for a renamed class or member ends in."""
_OF_NO_DEPENDENCY = ("Annotation", "Modifier")
"""In the names of refactorings in which released tasks have their dependencies."""


def is_wanted_kind(kind: TestKind, is_plain: bool, rules: ChangeRules) -> bool:
    """Whether a test of this kind can become a candidate."""
    return kind in rules.test_kinds and (is_plain or not rules.top_level_class_only)


def changed_helpers(
    test: TestKey,
    new_calls: CallMap | None,
    changes: Iterable[MethodChange],
    changed_test_paths: Collection[str],
    reached: Collection[str],
    rules: FilterRules,
) -> tuple[str, ...]:
    """Name what changed in the test tree beside the test itself, as far as the switch `helpers` asks (TEB-X09).

    With `called`: methods of the test tree that the new test calls directly, not from lambdas alone, and that are new
    or differ in byte code between the ends (in text where there is no byte code). With `any_test_change`: other files
    of the test tree that differ. With `reached`: as `called`, from lambdas too, and whatever the sources of the tests
    show to be reached.

    Args:
        test: the candidate at the new end.
        new_calls: its calls on the new code.
        changes: method changes between the ends; production methods are ignored.
        changed_test_paths: paths below test roots, resources included, that differ between the ends.
        reached: what differs of all that the test reaches in the test sources, for the switch that asks.
        rules: the switch.
    """
    if rules.helpers == "none":
        return ()
    if rules.helpers == "any_test_change":
        return tuple(sorted(set(changed_test_paths) - {test.path}))
    helpers = new_calls.helpers if new_calls else ()
    called = {callee.method for callee in helpers if rules.helpers == "reached" or not callee.through_lambda}
    found = {
        str(c.method)
        for c in changes
        if c.side == Side.TEST
        and c.method in called
        and _is_new_or_differs(c)
        and is_called(c, test.module) is not False
    }
    if rules.helpers == "reached":
        found |= set(reached)
    return tuple(sorted(found - {str(test.method)}))


def _is_new_or_differs(change: MethodChange) -> bool:
    if change.kind == ChangeKind.INSERTED:
        return True
    return change.text_differs if change.byte_code_differs is None else change.byte_code_differs


def refactored_declaration(label: Label, refactorings: Iterable[Refactoring]) -> Refactoring | None:
    """The first refactoring that has the test's own declaration among its locations, on either side.

    `Extract And Move Method` does not count (measured with version 3.0.10 of the detector).
    """
    for refactoring in refactorings:
        if refactoring.kind not in RELEASED_WITH_THE_TEST and touches_test(label, refactoring):
            return refactoring
    return None


def refactored_dependencies(label: Label, refactorings: Iterable[Refactoring]) -> tuple[Refactoring, ...]:
    """A refactoring for each changed method that the test calls, where all of them are modified and declared in one.

    Only declarations of the new revision count, and refactorings of annotations and modifiers do not. The tuple is
    empty when one of the methods is in no refactoring, was inserted or removed, and when the test itself did not
    change: the released data has no unchanged tests.
    """
    if label.change not in (ChangeKind.MODIFIED, ChangeKind.INSERTED):
        return ()
    found = []
    reported = [one for one in refactorings if not any(word in one.kind for word in _OF_NO_DEPENDENCY)]
    for dependency in label.dependencies:
        declaring = (r for r in reported if has_declaration(r, "R", dependency.path, dependency.span))
        refactoring = next(declaring, None) if dependency.kind == ChangeKind.MODIFIED else None
        if refactoring is None:
            return ()
        found.append(refactoring)
    return tuple(found)


def touches_test(label: Label, refactoring: Refactoring) -> bool:
    """Whether a method declaration of the refactoring is the test's own."""
    return has_declaration(refactoring, "L", label.old_path or label.edited_path, label.old_span) or has_declaration(
        refactoring, "R", label.edited_path, label.new_span
    )


def has_declaration(refactoring: Refactoring, side: str, path: str, span: Span | None) -> bool:
    """Whether a method at a place is among the refactoring's declarations on side `L` or `R`.

    Only last lines are compared exactly: the detector may count the documentation comment or leave out annotations.
    """
    if span is None:
        return False
    for declaration in refactoring.declarations:
        its_side, its_path, its_span = read_declaration(declaration)
        if (its_side, its_path) == (side, path) and its_span.last_line == span.last_line:
            return True
    return False


@cache
def read_declaration(declaration: str) -> tuple[str, str, Span]:
    """Side, path and lines of `L:path:first-last`.

    Raises:
        ValueError: the text has another form.
    """
    side, colon, rest = declaration.partition(":")
    path, second_colon, lines = rest.rpartition(":")
    first, dash, last = lines.partition("-")
    if side not in ("L", "R") or not (colon and second_colon and dash):
        raise ValueError(f"no declaration of a refactoring: {declaration!r}")
    return side, path, Span(first_line=int(first), last_line=int(last))


def contradicts_refactoring(run: Execution) -> bool:
    """Whether a run shows that behaviour changed: the test compiled, and failed in all repeats.

    Renames alone break the compilation, or a search for a name at run time.
    """
    failed = all(outcome in (Outcome.ASSERTION_FAILED, Outcome.EXCEPTION) for outcome in run.outcomes)
    return failed and (run.exception or "").rpartition(".")[2] not in NAME_NOT_FOUND


def refactoring_reason(
    label: Label, verdict: RefactoringVerdict, rules: FilterRules, runs: Iterable[Execution] = ()
) -> tuple[DropReason, str] | None:
    """Why the refactoring and move filters drop a candidate, with the detail; None when they keep it.

    Args:
        label: the candidate.
        verdict: what refactoring detection says of its texts.
        rules: the switches.
        runs: executions of the candidate; one that contradicts `pure` outweighs it.
    """
    if rules.refactoring == "declaration" and label.change == ChangeKind.MODIFIED:
        refactoring = refactored_declaration(label, verdict.refactorings)
        if refactoring is not None:
            return DropReason.TEST_REFACTORED, refactoring.description
    if rules.refactored_dependencies:
        refactorings = refactored_dependencies(label, verdict.refactorings)
        if refactorings:
            return DropReason.CODE_REFACTORED, "; ".join(dict.fromkeys(r.description for r in refactorings))
    if rules.refactoring == "pure" and not any(map(contradicts_refactoring, runs)):
        detail = "; ".join(r.kind for r in verdict.refactorings) or verdict.detail or ""
        if verdict.test_change == Purity.PURE:
            return DropReason.TEST_REFACTORED, detail
        if verdict.code_change == Purity.PURE:
            return DropReason.CODE_REFACTORED, detail
    if rules.moves and verdict.moved:
        return DropReason.MOVED, verdict.detail or "moved"
    return None
