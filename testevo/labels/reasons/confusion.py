"""Mined labels against the known labels of an embedded history: a confusion matrix that must be diagonal."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from testevo.records.labels import DropReason, Label, LabelKind


@dataclass(frozen=True)
class ExpectedLabel:
    """The statement of a history's author about a test at a revision."""

    new_revision: str
    test: str
    """`Class#method`, `Outer$Inner#method` for a nested class."""
    label: LabelKind
    reasons: tuple[DropReason, ...] = ()
    """Any of these will do; empty: any reason at all."""
    old_revision: str | None = None
    """None: whatever the old end is."""

    def is_about(self, label: Label) -> bool:
        return (self.new_revision, self.test) == (label.new_revision, label.test.short) and self.old_revision in (
            None,
            label.old_revision,
        )


@dataclass(frozen=True)
class Difference:
    """A mined label that is not the expected one, or the other way round."""

    new_revision: str
    test: str
    expected: str
    """`update`, or `none (helper_changed)`."""
    mined: str

    def __str__(self) -> str:
        return f"{self.test} at {self.new_revision}: expected {self.expected}, mined {self.mined}"


@dataclass(frozen=True)
class Confusion:
    """Counts by (expected, mined) and the cases off the diagonal, reasons included."""

    matrix: dict[tuple[LabelKind, LabelKind], int]
    differences: tuple[Difference, ...]


def compare_labels(mined: Sequence[Label], expected: Sequence[ExpectedLabel]) -> Confusion:
    """Compare the labels mined from one history with the expected ones.

    A test that is expected to have no label may have no candidate at all, unless a reason is expected. A mined label
    other than `none` that nobody expects counts as wrong.
    """
    matrix: Counter[tuple[LabelKind, LabelKind]] = Counter()
    differences = []
    told: set[int] = set()
    for item in expected:
        found = [index for index, label in enumerate(mined) if item.is_about(label) and not is_other_end(label, item)]
        told.update(found)
        labels: list[Label | None] = [mined[index] for index in found]
        for label in labels or [None]:
            matrix[item.label, LabelKind.NONE if label is None else label.label] += 1
            if not _agrees(item, label):
                expectation = _named(item.label, *item.reasons)
                differences.append(Difference(item.new_revision, item.test, expectation, _described(label)))
    for index, label in enumerate(mined):
        if index not in told and label.label != LabelKind.NONE:
            matrix[LabelKind.NONE, label.label] += 1
            differences.append(Difference(label.new_revision, label.test.short, "nothing", _described(label)))
    return Confusion(dict(sorted(matrix.items())), tuple(sorted(differences, key=str)))


def is_other_end(label: Label, item: ExpectedLabel) -> bool:
    """A moved test class is also a removed one of the same simple name, which few expectations are about."""
    return label.reason is DropReason.REMOVED and DropReason.REMOVED not in item.reasons


def _agrees(item: ExpectedLabel, label: Label | None) -> bool:
    if label is None:
        return item.label == LabelKind.NONE and not item.reasons
    return item.label == label.label and (not item.reasons or label.reason in item.reasons)


def _described(label: Label | None) -> str:
    return "no candidate" if label is None else _named(label.label, label.reason)


def _named(kind: LabelKind, *reasons: DropReason | None) -> str:
    told = [reason.value for reason in reasons if reason is not None and reason.value != kind.value]
    return f"{kind.value} ({' or '.join(told)})" if told else kind.value
