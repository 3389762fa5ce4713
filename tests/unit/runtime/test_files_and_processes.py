"""Whole files and limited child processes."""

import json
import os
from pathlib import Path

import pytest

from testevo.runtime.errors import MachineError
from testevo.runtime.files.files import canonical_json, content_key, write_atomically
from testevo.runtime.processes.processes import run_command
from tests.ended_processes import is_gone


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "file"
    write_atomically(path, b"first")
    write_atomically(path, b"second")
    assert path.read_bytes() == b"second"
    assert [one.name for one in path.parent.iterdir()] == ["file"]


def test_a_place_that_is_no_folder_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(MachineError, match="cannot be written"):
        write_atomically(tmp_path / "file" / "below", b"x")


def test_a_device_or_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    """`--output /dev/null` would else take the device from the whole machine."""
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for place in (pipe, link):
        with pytest.raises(MachineError, match=r"it is a device or a pipe\. Give the name of a file"):
            write_atomically(place, b"x")
    assert pipe.is_fifo() and link.is_symlink()


def test_keys_of_different_lists_differ_although_their_text_is_the_same() -> None:
    assert content_key("ab", "c") != content_key("a", "bc") != content_key("abc")


def test_a_command_beyond_its_time_is_killed_with_its_children(tmp_path: Path) -> None:
    script = f"sleep 300 & echo $! > {tmp_path}/child; wait"
    finished = run_command(["sh", "-c", script], seconds=5)  # in which it begins on a busy machine, too
    assert finished.timed_out and not finished.ok
    assert is_gone(int((tmp_path / "child").read_text()))


def test_output_stays_bytes_and_is_bounded() -> None:
    finished = run_command(["printf", r"\377\376abc"], output_bytes=4)
    assert finished.stdout == b"\xff\xfeab"


def test_a_missing_program_points_to_the_doctor() -> None:
    with pytest.raises(MachineError, match="is not installed; run `testevo doctor`"):
        run_command(["no-such-program-here"])


def test_a_path_that_is_no_utf8_can_be_written_and_read_back() -> None:
    path = b"pr\xfcfung.txt".decode("utf-8", "surrogateescape")
    line = canonical_json({"path": path, "word": "pr\u00fcfung"})
    assert json.loads(line.encode()) == {"path": path, "word": "pr\u00fcfung"}
    assert content_key(line, path) != content_key(line, "pr\u00fcfung.txt")
