"""The journal survives kills and is not shared (design section 2, complaint 23)."""

from pathlib import Path

import pytest

from testevo.execution.journal import Journal
from testevo.ground.errors import MachineError


def test_what_was_put_is_there_when_the_journal_is_opened_again(tmp_path: Path) -> None:
    with Journal(tmp_path / "deep" / "journal") as journal:
        journal.put("a", {"outcome": "passed", "text": "ü\n\u2028"})
        journal.put("a", {"outcome": "failed"})
        journal.put("b", {})
    with Journal(tmp_path / "deep" / "journal") as journal:
        assert (journal.get("a"), journal.get("b"), journal.get("c"), len(journal)) == (
            {"outcome": "failed"}, {}, None, 2)


@pytest.mark.parametrize("torn", [b'{"key":"c","val', b'{"key":"c","value":{}}', b'{"other":1}\n', b"\x00\x00\n"])
def test_a_torn_line_is_dropped_and_the_next_put_is_whole(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.put("a", {"n": 1})
    path.write_bytes(path.read_bytes() + torn)
    with Journal(path) as journal:
        assert journal.get("c") is None
        journal.put("b", {"n": 2})
    with Journal(path) as journal:
        assert (journal.get("a"), journal.get("b")) == ({"n": 1}, {"n": 2})
    assert path.read_bytes().count(b"\n") == 2


def test_two_processes_cannot_share_a_journal(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal"), pytest.raises(MachineError, match="in use by another process"):
        Journal(tmp_path / "journal")
    Journal(tmp_path / "journal").close()


def test_a_folder_that_cannot_be_written_is_the_machine_s_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MachineError, match="cannot be opened"):
        Journal(tmp_path / "file" / "journal")
