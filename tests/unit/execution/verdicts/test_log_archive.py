"""Logs of runs as one file."""

import zipfile
from pathlib import Path

import pytest

from testevo.execution.verdicts.junit_xml import Case, write_logs
from testevo.execution.verdicts.log_archive import pack_logs, packed_traces
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome
from testevo.runtime.errors import UserError


def logs(folder: Path, **files: bytes) -> Path:
    for name, content in files.items():
        place = folder / "ab" / name / "0" / "stdout"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return folder


def content(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def test_logs_move_into_the_archive_under_their_names(tmp_path: Path) -> None:
    """Bytes as they are, and the folder is gone."""
    pack_logs(logs(tmp_path / "logs", one=b"\xff\x00", two=b""), tmp_path / "logs.zip")
    assert content(tmp_path / "logs.zip") == {"logs/ab/one/0/stdout": b"\xff\x00", "logs/ab/two/0/stdout": b""}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["logs.zip"]


def test_what_was_not_run_again_stays(tmp_path: Path) -> None:
    """As after a run that was interrupted or retried: the newer one of each name; without a folder nothing changes."""
    archive = tmp_path / "logs.zip"
    pack_logs(logs(tmp_path / "logs", one=b"1", two=b"2"), archive)
    pack_logs(logs(tmp_path / "logs", two=b"new", three=b"3"), archive)
    assert list(content(archive).values()) == [b"1", b"3", b"new"]
    before = archive.read_bytes()
    pack_logs(tmp_path / "logs", archive)
    assert archive.read_bytes() == before


def test_equal_logs_give_equal_bytes(tmp_path: Path) -> None:
    """In whatever order and at whatever time they came, at once or in parts."""
    pack_logs(logs(tmp_path / "logs", one=b"1", two=b"2"), tmp_path / "at-once.zip")
    pack_logs(logs(tmp_path / "logs", two=b"2"), tmp_path / "parts.zip")
    pack_logs(logs(tmp_path / "logs", one=b"1"), tmp_path / "parts.zip")
    assert (tmp_path / "parts.zip").read_bytes() == (tmp_path / "at-once.zip").read_bytes()


def test_a_damaged_archive_is_named_and_the_new_logs_are_kept(tmp_path: Path) -> None:
    (tmp_path / "logs.zip").write_bytes(b"torn")
    with pytest.raises(UserError, match=r"logs\.zip is damaged"):
        pack_logs(logs(tmp_path / "logs", one=b"1"), tmp_path / "logs.zip")
    assert (tmp_path / "logs/ab/one/0/stdout").read_bytes() == b"1"


def test_traces_are_read_from_the_archive(tmp_path: Path) -> None:
    """Of runs that threw alone; runs without logs are left out."""
    test = TestKey(module="", path="T.java", type_name="T", name="t")
    trace = "java.lang.Error: <&> \x00\n\tat T.t(T.java:3)\n"
    write_logs(tmp_path / "logs/ab/one/0", Case(test, Outcome.EXCEPTION, "java.lang.Error", "m", trace), b"", b"")
    write_logs(tmp_path / "logs/ab/two/0", Case(test, Outcome.PASSED), b"out", b"")
    pack_logs(tmp_path / "logs", tmp_path / "logs.zip")
    found = packed_traces(tmp_path / "logs.zip", ["logs/ab/none/0", "logs/ab/one/0", "logs/ab/two/0"])
    assert list(found) == [("logs/ab/one/0", trace.replace("\x00", "\\u0000"))]


def test_a_damaged_archive_has_no_traces(tmp_path: Path) -> None:
    (tmp_path / "logs.zip").write_bytes(b"torn")
    with pytest.raises(UserError, match=r"logs\.zip is damaged"):
        list(packed_traces(tmp_path / "logs.zip", ["logs/ab/one/0"]))
