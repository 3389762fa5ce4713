"""Files that are written once: the first that is complete gets the name, and keeps it."""

import errno
import fcntl
import os
from pathlib import Path

import pytest

from testevo.runtime.errors import MachineError
from testevo.runtime.files import whole_files
from testevo.runtime.files.whole_files import (
    copy_once,
    locked,
    place_folder_once,
    place_once,
    write_if_changed,
    write_once,
)


def file(path: Path, content: bytes = b"x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def identity(path: Path) -> tuple[int, int]:
    """What changes when a file is replaced or written, and not when it is read."""
    status = path.stat()
    return status.st_ino, status.st_mtime_ns


def no_links(source: object, target: object) -> None:
    raise OSError(errno.EPERM, os.strerror(errno.EPERM))


@pytest.mark.parametrize("links", [True, False])
def test_the_first_file_gets_the_name_and_the_second_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    if not links:
        monkeypatch.setattr(whole_files.os, "link", no_links)
    target = tmp_path / "entry"
    assert place_once(file(tmp_path / "one", b"one"), target)
    inode = target.stat().st_ino
    assert not place_once(file(tmp_path / "two", b"two"), target)
    assert (target.read_bytes(), target.stat().st_ino) == (b"one", inode)
    assert not (tmp_path / "one").exists() and not (tmp_path / "two").exists()


def test_a_folder_that_cannot_be_written_is_no_reason_to_believe_in_an_entry(tmp_path: Path) -> None:
    made = file(tmp_path / "made")
    with pytest.raises(FileNotFoundError):
        place_once(made, tmp_path / "absent" / "entry")
    assert not made.exists()


def test_the_first_folder_gets_the_name_and_the_second_stays_for_its_maker(tmp_path: Path) -> None:
    file(tmp_path / "one" / "a", b"one")
    file(tmp_path / "two" / "a", b"two")
    assert place_folder_once(tmp_path / "one", tmp_path / "entry")
    assert not place_folder_once(tmp_path / "two", tmp_path / "entry")
    assert (tmp_path / "entry" / "a").read_bytes() == b"one"
    assert (tmp_path / "two" / "a").is_file()


def test_a_folder_does_not_take_the_name_of_a_file(tmp_path: Path) -> None:
    file(tmp_path / "one" / "a")
    with pytest.raises(NotADirectoryError):
        place_folder_once(tmp_path / "one", file(tmp_path / "entry"))


def test_what_is_there_is_neither_written_nor_copied_again(tmp_path: Path) -> None:
    target, source = tmp_path / "deep" / "entry", file(tmp_path / "source", b"copied")
    assert write_once(target, b"first")
    before = identity(target)
    assert not write_once(target, b"second")
    assert not copy_once(source, target)
    assert target.read_bytes() == b"first"
    assert identity(target) == before
    assert [path.name for path in target.parent.iterdir()] == ["entry"], "nothing is left beside it"


def test_a_file_has_the_time_that_it_is_given_and_can_be_read_by_all(tmp_path: Path) -> None:
    target = tmp_path / "entry"
    assert write_once(target, b"written", 1_000)
    assert target.read_bytes() == b"written"
    assert target.stat().st_mtime == 1_000
    assert target.stat().st_mode & 0o777 == 0o644


def test_what_cannot_be_made_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="entry cannot be written: No such file or directory"):
        copy_once(tmp_path / "absent", tmp_path / "entry")
    with pytest.raises(MachineError, match="cannot be written"):
        write_once(file(tmp_path / "plain") / "entry", b"")
    assert [path.name for path in tmp_path.iterdir()] == ["plain"]


def test_a_note_is_written_again_only_when_it_says_something_else(tmp_path: Path) -> None:
    note = tmp_path / "note"
    assert write_if_changed(note, b"one")
    before = identity(note)
    assert not write_if_changed(note, b"one")
    assert identity(note) == before
    assert write_if_changed(note, b"two")
    assert note.read_bytes() == b"two"


def test_a_lock_keeps_others_out_and_lets_sharers_in(tmp_path: Path) -> None:
    def is_free(how: int) -> bool:
        with (tmp_path / "deep" / "lock").open("w") as stream:
            try:
                fcntl.flock(stream, how | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

    with locked(tmp_path / "deep" / "lock", shared=True):
        assert is_free(fcntl.LOCK_SH) and not is_free(fcntl.LOCK_EX)
    with locked(tmp_path / "deep" / "lock"):
        assert not is_free(fcntl.LOCK_SH)
    assert is_free(fcntl.LOCK_EX)
