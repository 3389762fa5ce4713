"""The page on grading names every grade, kind of discrimination and reason for an undefined measurement."""

from pathlib import Path

import pytest

from testevo.records.base import DocumentedEnum
from testevo.records.evaluation.grading import Discrimination, Grade, Undefined

PAGE = Path(__file__).parents[3] / "docs" / "grading.md"


@pytest.mark.parametrize("enumeration", [Grade, Discrimination, Undefined])
def test_the_page_has_the_rows_of_an_enumeration(enumeration: type[DocumentedEnum]) -> None:
    rows = "".join(f"| `{member.value}` | {member.cited_doc} |\n" for member in enumeration)
    assert rows in PAGE.read_text(encoding="utf-8"), f"docs/grading.md: put these rows in its table:\n{rows}"
