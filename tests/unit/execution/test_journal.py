"""The journal survives kills and is not shared."""

import io
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from pydantic import RootModel

from testevo.execution.journal import Journal
from testevo.records.base import Part
from testevo.runtime.errors import MachineError


class Work(Part):
    by: str


class Entry(RootModel[dict[str, Any]]):
    """An entry of a journal in any form."""


def entry(journal: Journal, key: str) -> dict[str, Any] | None:
    found = journal.record(key, Entry)
    return None if found is None else found.root


def test_an_entry_of_another_form_is_made_again(tmp_path: Path) -> None:
    """As after an upgrade that renamed a field: the old line would end the stage."""
    with Journal(tmp_path / "journal") as journal:
        journal.put("a", {"by_whom": "an older version"})
        assert journal.record("a", Work) is None
        assert journal.remembered("a", Work, lambda: Work(by="this one")) == Work(by="this one")
    with Journal(tmp_path / "journal") as journal:
        assert journal.record("a", Work) == Work(by="this one")


def test_what_is_not_settled_is_made_again_by_the_next_run(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal:
        made = journal.remembered("a", Work, lambda: Work(by="nobody"), lambda work: work.by != "nobody")
        assert (made, journal.record("a", Work)) == (Work(by="nobody"), None)


def test_what_was_put_is_there_when_the_journal_is_opened_again(tmp_path: Path) -> None:
    with Journal(tmp_path / "deep" / "journal") as journal:
        journal.put("a", {"outcome": "passed", "text": "ü\n\u2028"})
        journal.put("a", {"outcome": "failed"})
        journal.put("b", {})
    with Journal(tmp_path / "deep" / "journal") as journal:
        assert (entry(journal, "a"), entry(journal, "b"), entry(journal, "c"), len(journal)) == (
            {"outcome": "failed"},
            {},
            None,
            2,
        )


@pytest.mark.parametrize("torn", [b'{"key":"c","val', b'{"key":"c","value":{}}', b'{"other":1}\n', b"\x00\x00\n"])
def test_a_torn_line_is_dropped_and_the_next_put_is_whole(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.put("a", {"n": 1})
    path.write_bytes(path.read_bytes() + torn)
    with Journal(path) as journal:
        assert entry(journal, "c") is None
        journal.put("b", {"n": 2})
    with Journal(path) as journal:
        assert (entry(journal, "a"), entry(journal, "b")) == ({"n": 1}, {"n": 2})
    assert path.read_bytes().count(b"\n") == 2


def test_lines_are_not_held(tmp_path: Path) -> None:
    """Those of a large repository fit into no memory: neither what was put nor what was there before."""
    text, lines = "x" * 500_000, 20

    def held_by(work: Callable[[], None]) -> int:
        tracemalloc.start()
        try:
            work()
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    def put(journal: Journal) -> None:
        for number in range(lines):
            journal.put(str(number), {"by": text})

    def read_again(journal: Journal) -> None:
        assert journal.record("7", Work) == Work(by=text)

    with Journal(tmp_path / "journal") as journal:
        assert held_by(lambda: put(journal)) < lines * len(text) / 2
    with ExitStack() as opened:
        assert held_by(lambda: read_again(opened.enter_context(Journal(tmp_path / "journal")))) < lines * len(text) / 2


def test_a_journal_that_was_shortened_since_is_not_misread(tmp_path: Path) -> None:
    """An earlier snapshot may be mined again, which forgets failures (`keep`) and moves what is behind them."""
    with Journal(tmp_path / "earlier") as earlier:
        for key, by in (("a", "nobody"), ("b", "somebody"), ("c", "somebody")):
            earlier.put(key, {"by": by})
    with Journal(tmp_path / "journal", earlier=[tmp_path / "earlier"]) as journal:
        with Journal(tmp_path / "earlier") as earlier:
            earlier.keep(lambda value: value["by"] != "nobody")
            assert [earlier.record(key, Work) for key in "abc"] == [None, Work(by="somebody"), Work(by="somebody")]
        assert journal.remembered("c", Work, lambda: Work(by="me")) == Work(by="me")
        (tmp_path / "earlier").unlink()
        assert journal.remembered("b", Work, lambda: Work(by="me")) == Work(by="me")
        assert journal.record("c", Work) == Work(by="me")


def test_two_processes_cannot_share_a_journal(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal"), pytest.raises(MachineError, match="in use by another process"):
        Journal(tmp_path / "journal")
    Journal(tmp_path / "journal").close()


def test_a_folder_that_cannot_be_written_is_the_machine_s_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MachineError, match="cannot be opened"):
        Journal(tmp_path / "file" / "journal")


def test_journals_of_others_are_known_and_never_written(tmp_path: Path) -> None:
    """The work of shards, also of one that still writes: the line that it is at is left out."""
    with Journal(tmp_path / "part") as part:
        part.put("both", {"by": "part"})
        part.put("part", {"by": "part"})
    with (tmp_path / "part").open("ab") as growing:
        growing.write(b'{"key":"half"')
    before = (tmp_path / "part").read_bytes()
    with Journal(tmp_path / "whole") as whole:
        whole.put("both", {"by": "whole"})
    with Journal(tmp_path / "whole", known=[tmp_path / "part", tmp_path / "whole"]) as whole:
        assert [entry(whole, key) for key in ("both", "part", "half")] == [{"by": "whole"}, {"by": "part"}, None]
        assert whole.remembered("part", Work, lambda: Work(by="nobody")) == Work(by="part")
    assert (tmp_path / "part").read_bytes() == before
    assert b"part" not in (tmp_path / "whole").read_bytes()


def test_a_job_of_a_cluster_waits_for_the_one_that_has_its_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What that one finished in the meantime is known afterwards."""
    script = (
        "import select, sys; from pathlib import Path; from testevo.execution.journal import Journal\n"
        "with Journal(Path(sys.argv[1])) as journal:\n"
        "    print('open', flush=True); select.select([sys.stdin], [], [], 60); journal.put('late', {'work': 1})"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "journal")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin is not None and other.stdout is not None
        assert other.stdout.readline() == "open\n"

        class Told(io.StringIO):
            """The other one goes on when it was said that it is waited for, and not before."""

            flush = staticmethod(other.stdin.close)

        monkeypatch.setattr(sys, "stderr", told := Told())
        with Journal(tmp_path / "journal", wait=True) as journal:
            assert entry(journal, "late") == {"work": 1}
    assert "Waiting for the job that still writes" in told.getvalue()


def test_work_of_an_earlier_journal_is_copied_when_it_is_asked_for(tmp_path: Path) -> None:
    """So that the earlier one can be removed; what does not count, and nobody asks for, stays where it is."""
    with Journal(tmp_path / "earlier") as earlier:
        for key, by in (("a", "somebody"), ("b", "nobody"), ("c", "somebody")):
            earlier.put(key, {"by": by})
    kept = (tmp_path / "earlier").read_bytes()
    wanted = {"earlier": [tmp_path / "earlier"], "taken_over": lambda value: value["by"] != "nobody"}
    with Journal(tmp_path / "journal", **wanted) as journal:
        assert journal.remembered("a", Work, lambda: Work(by="me")) == Work(by="somebody")
        assert journal.remembered("b", Work, lambda: Work(by="me")) == Work(by="me")
    assert (tmp_path / "earlier").read_bytes() == kept
    with Journal(tmp_path / "journal") as journal:
        assert [journal.record(key, Work) for key in "abc"] == [Work(by="somebody"), Work(by="me"), None]
