"""Files that untrusted code could replace."""

import os
from pathlib import Path

import pytest

from testevo.runtime.files.plain_files import exists, is_file, read_plain


def test_a_plain_file_is_read_up_to_a_bound(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/file").write_bytes(b"0123456789")
    assert read_plain(tmp_path, "a/b/file", 4) == b"0123"
    assert read_plain(tmp_path, "a/b/file", 100) == b"0123456789"


def test_nothing_is_read_through_a_link_or_outside_or_from_a_pipe(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    (inside / "plain").mkdir(parents=True)
    outside.mkdir()
    (outside / "secret").write_bytes(b"secret")
    (inside / "link").symlink_to(outside / "secret")
    (inside / "folder").symlink_to(outside)
    (inside / "plain" / "up").symlink_to("../../outside")
    os.mkfifo(inside / "pipe")
    for path in ("link", "folder/secret", "plain/up/secret", "pipe", "../outside/secret", "plain", "", "missing"):
        assert read_plain(inside, path, 100) is None, path
    assert read_plain(inside, str(outside / "secret"), 100) is None


@pytest.mark.parametrize("path", ["", "a/../b", "/a"])
def test_a_path_that_leaves_its_folder_is_no_file(tmp_path: Path, path: str) -> None:
    (tmp_path / "b").write_bytes(b"b")
    assert read_plain(tmp_path, path, 9) is None


@pytest.mark.parametrize(
    ("path", "found"), [("a", True), ("missing", False), ("folder", False), ("n" * 300, False), ("n/" * 3000, False)]
)
def test_a_path_that_no_disk_takes_leads_to_no_file(tmp_path: Path, path: str, *, found: bool) -> None:
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "folder").mkdir()
    assert is_file(tmp_path / path) is found
    assert exists(tmp_path / path) is (found or path == "folder")
