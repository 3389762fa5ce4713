"""Files of records: canonical lines, whatever order they come in; clear errors for what is no record."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from testevo.records.base import DocumentedEnum, read_records, write_records
from testevo.records.repository import Repository, SourceKind
from testevo.records.tasks import FunnelCount, FunnelStage
from testevo.runtime.errors import UserError


def repository(name: str) -> Repository:
    return Repository(name=name, source=SourceKind.LIST, address=f"https://example.org/{name}.git")


def test_equal_records_give_equal_bytes_whatever_their_order(tmp_path: Path) -> None:
    records = [repository("b/x"), repository("a/ü"), repository("a/b")]
    write_records(tmp_path / "one.jsonl", records)
    write_records(tmp_path / "two.jsonl", reversed(records))
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    assert [record.name for record in read_records(tmp_path / "one.jsonl", Repository)] == ["a/b", "a/ü", "b/x"]


@given(st.lists(st.text(st.characters(codec="utf-8"))))
def test_records_survive_writing_and_reading(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    path = tmp_path_factory.mktemp("records") / "funnel.jsonl"
    counts = tuple(FunnelCount(reason=name, count=1) for name in names)
    stage = FunnelStage(stage="clone", unit="commits", entered=len(names), left=counts)
    write_records(path, [stage])
    assert read_records(path, FunnelStage) == [stage]


def test_a_line_that_is_no_record_is_named(tmp_path: Path) -> None:
    path = tmp_path / "repositories.jsonl"
    write_records(path, [repository("a/b")])
    with path.open("a") as stream:
        stream.write('{"name": "c/d", "unknown": 1}\n')
    with pytest.raises(UserError, match=r"repositories.jsonl:2 is not a Repository record"):
        read_records(path, Repository)


def test_a_missing_file_says_which_step_is_next(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Run the stage that writes it first"):
        read_records(tmp_path / "nothing.jsonl", Repository)


def test_reports_do_without_the_citations_of_the_pages() -> None:
    class Fate(DocumentedEnum):
        LOST = "lost", "left out of the data (TEB-X05, X06)"

    assert Fate.LOST.doc == "left out of the data"
    assert Fate.LOST.cited_doc == "left out of the data (TEB-X05, X06)"
