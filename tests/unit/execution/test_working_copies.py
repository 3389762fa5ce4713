"""Runs share a working folder only as long as no run has touched it."""

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from testevo.builds.engine import BuiltModule
from testevo.builds.model.model import RunSettings
from testevo.execution.copies.file_times import SECONDS
from testevo.execution.copies.working_copies import WorkingCopies


def module_at(folder: Path, path: str = "") -> BuiltModule:
    return BuiltModule(
        path=path,
        folder=folder / path,
        production_classes=folder,
        test_classes=folder,
        class_path=(),
        framework="junit4",
        engine_jars=(),
        jvm_arguments=(),
        environment={},
        test_includes=(),
        test_excludes=(),
        test_roots=(),
        production_roots=(),
    )


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    for name in ("a/data/file", "a/.git/HEAD", "b/file", "pom.xml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return folder


def test_an_untouched_copy_is_kept(tree: Path, tmp_path: Path) -> None:
    copies = WorkingCopies(tmp_path)
    first = copies.show(module_at(tree, "a"))
    assert (first / "data/file").read_text() == "a/data/file"
    assert not (first / ".git").exists()
    assert (first / "../b/file").read_text() == "b/file"
    (first / "data/file").read_text()
    copies.discard_if_changed()
    assert copies.show(module_at(tree, "a")) == first


@pytest.mark.parametrize(
    "touch",
    [
        "add",
        "add and remove",
        "write",
        "write and set the time back",
        "delete",
        "mode of the folder",
        "mode of a file",
        "beside the module",
    ],
)
def test_a_touched_copy_is_made_anew(tree: Path, tmp_path: Path, touch: str) -> None:
    copies = WorkingCopies(tmp_path)
    first = copies.show(module_at(tree, "a"))
    file = first / "data/file"
    before = file.stat()
    if touch in ("add", "add and remove"):
        (first / "new").write_text("")
    if touch == "add and remove":
        (first / "new").unlink()
    if touch.startswith("write"):
        file.write_text("A/data/file")
    if touch == "write and set the time back":
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    if touch == "delete":
        file.unlink()
    if touch == "mode of the folder":
        first.chmod(0o500)
    if touch == "mode of a file":
        file.chmod(0o777)
    if touch == "beside the module":
        (first.parent / "pom.xml").unlink()
    copies.discard_if_changed()
    again = copies.show(module_at(tree, "a"))
    assert again != first
    assert not first.exists()
    assert (again / "data/file").read_text() == "a/data/file"
    assert (again / "../pom.xml").read_text() == "pom.xml"
    assert not (again / "new").exists()
    assert (again / "data/file").stat().st_mode == (tree / "a/data/file").stat().st_mode


def test_a_copy_nobody_looked_over_is_not_used_again(tree: Path, tmp_path: Path) -> None:
    """The run may have ended in an error of ours."""
    copies = WorkingCopies(tmp_path)
    first = copies.show(module_at(tree))
    (first / "new").write_text("")
    assert not (copies.show(module_at(tree)) / "new").exists()


@pytest.mark.parametrize(("path", "is_made"), [("target/new", True), ("data/file", False), ("data/file/new", False)])
def test_a_working_directory_of_the_build_is_made_where_the_revision_has_nothing_else(
    tree: Path, tmp_path: Path, path: str, *, is_made: bool
) -> None:
    module = replace(module_at(tree, "a"), settings=RunSettings(working_directory=path))
    copies = WorkingCopies(tmp_path)
    copy = copies.show(module)
    assert (copy / path).is_dir() is is_made
    copies.discard_if_changed()
    assert copies.show(module) == copy
    assert (copy / "data/file").read_text() == "a/data/file"


@pytest.mark.parametrize(
    ("outputs", "unread", "made"),
    [
        (("target/classes", "target/test-classes"), "", ["target/surefire-reports"]),
        (("out/main", "out/test"), "", ["out/surefire-reports"]),
        (("classes", "test-classes"), "", []),
        (("data/classes", "data/file/classes"), "", []),
        (("target/classes", "target/test-classes"), "reportsDirectory", []),
        (None, "", []),
    ],
)
def test_the_folder_of_surefires_reports_is_there_where_the_revision_has_nothing_else(
    tree: Path, tmp_path: Path, outputs: tuple[str, str] | None, unread: str, made: list[str]
) -> None:
    """Since 3.0.0-M6, before the first test; older versions make it behind the first class."""
    copies = WorkingCopies(tmp_path)
    module = replace(module_at(tree, "a"), outputs=outputs, unread_reports=unread)
    copy = copies.show(module)
    assert [str(path.relative_to(copy)) for path in copy.rglob("surefire-reports")] == made
    older = WorkingCopies(tmp_path).show(replace(module, settings=RunSettings(older_start=True)))
    assert list(older.rglob("surefire-reports")) == []


@pytest.mark.parametrize("name", ["a/data/file", "a/data/new", "new"])
def test_a_folder_that_was_written_again_is_copied_again(tree: Path, tmp_path: Path, name: str) -> None:
    copies = WorkingCopies(tmp_path)
    copies.show(module_at(tree, "a"))
    copies.discard_if_changed()
    (tree / name).write_text("written again")
    copy = copies.show(module_at(tree, "a"))
    assert (copy.parent / name).read_text() == "written again"


def test_few_copies_are_kept_and_none_after_the_last_use(tree: Path, tmp_path: Path) -> None:
    copies = WorkingCopies(tmp_path)
    for number in range(9):
        other = tmp_path / str(number)
        other.mkdir()
        copies.show(module_at(other))
        copies.discard_if_changed()
    assert len(list(tmp_path.glob("folders-*/*"))) == 4
    del copies
    assert list(tmp_path.glob("folders-*")) == []


def test_files_of_the_tree_stand_in_place_of_those_of_the_revision(tmp_path: Path) -> None:
    """Those of the module; each edit has a copy of its own."""
    (tmp_path / "tree/a/b").mkdir(parents=True)
    (tmp_path / "tree/a/b/T.java").write_text("developer's")
    (tmp_path / "tree/a/gone").touch()
    (tmp_path / "work").mkdir()
    copies = WorkingCopies(tmp_path / "work")
    module = module_at(tmp_path / "tree", "a")
    edits = {"a/b/T.java": b"candidate's", "a/c/New.java": b"new", "a/gone": None, "other/X.java": b"x"}
    copy = copies.show(module, edits)
    assert (copy / "b/T.java").read_bytes() == b"candidate's" and (copy / "c/New.java").read_bytes() == b"new"
    assert not (copy / "gone").exists() and not (copy.parent / "other").exists()
    copies.discard_if_changed()
    assert copies.show(module, edits) == copy
    copies.discard_if_changed()
    assert (copies.show(module) / "b/T.java").read_text() == "developer's"


def test_all_times_are_the_same_and_names_do_not_count(tree: Path, tmp_path: Path) -> None:
    """What a run could tell revisions, or the first run from later ones, by."""
    (tree / "a" / "link").symlink_to("data")
    copies = WorkingCopies(tmp_path)
    shown = copies.show(module_at(tree, "a"))
    entries = [shown, *shown.rglob("*")]
    assert len(entries) == 4
    assert {entry.lstat().st_mtime for entry in entries} == {SECONDS}
    assert re.fullmatch(r"[0-9a-f]{16}", shown.relative_to(tmp_path).parts[1])
