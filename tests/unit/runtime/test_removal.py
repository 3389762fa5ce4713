from pathlib import Path

import pytest

from testevo.runtime.files.removal import remove_folder, remove_listed, temporary_folder
from tests.deep_folder import make_deep_folder


def test_folders_nested_deeper_than_the_stack_and_the_longest_path_go(tmp_path: Path) -> None:
    with temporary_folder(tmp_path, "run-") as folder:
        make_deep_folder(folder)
    assert list(tmp_path.iterdir()) == []


def test_folders_that_were_made_unreadable_go(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder / "a/b").mkdir(parents=True)
    (folder / "a/b/file").touch()
    (folder / "a/b").chmod(0)
    (folder / "a").chmod(0)
    remove_folder(folder)
    assert not folder.exists()


def test_what_links_lead_to_stays(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/file").touch()
    with temporary_folder(tmp_path, "run-") as folder:
        (folder / "link").symlink_to(tmp_path / "kept")
    assert [path.name for path in sorted(tmp_path.rglob("*"))] == ["kept", "file"]


def test_a_folder_is_removed_when_its_user_fails(tmp_path: Path) -> None:
    with pytest.raises(ValueError), temporary_folder(tmp_path, "run-"):
        raise ValueError
    assert list(tmp_path.iterdir()) == []


def test_listed_files_go_and_nothing_outside(tmp_path: Path) -> None:
    (tmp_path / "f/a").mkdir(parents=True)
    (tmp_path / "f/link").symlink_to(tmp_path)
    files = [tmp_path / "f/a/one", tmp_path / "f/two", tmp_path / "precious"]
    for file in files:
        file.touch()
    remove_listed(tmp_path / "f", ["a/one", "a", "", "nowhere", "../precious", str(files[2]), "link/precious"])
    assert [file.exists() for file in files] == [False, True, True]
