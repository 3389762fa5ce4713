"""The judgement over a candidate: exactly one label, and exactly one reason or none (TEB-X05 to X15, K01 to K03).

The old and the new test meet the old and the new code. The paper's Phase 3 says that a changed test is dropped when the
old test passes on the *old* code; its explanation of a refinement and its appendix need the old test on the *new* code,
and so does the sense of the filter. It is read as an erratum: a refinement is an old test that still
passes on the new code.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from testevo.config.rules import Rules
from testevo.labels.candidate import CandidateFacts
from testevo.labels.filters import is_wanted_kind, refactoring_reason
from testevo.records.executions import Combination, Execution
from testevo.records.labels import DropReason, Label, LabelKind, RefactoringVerdict
from testevo.records.methods import ChangeKind
from testevo.records.verdicts import Outcome

Runs = Mapping[Combination, Execution]
Found = tuple[DropReason, str]
"""A reason with its detail."""

ORDER = {reason: position for position, reason in enumerate(DropReason)}
"""Reasons are judged in the order in which they are declared."""
LABEL_OF_REASON = {DropReason.REFINEMENT: LabelKind.REFINEMENT, DropReason.REDUNDANT: LabelKind.REDUNDANT}
COLLATERAL = (Outcome.COMPILE_ERROR_IN_FILE, Outcome.COMPILE_ERROR_ELSEWHERE)


def needed_runs(facts: CandidateFacts, rules: Rules) -> tuple[Combination, ...]:
    """The combinations that decide about a candidate; others may be run and recorded, but change no label.

    An unchanged test decides by its run on either revision as it is. An inserted test whose file is absent at the old
    revision needs no run there when the switch `missing_old_file` counts it as failing.
    """
    new, old = Combination.NEW_TEST_NEW_CODE, Combination.OLD_TEST_OLD_CODE
    if facts.change == ChangeKind.INSERTED:
        counts_as_failing = not facts.old_file_exists and rules.swap.missing_old_file == "counts_as_failing"
        return (new,) if counts_as_failing else (new, Combination.NEW_TEST_OLD_CODE)
    if facts.change == ChangeKind.MODIFIED:
        return (new, old, Combination.OLD_TEST_NEW_CODE)
    if facts.change == ChangeKind.UNCHANGED:
        return (new, old)
    return ()


def needs_runs(facts: CandidateFacts, rules: Rules) -> bool:
    """Whether a candidate is still open once all facts known before execution are weighed."""
    found = next(_reasons(facts, {}, rules), None)
    return found is None or ORDER[found[0]] >= ORDER[DropReason.NEW_TEST_FAILS]


def judge(facts: CandidateFacts, runs: Runs, rules: Rules) -> Label:
    """Judge a candidate before refactoring detection; the first reason in the order of `DropReason` wins.

    Args:
        facts: what changes and calls say.
        runs: executions by combination; a needed one that is missing makes the candidate `not_runnable` unless an
            earlier reason holds, so that runs may be saved once an earlier one has decided.
        rules: the switches.
    """
    return _label(facts, runs, rules, next(_reasons(facts, runs, rules), None))


def with_refactoring(label: Label, verdict: RefactoringVerdict, rules: Rules, runs: Iterable[Execution]) -> Label:
    """The label of a judged candidate once refactoring detection has been asked; the earlier reason wins."""
    found = refactoring_reason(label, verdict, rules.filters, runs)
    if found is None or (label.reason is not None and ORDER[label.reason] < ORDER[found[0]]):
        return label
    return label.model_copy(update={"label": LabelKind.NONE, "reason": found[0], "detail": found[1]})


def _label(facts: CandidateFacts, runs: Runs, rules: Rules, found: Found | None) -> Label:
    reason, detail = found or (None, "")
    executed = [runs[combination] for combination in needed_runs(facts, rules) if combination in runs]
    return Label(
        repository=facts.repository,
        old_revision=facts.old_revision,
        new_revision=facts.new_revision,
        test=facts.test,
        test_kind=facts.test_kind,
        change=facts.change,
        label=_kind(facts, runs, reason),
        reason=reason,
        detail=detail or None,
        dependencies=facts.links.dependencies,
        closure=facts.links.closure,
        old_path=facts.old_path,
        old_span=facts.old_span,
        new_span=facts.new_span,
        stable=_stable(executed),
        declared_path=facts.declared_path if facts.declared_path != facts.test.path else None,
    )


def _stable(executed: Sequence[Execution]) -> bool | None:
    found = {execution.stable for execution in executed}
    return False if False in found else None if None in found or not found else True


def _kind(facts: CandidateFacts, runs: Runs, reason: DropReason | None) -> LabelKind:
    if reason is None:
        return LabelKind.UPDATE if facts.change == ChangeKind.MODIFIED else LabelKind.DISCRIMINATING
    if reason == DropReason.UNCHANGED:
        passes = runs[Combination.NEW_TEST_NEW_CODE].outcome == Outcome.PASSED
        return LabelKind.UNCHANGED if passes else LabelKind.BROKEN_UNCHANGED
    return LABEL_OF_REASON.get(reason, LabelKind.NONE)


def _reasons(facts: CandidateFacts, runs: Runs, rules: Rules) -> Iterator[Found]:
    """Every reason that holds, in the order of `DropReason`; refactorings and moves are judged apart."""
    for reason, holds in _CHECKS.items():
        detail = holds(facts, runs, rules)
        if detail is not None:
            yield reason, detail


# Each check answers None when its reason does not hold, else a detail for a person ('' when there is nothing to add).


def _unwanted_kind(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    return None if is_wanted_kind(facts.test_kind, facts.is_plain, rules.changes) else facts.test_kind.value


def _syntax_unread(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    return ", ".join(facts.unread) or None


def _removed(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    return "" if facts.change == ChangeKind.REMOVED else None


def _not_changed(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    nominated_as_unchanged = facts.nominated == ChangeKind.UNCHANGED
    return "" if facts.change == ChangeKind.UNCHANGED and not nominated_as_unchanged else None


def _ambiguous_dependency(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    return ", ".join(map(str, facts.links.ambiguous)) or None


def _calls_unknown(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    if facts.calls_of_another_run is not None:
        return facts.calls_of_another_run
    return None if facts.links.dependencies or facts.links.lost else facts.calls_unknown


def _no_dependency(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    return None if facts.links.dependencies or facts.links.lost else ""


def _lost_dependency(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    return None if facts.links.dependencies else ", ".join(map(str, facts.links.lost))


def _outside_gap(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    return "" if facts.outside_gap else None


def _helper_changed(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    return ", ".join(facts.changed_helpers) if facts.changed_helpers else None


def _not_declared(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    return "" if facts.declaration == "nowhere" else None


def _not_a_test_before(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    """Whole files can be swapped: then the old code meets the new test whatever the old file declares."""
    return "" if facts.declaration == "idle_before" and rules.swap.test_swap == "method_splice" else None


def _declared_elsewhere(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    """A task edits one file, and the old test and the new one lie in two. A class that left a file that stays, or came
    into one that was there, counts where whole files are swapped: the old file in the place of the new one would
    declare what stays a second time, or take away what was there."""
    swaps_files = rules.swap.test_swap == "file"
    if facts.declaration != "other_class" and not (facts.declaration == "other_file" and swaps_files):
        return None
    return " and ".join(path for path in (facts.old_path, facts.declared_path or facts.test.path) if path)


def _annotations_changed(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    """A negative is a test that stayed as it was, whatever counts as a change."""
    return "" if facts.change == ChangeKind.UNCHANGED and facts.annotations_differ else None


def _new_test_fails(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    """An unchanged test may fail on the new code: that is what makes it a broken one."""
    if facts.change == ChangeKind.UNCHANGED:
        return None
    return _never_passes(runs.get(Combination.NEW_TEST_NEW_CODE))


def _old_test_fails(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    if Combination.OLD_TEST_OLD_CODE not in needed_runs(facts, rules):
        return None
    return _never_passes(runs.get(Combination.OLD_TEST_OLD_CODE))


def _never_passes(execution: Execution | None) -> str | None:
    """All repeats failed or did not compile. A test that passes now and then is unstable, not failing."""
    if execution is None or not all(outcome.failed or outcome.compile_error for outcome in execution.outcomes):
        return None
    return execution.exception or execution.outcome.value


def _output_lost(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    if not rules.filters.lost_output:
        return None
    return _needed_where(facts, runs, rules, lambda execution: execution.output_lost)


def _console_fails(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    if not rules.filters.console_launcher:
        return None
    return _needed_where(facts, runs, rules, lambda execution: execution.console_failed)


def _needed_where(facts: CandidateFacts, runs: Runs, rules: Rules, holds: Callable[[Execution], bool]) -> str | None:
    """The needed combinations whose execution is there and such; None where none is."""
    needed = needed_runs(facts, rules)
    return ", ".join(one.value for one in needed if one in runs and holds(runs[one])) or None


def _unstable(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    for combination in needed_runs(facts, rules):
        execution = runs.get(combination)
        if execution is not None and execution.stable is False:
            varied = f" (varied: {', '.join(execution.varied)})" if execution.varied else ""
            return f"{combination.value}: {', '.join(outcome.value for outcome in execution.outcomes)}{varied}"
    return None


def _collateral_compile_error(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    if rules.filters.collateral_compile_errors == "count_as_failing":
        return None
    for combination in (Combination.OLD_TEST_NEW_CODE, Combination.NEW_TEST_OLD_CODE):
        execution = runs.get(combination)
        if combination in needed_runs(facts, rules) and execution and execution.outcome in COLLATERAL:
            places = sorted({f"{d.path}:{d.line}" for d in execution.diagnostics})
            return ", ".join([execution.outcome.value, *places[:1]])
    return None


def _not_runnable(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    for combination in needed_runs(facts, rules):
        execution = runs.get(combination)
        if execution is None:
            return f"{combination.value}: not run"
        outcome = execution.outcome
        if outcome != Outcome.PASSED and not outcome.failed and not outcome.compile_error:
            return f"{combination.value}: {outcome.value}"
    return None


def _refinement(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    return _passes_swapped(facts, runs, rules, Combination.OLD_TEST_NEW_CODE)


def _redundant(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    return _passes_swapped(facts, runs, rules, Combination.NEW_TEST_OLD_CODE)


def _passes_swapped(facts: CandidateFacts, runs: Runs, rules: Rules, combination: Combination) -> str | None:
    if combination not in needed_runs(facts, rules):
        return None
    execution = runs.get(combination)
    return "" if execution is not None and execution.outcome == Outcome.PASSED else None


def _unchanged(facts: CandidateFacts, runs: Runs, rules: Rules) -> str | None:
    return "" if facts.change == ChangeKind.UNCHANGED else None


_CHECKS: dict[DropReason, Callable[[CandidateFacts, Runs, Rules], str | None]] = {
    DropReason.TEST_KIND: _unwanted_kind,
    DropReason.SYNTAX_UNREAD: _syntax_unread,
    DropReason.REMOVED: _removed,
    DropReason.NOT_TEXTUALLY_CHANGED: _not_changed,
    DropReason.AMBIGUOUS_DEPENDENCY: _ambiguous_dependency,
    DropReason.CALLS_UNKNOWN: _calls_unknown,
    DropReason.NO_DEPENDENCY: _no_dependency,
    DropReason.LOST_DEPENDENCY: _lost_dependency,
    DropReason.OUTSIDE_GAP: _outside_gap,
    DropReason.HELPER_CHANGED: _helper_changed,
    DropReason.NOT_DECLARED: _not_declared,
    DropReason.NOT_A_TEST_BEFORE: _not_a_test_before,
    DropReason.DECLARED_ELSEWHERE: _declared_elsewhere,
    DropReason.ANNOTATIONS_CHANGED: _annotations_changed,
    DropReason.NEW_TEST_FAILS: _new_test_fails,
    DropReason.OLD_TEST_FAILS: _old_test_fails,
    DropReason.OUTPUT_LOST: _output_lost,
    DropReason.CONSOLE_FAILS: _console_fails,
    DropReason.UNSTABLE: _unstable,
    DropReason.COLLATERAL_COMPILE_ERROR: _collateral_compile_error,
    DropReason.NOT_RUNNABLE: _not_runnable,
    DropReason.REFINEMENT: _refinement,
    DropReason.REDUNDANT: _redundant,
    DropReason.UNCHANGED: _unchanged,
}
