"""Bundles of single revisions: what a dataset ships for grading (TEB-E01, D04)."""

import subprocess
from pathlib import Path

import pytest

from testevo.history.bundle import open_bundle
from testevo.history.git import GitRepository
from testevo.history.revision_bundle import bundle_of_revisions
from testevo.runtime.errors import UserError

LINE = {"a": ([], 0, "1"), "b": (["a"], 1, "2"), "c": (["b"], 2, "3"), "m": (["c", "a"], 3, "4")}


def unpacked(content: bytes, folder: Path) -> GitRepository:
    folder.mkdir(exist_ok=True)
    (folder / "o+n.bundle").write_bytes(content)
    return open_bundle(folder / "o+n.bundle", folder / "work")


def test_the_files_of_each_revision_are_there_and_nothing_of_the_others(history, tmp_path):
    """Revisions keep their ids and trees; commits in between and before them are not shipped."""
    source, revisions = history(LINE)
    wanted = [revisions["b"], revisions["m"]]
    opened = unpacked(bundle_of_revisions(source, wanted), tmp_path)
    for revision in wanted:
        assert opened.resolve(revision) == revision
        assert opened.tree_id(revision) == source.tree_id(revision)
        assert opened.paths(revision) == source.paths(revision)
        opened.export(revision, tmp_path / revision)
    assert opened.read(revisions["m"], "src/A.java") == b"4"
    assert opened.resolve(revisions["a"]) is None and opened.resolve(revisions["c"]) is None
    assert opened.changed_paths(*wanted) == source.changed_paths(*wanted)


def test_a_revision_without_parents_is_an_ordinary_bundle(history, tmp_path):
    source, revisions = history(LINE)
    opened = unpacked(bundle_of_revisions(source, [revisions["a"]]), tmp_path)
    assert opened.read(revisions["a"], "src/A.java") == b"1" and not opened.is_shallow()


def test_the_bytes_do_not_depend_on_how_the_repository_was_packed(history, tmp_path):
    """Other packs, further references and the order of the revisions change nothing."""
    source, revisions = history(LINE, tags={"v1": "b"})
    wanted = [revisions["a"], revisions["b"], revisions["m"]]
    first = bundle_of_revisions(source, wanted)
    clone = tmp_path / "clone.git"
    subprocess.run(["git", "clone", "--quiet", "--bare", str(source.folder), str(clone)], check=True)
    subprocess.run(["git", "-C", str(clone), "tag", "v2", revisions["m"]], check=True)
    subprocess.run(["git", "-C", str(clone), "repack", "-adfq", "--depth=5"], check=True)
    assert bundle_of_revisions(GitRepository(clone), wanted[::-1]) == first


def test_git_itself_reads_it_into_the_whole_history(history, tmp_path):
    """It is an ordinary bundle for whoever has the parents."""
    source, revisions = history(LINE)
    file = tmp_path / "o+n.bundle"
    file.write_bytes(bundle_of_revisions(source, [revisions["c"]]))
    finished = subprocess.run(["git", "-C", str(source.folder), "bundle", "verify", str(file)], check=False)
    assert finished.returncode == 0


def test_a_damaged_bundle_is_a_message(history, tmp_path):
    source, revisions = history(LINE)
    content = bundle_of_revisions(source, [revisions["c"]])
    for damaged in (content[:-30], content[:60], content.replace(b"\n\n", b"\n", 1)):
        with pytest.raises(UserError, match=r"cannot be unpacked"):
            unpacked(damaged, tmp_path)


def test_no_revision_makes_an_empty_file(history):
    source, _ = history(LINE)
    assert bundle_of_revisions(source, []) == b""
