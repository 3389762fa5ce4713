"""The judgement over a candidate: one label, one reason or none (TEB-X05 to X15, K01 to K03)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from label_factories import RELEASED, STRICT, a_test, facts, method, runs

from testevo.config.rules import FilterRules, Rules, SwapRules
from testevo.labels.candidate import CandidateFacts
from testevo.labels.dependencies import DependencyLinks
from testevo.labels.judge import judge, needed_runs, needs_runs, with_refactoring
from testevo.records.executions import Combination, Execution
from testevo.records.labels import DropReason, LabelKind, Purity, RefactoringVerdict
from testevo.records.methods import ChangeKind, TestKind
from testevo.records.verdicts import Outcome

PASSED, FAILED, THREW = Outcome.PASSED, Outcome.ASSERTION_FAILED, Outcome.EXCEPTION
Verdict = tuple[LabelKind, DropReason | None]


def judged(candidate: CandidateFacts, executions: dict[Combination, Execution], rules: Rules = STRICT) -> Verdict:
    label = judge(candidate, executions, rules)
    return label.label, label.reason


@pytest.mark.parametrize(
    "swapped", [FAILED, THREW, Outcome.TIMED_OUT, Outcome.CRASHED, Outcome.COMPILE_ERROR_IN_METHOD]
)
def test_a_changed_test_whose_old_version_breaks_on_new_code_is_an_update(swapped: Outcome) -> None:
    """TEB-X05: failing and not compiling both count."""
    executions = runs(new=PASSED, old=PASSED, old_on_new=swapped)
    assert judged(facts(), executions) == (LabelKind.UPDATE, None)


def test_an_old_test_that_still_passes_on_new_code_is_a_refinement() -> None:
    """TEB-K02 as the paper's appendix has it; passing on the *old* code is not a reason to drop."""
    executions = runs(new=PASSED, old=PASSED, old_on_new=PASSED)
    assert judged(facts(), executions) == (LabelKind.REFINEMENT, DropReason.REFINEMENT)


@pytest.mark.parametrize(
    ("on_old", "expected"),
    [
        (FAILED, (LabelKind.DISCRIMINATING, None)),
        (Outcome.COMPILE_ERROR_IN_METHOD, (LabelKind.DISCRIMINATING, None)),
        (PASSED, (LabelKind.REDUNDANT, DropReason.REDUNDANT)),
    ],
)
def test_an_inserted_test_discriminates_when_it_fails_on_old_code(on_old: Outcome, expected: Verdict) -> None:
    """TEB-X07, K01."""
    assert judged(facts(ChangeKind.INSERTED), runs(new=PASSED, new_on_old=on_old)) == expected


@pytest.mark.parametrize(("new", "label"), [(PASSED, LabelKind.UNCHANGED), (FAILED, LabelKind.BROKEN_UNCHANGED)])
def test_an_unchanged_test_with_changed_dependencies_is_a_negative(new: Outcome, label: LabelKind) -> None:
    """TEB-K03."""
    assert judged(facts(ChangeKind.UNCHANGED), runs(new=new, old=PASSED)) == (label, DropReason.UNCHANGED)


@pytest.mark.parametrize(
    ("failed", "kept_by_released"),
    [
        (Combination.NEW_TEST_NEW_CODE, False),
        (Combination.OLD_TEST_OLD_CODE, False),
        (Combination.NEW_TEST_OLD_CODE, True),
        (None, True),
    ],
)
def test_what_the_console_launcher_does_not_pass_is_dropped_where_the_rules_ask_it(
    failed: Combination | None, *, kept_by_released: bool
) -> None:
    """The run of a changed test in the old code is not needed."""
    executions = runs(new=PASSED, old=PASSED, old_on_new=FAILED, new_on_old=FAILED)
    if failed is not None:
        executions[failed] = executions[failed].model_copy(update={"console_failed": True})
    kept, dropped = (LabelKind.UPDATE, None), (LabelKind.NONE, DropReason.CONSOLE_FAILS)
    assert judged(facts(), executions) == kept
    assert judged(facts(), executions, RELEASED) == (kept if kept_by_released else dropped)


def test_a_negative_that_ran_once_is_not_called_stable() -> None:
    label = judge(facts(ChangeKind.UNCHANGED), runs(new=PASSED, old=PASSED), STRICT)
    assert (label.label, label.stable) == (LabelKind.UNCHANGED, None)


def test_a_test_that_fails_at_its_own_revision_is_dropped() -> None:
    """TEB-X08 first, then TEB-X05."""
    assert judged(facts(), runs(new=FAILED, old=FAILED))[1] == DropReason.NEW_TEST_FAILS
    assert judged(facts(), runs(new=PASSED, old=FAILED))[1] == DropReason.OLD_TEST_FAILS
    assert judged(facts(ChangeKind.UNCHANGED), runs(new=PASSED, old=THREW))[1] == DropReason.OLD_TEST_FAILS


