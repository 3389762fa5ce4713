"""Two versions of a text side by side, cut to what changed and to what a reader must see anyway."""

import difflib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

CONTEXT = 3
"""Equal lines shown around a change."""
MOST_ROWS = 800
"""Rows shown of one file."""
QUICK = 3000
"""Lines from which on a diff may leave frequent lines out of its search, or it takes seconds."""

Kind = Literal["same", "changed", "added", "removed", "gap"]


@dataclass(frozen=True)
class Row:
    """A line of the old text beside one of the new text, either of which may be missing."""

    kind: Kind
    old_number: int | None = None
    old: str = ""
    new_number: int | None = None
    new: str = ""
    marked: bool = False
    """Part of a dependency method."""
    entered: bool = False
    """The developer's test enters the new line's method, and the line can matter."""
    mutants: int = 0
    """Mutants of the new line."""
    skipped: int = 0
    """Rows that a gap stands for."""


def rows_of(old: Sequence[str], new: Sequence[str], *, old_first: int = 1, new_first: int = 1) -> list[Row]:
    """Every line of both texts, in order.

    Args:
        old: lines without their ends; none where there was no old text.
        new: the same after the change.
        old_first: number of the first old line.
        new_first: number of the first new line.
    """
    found: list[Row] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=max(len(old), len(new)) > QUICK)
    for tag, a, b, c, d in matcher.get_opcodes():
        for place in range(max(b - a, d - c)):
            left, right = a + place < b, c + place < d
            kind: Kind = "same" if tag == "equal" else "changed" if left and right else "removed" if left else "added"
            row = Row(kind)
            if left:
                row = replace(row, old_number=old_first + a + place, old=old[a + place])
            if right:
                row = replace(row, new_number=new_first + c + place, new=new[c + place])
            found.append(row)
    return found


def cut(rows: Sequence[Row], wanted: Callable[[Row], bool] = lambda row: False) -> list[Row]:
    """The changed and wanted rows with some lines around them; a gap stands for each run of others."""
    shown = [False] * len(rows)
    for at, row in enumerate(rows):
        if row.kind != "same":
            for near in range(max(0, at - CONTEXT), min(len(rows), at + CONTEXT + 1)):
                shown[near] = True
        elif wanted(row):
            shown[at] = True
    return list(_limited(_with_gaps(rows, shown)))


def _with_gaps(rows: Sequence[Row], shown: Sequence[bool]) -> Iterator[Row]:
    skipped = 0
    for row, visible in zip(rows, shown, strict=True):
        if not visible:
            skipped += 1
            continue
        if skipped:
            yield Row("gap", skipped=skipped)
            skipped = 0
        yield row
    if skipped:
        yield Row("gap", skipped=skipped)


def _limited(rows: Iterator[Row]) -> Iterator[Row]:
    for count, row in enumerate(rows):
        if count == MOST_ROWS:
            yield Row("gap", skipped=1 + sum(one.skipped or 1 for one in rows))
            return
        yield row
