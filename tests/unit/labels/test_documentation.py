"""The page on labels names every label, reason and verdict, in the order in which they are judged."""

from pathlib import Path

import pytest

from testevo.records.base import DocumentedEnum
from testevo.records.labels import DropReason, LabelKind, Purity

PAGE = Path(__file__).parents[3] / "docs" / "labels.md"


@pytest.mark.parametrize("enumeration", [LabelKind, DropReason, Purity])
def test_the_page_has_the_rows_of_an_enumeration(enumeration: type[DocumentedEnum]) -> None:
    rows = "".join(f"| `{member.value}` | {member.cited_doc} |\n" for member in enumeration)
    assert rows in PAGE.read_text(encoding="utf-8"), f"docs/labels.md: put these rows in its table:\n{rows}"