def test_runs_that_disagree_drop_the_candidate() -> None:
    """TEB-X15. A test that passes now and then is unstable, not failing."""
    label = judge(facts(), runs(new=(FAILED, PASSED), old=PASSED, old_on_new=FAILED), STRICT)
    assert (label.label, label.reason, label.stable) == (LabelKind.NONE, DropReason.UNSTABLE, False)
    assert judged(facts(), runs(new=PASSED, old=PASSED, old_on_new=(FAILED, THREW)))[1] == DropReason.UNSTABLE


def test_a_run_that_decides_nothing_may_be_unstable() -> None:
    """The new test on old code is recorded for an update, but its label does not need it."""
    executions = runs(new=PASSED, old=PASSED, old_on_new=FAILED, new_on_old=(PASSED, FAILED))
    assert judged(facts(), executions) == (LabelKind.UPDATE, None)


@pytest.mark.parametrize("outcome", [Outcome.COMPILE_ERROR_IN_FILE, Outcome.COMPILE_ERROR_ELSEWHERE])
def test_compile_errors_outside_the_method_drop_or_count_by_the_switch(outcome: Outcome) -> None:
    """The released data counts them as failing."""
    update = runs(new=PASSED, old=PASSED, old_on_new=outcome)
    inserted = runs(new=PASSED, new_on_old=outcome)
    assert judged(facts(), update)[1] == DropReason.COLLATERAL_COMPILE_ERROR
    assert judged(facts(ChangeKind.INSERTED), inserted)[1] == DropReason.COLLATERAL_COMPILE_ERROR
    assert judged(facts(), update, RELEASED) == (LabelKind.UPDATE, None)
    assert judged(facts(ChangeKind.INSERTED), inserted, RELEASED) == (LabelKind.DISCRIMINATING, None)


def test_a_missing_old_file_counts_as_failing_by_the_switch() -> None:
    """Dotenv-java has no old file."""
    candidate = facts(ChangeKind.INSERTED, old_file_exists=False)
    assert judged(candidate, runs(new=PASSED), RELEASED) == (LabelKind.DISCRIMINATING, None)
    assert judged(candidate, runs(new=PASSED)) == (LabelKind.NONE, DropReason.NOT_RUNNABLE)
    assert judged(candidate, runs(new=PASSED, new_on_old=PASSED))[1] == DropReason.REDUNDANT


@pytest.mark.parametrize("outcome", [Outcome.SKIPPED, Outcome.ABORTED, Outcome.NOT_FOUND, Outcome.INFRASTRUCTURE])
def test_a_run_without_verdict_proves_nothing(outcome: Outcome) -> None:
    executions = runs(new=PASSED, old=PASSED, old_on_new=outcome)
    assert judged(facts(), executions) == (LabelKind.NONE, DropReason.NOT_RUNNABLE)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"test_kind": TestKind.PARAMETERISED, "is_plain": False}, DropReason.TEST_KIND),
        ({"unread": ("A.java",)}, DropReason.SYNTAX_UNREAD),
        ({"change": ChangeKind.REMOVED, "nominated": ChangeKind.REMOVED}, DropReason.REMOVED),
        ({"change": ChangeKind.UNCHANGED, "nominated": ChangeKind.MODIFIED}, DropReason.NOT_TEXTUALLY_CHANGED),
        ({"links": DependencyLinks(ambiguous=(method("m"),))}, DropReason.AMBIGUOUS_DEPENDENCY),
        ({"links": DependencyLinks(), "calls_unknown": "crashed"}, DropReason.CALLS_UNKNOWN),
        ({"links": DependencyLinks()}, DropReason.NO_DEPENDENCY),
        ({"links": DependencyLinks(lost=(method("names"),))}, DropReason.LOST_DEPENDENCY),
        ({"outside_gap": True}, DropReason.OUTSIDE_GAP),
        ({"changed_helpers": ("p.ATest#helper()",)}, DropReason.HELPER_CHANGED),
        ({"declaration": "nowhere"}, DropReason.NOT_DECLARED),
        ({"declaration": "idle_before", "change": ChangeKind.INSERTED}, DropReason.NOT_A_TEST_BEFORE),
        ({"declaration": "other_class"}, DropReason.DECLARED_ELSEWHERE),
    ],
)
def test_facts_drop_a_candidate_before_any_run_counts(values: dict[str, object], reason: DropReason) -> None:
    executions = runs(new=PASSED, old=PASSED, old_on_new=FAILED)
    assert judged(facts(**values), executions, RELEASED) == (LabelKind.NONE, reason)  # type: ignore[arg-type]
    assert not needs_runs(facts(**values), RELEASED)  # type: ignore[arg-type]


