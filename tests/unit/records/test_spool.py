"""A spool writes what `write_records` writes, and holds no record."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from testevo.records.base import Record, write_records
from testevo.records.spool import RecordSpool
from testevo.runtime.errors import MachineError


class Named(Record):
    group: int
    name: str
    text: str = ""

    def sort_key(self) -> tuple[object, ...]:
        return (self.group, self.name)


def drawn() -> list[Named]:
    """Records in no order, some with equal keys."""
    choice = random.Random(5)
    return [
        Named(group=choice.randrange(4), name=choice.choice("aÄz\U0001d49c"), text=choice.choice(["", "é\n", "x" * 50]))
        for _ in range(200)
    ]


def test_the_bytes_are_those_of_all_records_at_once(tmp_path: Path) -> None:
    records = drawn()
    write_records(tmp_path / "at_once", records)
    with RecordSpool(tmp_path / "scratch") as spool:
        for record in records:
            spool.add([record])
        spool.write(tmp_path / "spooled")
        assert len(spool) == len(records)
    assert (tmp_path / "spooled").read_bytes() == (tmp_path / "at_once").read_bytes()
    assert not list((tmp_path / "scratch").iterdir())


def test_what_came_so_far_can_be_written_in_between(tmp_path: Path) -> None:
    records = drawn()
    write_records(tmp_path / "half", records[:90])
    write_records(tmp_path / "all", records)
    with RecordSpool(tmp_path) as spool:
        for name, part in (("half", records[:90]), ("all", records[90:])):
            spool.add(part)
            spool.write(tmp_path / "spooled")
            assert (tmp_path / "spooled").read_bytes() == (tmp_path / name).read_bytes()


def test_without_records_the_file_is_empty(tmp_path: Path) -> None:
    with RecordSpool(tmp_path) as spool:
        spool.write(tmp_path / "empty")
    assert (tmp_path / "empty").read_bytes() == b""


def test_records_that_cannot_be_written_leave_nothing_behind(tmp_path: Path) -> None:
    def failing() -> Iterator[Named]:
        yield Named(group=1, name="a")
        raise RuntimeError("no second one")

    with pytest.raises(RuntimeError, match="no second one"):
        write_records(tmp_path / "records", failing())
    (tmp_path / "file").write_text("")
    with RecordSpool(tmp_path) as spool, pytest.raises(MachineError, match="cannot be written"):
        spool.write(tmp_path / "file" / "records")
    assert [file.name for file in tmp_path.iterdir()] == ["file"]
