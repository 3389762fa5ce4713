"""Mined labels against known ones: the matrix of an embedded history must be diagonal."""

from label_factories import STRICT, facts, runs

from testevo.labels.judge import judge
from testevo.labels.reasons.confusion import ExpectedLabel, compare_labels
from testevo.records.labels import DropReason, Label, LabelKind
from testevo.records.methods import ChangeKind
from testevo.records.verdicts import Outcome

UPDATE = judge(facts(), runs(new=Outcome.PASSED, old=Outcome.PASSED, old_on_new=Outcome.EXCEPTION), STRICT)
DROPPED = judge(facts(changed_helpers=("p.ATest#helper()",)), {}, STRICT)


def expected(label: LabelKind, reason: DropReason | None = None, old: str | None = None) -> ExpectedLabel:
    return ExpectedLabel("new", "ATest#adds", label, (reason,) if reason else (), old)


def differences(mined: list[Label], *wanted: ExpectedLabel) -> list[str]:
    return [str(difference) for difference in compare_labels(mined, wanted).differences]


def test_equal_labels_are_on_the_diagonal() -> None:
    confusion = compare_labels([UPDATE], [expected(LabelKind.UPDATE, old="old")])
    assert not confusion.differences
    assert confusion.matrix == {(LabelKind.UPDATE, LabelKind.UPDATE): 1}


def test_another_label_or_another_reason_is_a_difference() -> None:
    assert differences([DROPPED], expected(LabelKind.UPDATE)) == [
        "ATest#adds at new: expected update, mined none (helper_changed)"
    ]
    assert differences([DROPPED], expected(LabelKind.NONE, DropReason.UNSTABLE)) == [
        "ATest#adds at new: expected none (unstable), mined none (helper_changed)"
    ]
    assert differences([DROPPED], expected(LabelKind.NONE, DropReason.HELPER_CHANGED)) == []


def test_a_mined_label_that_nobody_expects_is_wrong() -> None:
    confusion = compare_labels([UPDATE, DROPPED], [])
    assert [str(difference) for difference in confusion.differences] == [
        "ATest#adds at new: expected nothing, mined update"
    ]
    assert confusion.matrix == {(LabelKind.NONE, LabelKind.UPDATE): 1}


def test_no_candidate_agrees_with_no_label_but_not_with_a_reason() -> None:
    assert differences([], expected(LabelKind.NONE)) == []
    assert differences([], expected(LabelKind.NONE, DropReason.MOVED)) == [
        "ATest#adds at new: expected none (moved), mined no candidate"
    ]
    assert len(differences([], expected(LabelKind.UPDATE))) == 1


def test_an_expectation_for_another_old_end_does_not_match() -> None:
    assert len(differences([UPDATE], expected(LabelKind.UPDATE, old="older"))) == 2


def test_negatives_are_labels_too() -> None:
    executions = runs(new=Outcome.PASSED, old=Outcome.PASSED)
    unchanged = judge(facts(ChangeKind.UNCHANGED), executions, STRICT)
    assert differences([unchanged], expected(LabelKind.UNCHANGED)) == []
    assert len(differences([unchanged])) == 1
