"""Whether a test change, and the change of the code below it, is nothing but refactoring (TEB-X10, X11).

A test change is `pure` when refactorings explain it, and all that differs around the test (`explanations`). The code
change is `pure` when they explain *every* changed method below the test, direct or not, since a pure direct callee that
calls a changed method proves nothing; methods of files that only moved are left to the move filter. A change is `mixed`
when some method is explained or declared in a refactoring, `none` otherwise, and `unknown` when detection failed.

Only `pure` drops anything, so the rule errs towards keeping: what it cannot explain stays `mixed`.
"""

from collections.abc import Iterable, Sequence

from testevo.labels.filters import touches_test
from testevo.labels.refactorings.detected import Change, DetectedRefactorings, declaring
from testevo.labels.refactorings.explanations import explains, is_explained, surroundings_kept
from testevo.labels.refactorings.renames import renames_of
from testevo.records.labels import Dependency, Label, Purity, Refactoring, RefactoringVerdict
from testevo.records.methods import ChangeKind


def refactoring_verdict(label: Label, detected: DetectedRefactorings) -> RefactoringVerdict:
    """Judge a candidate's test change and the changes below it; see the rule at the top of this module.

    Args:
        label: the candidate with its dependencies, closure and places.
        detected: refactorings, texts and moves between its ends.
    """
    below = tuple(dict.fromkeys((*_placed(label.dependencies), *_placed(label.closure))))
    moved_below = [change for change in below if _only_moved(change, detected)]
    kept = tuple(change for change in below if change not in moved_below)
    test_moved = label.edited_path in detected.new_paths and label.change != ChangeKind.UNCHANGED
    verdict = RefactoringVerdict(
        repository=label.repository,
        old_revision=label.old_revision,
        new_revision=label.new_revision,
        test=label.test,
        test_change=Purity.UNKNOWN,
        code_change=Purity.UNKNOWN,
        moved=test_moved or (bool(below) and not kept),
        detail=detected.failure,
    )
    if detected.failure is not None:
        return verdict
    return verdict.model_copy(
        update={
            "test_change": _test_purity(label, detected),
            "code_change": _code_purity(kept, detected),
            "refactorings": _concerning(label, kept, detected),
        }
    )


def _placed(dependencies: Iterable[Dependency]) -> list[Change]:
    return [Change(d.method, d.kind, d.path, d.span) for d in dependencies]


def _only_moved(change: Change, detected: DetectedRefactorings) -> bool:
    return change.path in (detected.old_paths if change.kind == ChangeKind.REMOVED else detected.new_paths)


def _test_purity(label: Label, detected: DetectedRefactorings) -> Purity:
    if label.change == ChangeKind.UNCHANGED or label.new_span is None:
        return Purity.NONE
    if label.change == ChangeKind.MODIFIED and label.old_span is not None:
        key = label.test.method
        old = detected.old_by_place.at((label.old_path or label.edited_path, label.old_span.last_line), key)
        new = detected.new_by_place.at((label.edited_path, label.new_span.last_line), key)
        # Equal texts: what changed lies around the method, such as annotations of its class, and is not a refactoring.
        explained = old is not None and new is not None and old.tokens != new.tokens and explains(old, new, detected)
    else:
        explained = is_explained(Change(label.test.method, label.change, label.edited_path, label.new_span), detected)
    if explained and surroundings_kept(label.edited_path, detected):
        return Purity.PURE
    return Purity.MIXED if explained or any(touches_test(label, r) for r in detected.refactorings) else Purity.NONE


def _code_purity(changes: Sequence[Change], detected: DetectedRefactorings) -> Purity:
    explained = [is_explained(change, detected) for change in changes]
    paths = {change.path for change in changes}
    if changes and all(explained) and all(surroundings_kept(path, detected) for path in paths):
        return Purity.PURE
    if any(explained) or any(declaring(change, detected) for change in changes):
        return Purity.MIXED
    return Purity.NONE


def _concerning(label: Label, changes: Sequence[Change], detected: DetectedRefactorings) -> tuple[Refactoring, ...]:
    """Select the refactorings of the verdict: those at the test or below it, and those that rename something."""
    below = {refactoring for change in changes for refactoring in declaring(change, detected)}
    return tuple(r for r in detected.refactorings if r in below or renames_of([r]) or touches_test(label, r))