def test_a_class_that_left_a_file_that_stays_drops_where_files_are_swapped() -> None:
    executions = runs(new=PASSED, old=PASSED, old_on_new=FAILED)
    left = facts(declaration="other_file")
    assert judged(left, executions) == (LabelKind.NONE, DropReason.DECLARED_ELSEWHERE)
    assert judged(left, executions, RELEASED) == (LabelKind.UPDATE, None)


@pytest.mark.parametrize("change", [ChangeKind.INSERTED, ChangeKind.MODIFIED, ChangeKind.UNCHANGED])
def test_a_candidate_that_no_fact_drops_is_run(change: ChangeKind) -> None:
    assert needs_runs(facts(change), STRICT)


outcomes = st.lists(st.sampled_from(Outcome), min_size=1, max_size=3).map(tuple)
all_runs = st.fixed_dictionaries({}, optional=dict.fromkeys(("new", "old", "old_on_new", "new_on_old"), outcomes)).map(
    lambda chosen: runs(**chosen)
)
all_rules = st.builds(
    Rules,
    swap=st.builds(SwapRules, missing_old_file=st.sampled_from(["run", "counts_as_failing"])),
    filters=st.builds(
        FilterRules,
        collateral_compile_errors=st.sampled_from(["drop", "count_as_failing"]),
        refactoring=st.sampled_from(["pure", "none"]),
        moves=st.booleans(),
    ),
)
candidates = st.builds(
    facts,
    st.sampled_from(ChangeKind),
    old_file_exists=st.booleans(),
    outside_gap=st.sampled_from([False, False, False, True]),
    changed_helpers=st.sampled_from([(), (), ("p.ATest#helper()",)]),
)
verdicts = st.builds(
    RefactoringVerdict,
    repository=st.just("o/r"),
    old_revision=st.just("old"),
    new_revision=st.just("new"),
    test=st.just(a_test()),
    test_change=st.sampled_from(Purity),
    code_change=st.sampled_from(Purity),
    moved=st.booleans(),
    refactorings=st.just(()),
    detail=st.none(),
)
IN_TASKS = {LabelKind.UPDATE, LabelKind.DISCRIMINATING}


@given(candidates, all_runs, all_rules)
def test_every_combination_of_outcomes_gives_one_label_and_one_reason_or_none(
    candidate: CandidateFacts, executions: dict[Combination, Execution], rules: Rules
) -> None:
    """A reason is missing exactly when the label makes a task."""
    label = judge(candidate, executions, rules)
    assert (label.reason is None) == (label.label in IN_TASKS)
    if label.label == LabelKind.NONE:
        assert label.reason not in (DropReason.REFINEMENT, DropReason.REDUNDANT, DropReason.UNCHANGED)


@given(candidates, all_runs, all_rules)
def test_an_update_rests_on_its_four_facts(
    candidate: CandidateFacts, executions: dict[Combination, Execution], rules: Rules
) -> None:
    """Changed; passes on its own code at both ends; the old version fails or does not compile on new code (TEB-X05)."""
    if judged(candidate, executions, rules)[0] == LabelKind.UPDATE:
        assert candidate.change == ChangeKind.MODIFIED
        assert set(executions[Combination.OLD_TEST_OLD_CODE].outcomes) == {PASSED}
        assert set(executions[Combination.NEW_TEST_NEW_CODE].outcomes) == {PASSED}
        (swapped,) = set(executions[Combination.OLD_TEST_NEW_CODE].outcomes)
        assert swapped.failed or swapped.compile_error


@given(candidates, all_runs, all_rules)
def test_a_discriminating_test_is_new_passes_and_does_not_pass_on_old_code(
    candidate: CandidateFacts, executions: dict[Combination, Execution], rules: Rules
) -> None:
    """TEB-X06, X07."""
    if judged(candidate, executions, rules)[0] == LabelKind.DISCRIMINATING:
        assert candidate.change == ChangeKind.INSERTED
        assert set(executions[Combination.NEW_TEST_NEW_CODE].outcomes) == {PASSED}
        if Combination.NEW_TEST_OLD_CODE in needed_runs(candidate, rules):
            assert PASSED not in executions[Combination.NEW_TEST_OLD_CODE].outcomes


@given(candidates, all_runs, all_rules, verdicts)
def test_a_refactoring_hides_no_earlier_reason(
    candidate: CandidateFacts, executions: dict[Combination, Execution], rules: Rules, verdict: RefactoringVerdict
) -> None:
    without = judge(candidate, executions, rules)
    label = with_refactoring(without, verdict, rules, executions.values())
    order = list(DropReason)
    if without.reason is not None:
        assert label.reason is not None
        assert order.index(label.reason) <= order.index(without.reason)
