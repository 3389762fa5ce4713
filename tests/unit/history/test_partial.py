"""Clones that lack objects are mined as far as their files go."""

import shutil
import subprocess
from pathlib import Path

import pytest

from testevo.config.rules import PairRules, WalkRules
from testevo.history.bundle import clone_history, open_bundle
from testevo.history.git import GitRepository
from testevo.history.partial import has_gaps
from testevo.history.revision_bundle import bundle_of_revisions
from testevo.history.walk import walk_commits
from testevo.records.repository import CommitRejection, Repository, RepositoryRejection, SourceKind

LINE = {"a": ([], 0, "1"), "b": (["a"], 1, "2"), "c": (["b"], 2, "3"), "d": (["c"], 3, "4"), "e": (["d"], 4, "5")}
ALL = WalkRules(collapse="newest_of_equal_java")


def candidate() -> Repository:
    return Repository(name="o/n", source=SourceKind.LIST, address="the address")


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", f"--git-dir={folder}", *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def without(repository: GitRepository, *names: str) -> Path:
    """The repository with the files of some objects deleted."""
    folder = repository.folder
    for pack in list((folder / "objects/pack").glob("*.pack")):
        moved = folder / pack.name
        shutil.move(pack, moved)
        with moved.open("rb") as stream:
            subprocess.run(["git", f"--git-dir={folder}", "unpack-objects", "-q"], stdin=stream, check=True)
        moved.unlink()
        pack.with_suffix(".idx").unlink()
    for name in names:
        digits = git(folder, "rev-parse", name)
        (folder / "objects" / digits[:2] / digits[2:]).unlink()
    return folder


def mined(origin: Path, tmp_path: Path) -> tuple[Repository, GitRepository]:
    bundle = tmp_path / "out/o+n.bundle"
    cloned = clone_history(candidate(), origin, bundle, ALL)
    assert cloned.rejection is None, cloned.detail
    return cloned, open_bundle(bundle, tmp_path / "work")


def rejections(opened: GitRepository, revisions: dict[str, str], rules: WalkRules = ALL) -> dict[str, str]:
    names = {revision: name for name, revision in revisions.items()}
    commits = walk_commits(opened, "o/n", "v1", rules, PairRules(gap_hours=None))
    assert [names[commit.revision] for commit in commits] == ["e", "d", "c", "b", "a"]
    return {names[one.revision]: one.rejection.value for one in commits if one.rejection is not None}


@pytest.mark.parametrize("lost", ["notes.txt", "src/A.java"])
def test_a_commit_that_lacks_a_file_is_left_out_and_the_others_stay(history, tmp_path, lost):
    source, revisions = history(LINE, tags={"v1": "e"})
    origin = without(source, f"{revisions['c']}:{lost}")
    cloned, opened = mined(origin, tmp_path)
    assert cloned.start == "v1"
    assert rejections(opened, revisions) == {"c": CommitRejection.INCOMPLETE.value}
    assert opened.read(revisions["b"], "src/A.java") == b"2"
    opened.export(revisions["d"], tmp_path / "checkout")
    assert (tmp_path / "checkout/src/A.java").read_bytes() == b"4"


def test_a_missing_folder_counts_like_a_missing_file(history, tmp_path):
    source, revisions = history(LINE, tags={"v1": "e"})
    _, opened = mined(without(source, f"{revisions['b']}:src"), tmp_path)
    assert rejections(opened, revisions) == {"b": CommitRejection.INCOMPLETE.value}


def test_a_commit_with_all_its_files_stands_for_neighbours_with_the_same_java(history, tmp_path):
    same = LINE | {"c": (["b"], 2, "2"), "d": (["c"], 3, "2")}
    source, revisions = history(same, tags={"v1": "e"})
    _, opened = mined(without(source, f"{revisions['d']}:notes.txt"), tmp_path)
    assert rejections(opened, revisions) == {
        "d": CommitRejection.INCOMPLETE.value,
        "b": CommitRejection.EQUAL_JAVA.value,
    }


def test_both_ends_of_a_pair_without_gaps_can_be_packed(history, tmp_path):
    source, revisions = history(LINE, tags={"v1": "e"})
    _, opened = mined(without(source, f"{revisions['b']}:notes.txt"), tmp_path)
    assert bundle_of_revisions(opened, [revisions["c"], revisions["d"]])


def test_a_partial_bundle_can_be_mined_again(history, tmp_path):
    source, revisions = history(LINE, tags={"v1": "e"})
    mined(without(source, f"{revisions['c']}:notes.txt"), tmp_path)
    cloned, opened = mined(tmp_path / "out/o+n.bundle", tmp_path / "again")
    assert (cloned.start, has_gaps(opened)) == ("v1", True)
    assert rejections(opened, revisions) == {"c": CommitRejection.INCOMPLETE.value}


def test_a_whole_history_has_an_ordinary_bundle(history, tmp_path):
    source, revisions = history(LINE, tags={"v1": "e"})
    _, opened = mined(source.folder, tmp_path)
    assert not has_gaps(opened)
    assert rejections(opened, revisions) == {}
    assert (tmp_path / "out/o+n.bundle").read_bytes().startswith(b"# v2 git bundle\n")


def test_a_missing_commit_is_a_clone_that_cannot_be_read(history, tmp_path):
    source, revisions = history(LINE, tags={"v1": "e"})
    origin = without(source, revisions["c"])
    cloned = clone_history(candidate(), origin, tmp_path / "out/o+n.bundle", ALL)
    assert cloned.rejection is RepositoryRejection.CLONE_FAILED
    assert "the address" in (cloned.detail or "")
