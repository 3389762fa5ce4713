"""Reading trees and blobs: bytes stay bytes, nothing of the repository's or the machine's settings has a say."""

import os
import subprocess

import pytest

from testevo.history.git import GitRepository, PathChange
from testevo.runtime.errors import UserError
from testevo.sources.embedded.made_history import MadeCommit, MadeFile, make_history
from testevo.sources.git_clone import GitError


@pytest.fixture
def made(tmp_path):
    """`made({path: bytes or MadeFile}, ...)` → repository and revisions of a line of whole trees."""

    def make(*trees, tags=None):
        commits = [
            MadeCommit(
                f"c{i}",
                f"c{i}",
                1000 + i,
                1000 + i,
                (f"c{i - 1}",) if i else (),
                {path: file if isinstance(file, MadeFile) else MadeFile(file) for path, file in tree.items()},
            )
            for i, tree in enumerate(trees)
        ]
        history = make_history(tmp_path / "made.git", commits, tags or {})
        return GitRepository(history.folder), list(history.revisions.values())

    return make


def test_a_file_that_becomes_executable_is_told_apart(made):
    git, (before, after) = made({"run.sh": b"x"}, {"run.sh": MadeFile(b"x", "100755")})
    assert git.paths(before) == git.paths(after)
    blob = git.paths(before)["run.sh"]
    assert git.modes_and_blobs(before) == {"run.sh": f"100644 {blob}"}
    assert git.modes_and_blobs(after) == {"run.sh": f"100755 {blob}"}


def test_files_are_read_as_the_bytes_of_their_blobs(made):
    contents = {"a.txt": b"one\r\ntwo\n", "empty": b"", "binary": bytes(range(256)), "späth/ä b.java": b"\xff\n\n"}
    git, (revision,) = made(contents)
    assert git.read_many(revision, [*contents, "absent"]) == contents
    assert git.read(revision, "absent") is None
    assert git.read(revision, "empty") == b""
    assert git.read(revision, "späth") is None
    assert git.read_many(revision, []) == {}
    blobs = git.paths(revision)
    assert git.read_blobs(list(blobs.values())) == {blobs[path]: content for path, content in contents.items()}


def test_java_blobs_are_regular_files_that_end_with_java(made):
    git, (revision,) = made(
        {"b/B.java": b"b", "a/A.java": b"a", "link.java": MadeFile(b"a/A.java", "120000"), "A.JAVA": b"", "x.kt": b""}
    )
    assert list(git.java_blobs(revision)) == ["a/A.java", "b/B.java"]
    assert "link.java" in git.paths(revision)


def test_changed_paths_name_additions_removals_and_modifications_and_no_renames(made):
    git, (old, new) = made(
        {"A.java": b"same", "B.java": b"1", "C": b"c"}, {"Z.java": b"same", "B.java": b"2", "C": b"c"}
    )
    assert git.changed_paths(old, new) == [
        PathChange("removed", "A.java"),
        PathChange("modified", "B.java"),
        PathChange("added", "Z.java"),
    ]


def test_an_export_has_the_bytes_of_the_blobs_whatever_attributes_say(made, tmp_path):
    """No line-end conversion, no export-subst, no export-ignore, no identifiers."""
    attributes = b"* text eol=crlf ident\nV.java export-subst\nsecret.txt export-ignore\n"
    tree = {".gitattributes": attributes, "V.java": b"$Format:%H$ $Id$\n", "secret.txt": b"x\n", "w.bat": b"a\r\nb\n"}
    git, (revision,) = made(tree)
    git.export(revision, tmp_path / "out")
    assert {p.relative_to(tmp_path / "out").as_posix(): p.read_bytes() for p in (tmp_path / "out").rglob("*")} == tree


def test_an_export_keeps_modes_and_links_inside_and_turns_links_that_leave_into_files(made, tmp_path):
    """Mined trees are not trusted."""
    git, (revision,) = made(
        {
            "mvnw": MadeFile(b"#!/bin/sh\n", "100755"),
            "dir/file": b"f",
            "inside": MadeFile(b"dir/file", "120000"),
            "absolute": MadeFile(b"/etc/passwd", "120000"),
            "upwards": MadeFile(b"../../outside", "120000"),
            "dir/up": MadeFile(b"..", "120000"),
            "winding": MadeFile(b"dir/up/../outside", "120000"),
        }
    )
    out = tmp_path / "deep" / "out"
    git.export(revision, out)
    assert os.access(out / "mvnw", os.X_OK) and not os.access(out / "dir/file", os.X_OK)
    assert (out / "inside").is_symlink() and (out / "inside").read_bytes() == b"f"
    assert (out / "dir/up").is_symlink()
    for name, target in (
        ("absolute", b"/etc/passwd"),
        ("upwards", b"../../outside"),
        ("winding", b"dir/up/../outside"),
    ):
        assert not (out / name).is_symlink()
        assert (out / name).read_bytes() == target


def test_a_link_that_no_system_can_make_is_exported_as_a_file(made, tmp_path):
    git, (revision,) = made({"a": b"a", "link": MadeFile(b"x" * 4096, "120000")})
    git.export(revision, tmp_path / "out")
    assert (tmp_path / "out/link").read_bytes() == b"x" * 4096


@pytest.fixture
def forged(tmp_path):
    """`forged((mode, name, content), ...)` → repository and revision of a tree that git itself would never write.

    Content is bytes of a blob, or entries of a tree.
    """
    folder = tmp_path / "forged.git"
    person = {f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}

    def git(*words, stdin=b""):
        done = subprocess.run(
            ["git", "-C", folder, *words], input=stdin, capture_output=True, check=True, env={**os.environ, **person}
        )
        return done.stdout.decode().strip()

    def tree(entries):
        stored = [
            (mode, name, tree(content) if mode == "40000" else git("hash-object", "-w", "--stdin", stdin=content))
            for mode, name, content in entries
        ]
        lines = b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(blob) for mode, name, blob in stored)
        return git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=lines)

    def make(*entries):
        subprocess.run(["git", "init", "--quiet", "--bare", folder], check=True)
        return GitRepository(folder), git("commit-tree", tree(entries), "-m", "x")

    return make


def test_paths_that_lead_out_of_a_tree_are_not_there(forged, tmp_path):
    """Neither git nor a bundle refuses such trees, and any of these paths would write a file of this machine."""
    aside = tmp_path / "aside"
    git, revision = forged(
        ("100644", f"{aside}/absolute.java", b"x"),
        ("100644", "a/../../../aside/winding.java", b"x"),
        ("40000", "..", [("100644", "upwards.java", b"x")]),
        ("40000", ".git", [("100644", "hook.java", b"x")]),
        ("100644", "honest.java", b"x"),
    )
    assert list(git.paths(revision)) == list(git.java_blobs(revision)) == ["honest.java"]
    assert git.read(revision, "../upwards.java") is None
    empty = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    subprocess.run(["git", "-C", git.folder, "hash-object", "-t", "tree", "-w", "/dev/null"], check=True)
    assert [change.path for change in git.changed_paths(empty, revision)] == ["honest.java"]
    git.export(revision, tmp_path / "deep/out")
    assert [file.name for file in (tmp_path / "deep").rglob("*.java")] == ["honest.java"]
    assert not aside.exists()


def test_no_link_is_written_through_another_link(forged, tmp_path):
    aside = tmp_path / "aside"
    aside.mkdir()
    git, revision = forged(
        ("120000", "way", str(aside).encode()),
        ("40000", "way", [("120000", "planted", b"anything")]),
        ("100644", "file", b"x"),
        ("120000", "file", b"anything"),
        ("40000", "file", [("100644", "below", b"x"), ("120000", "link", b"anything")]),
    )
    git.export(revision, tmp_path / "out")
    assert not list(aside.iterdir())
    assert (tmp_path / "out/file").read_bytes() == b"x"


def test_an_export_into_a_used_folder_is_refused(made, tmp_path):
    git, (revision,) = made({"a": b"a"})
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "stale").write_text("x")
    with pytest.raises(UserError, match="not empty"):
        git.export(revision, tmp_path / "used")


def test_names_resolve_as_tags_then_branches_then_commit_ids(made):
    git, (first, second) = made({"a": b"1"}, {"a": b"2"}, tags={"main": "c0", "v1": "c0"})
    assert git.resolve("main") == first
    assert git.resolve("v1") == first
    assert git.resolve(second[:8]) == second
    assert git.resolve("HEAD") is None
    assert git.resolve("--all") is None
    assert git.resolve("main~0") is git.resolve("v1^") is git.resolve("main@{0}") is None
    assert git.default_branch() == "main"


def test_tags_are_listed_newest_first_by_tagger_or_committer_date(made):
    git, _ = made({"a": b"1"}, {"a": b"2"}, tags={"plain-old": "c0", "plain-new": "c1"})
    environment = os.environ | {
        "GIT_COMMITTER_DATE": "@1005 +0000",
        "GIT_COMMITTER_NAME": "n",
        "GIT_COMMITTER_EMAIL": "e",
    }
    subprocess.run(
        ["git", "--git-dir", git.folder, "tag", "-a", "-m", "m", "annotated", "plain-old"], check=True, env=environment
    )
    assert [(tag.name, tag.time) for tag in git.tags()] == [
        ("annotated", 1005),
        ("plain-new", 1001),
        ("plain-old", 1000),
    ]


def test_ancestry_and_trees_are_those_of_the_graph(made):
    git, (first, second, third) = made({"a": b"1"}, {"a": b"2"}, {"a": b"1"})
    assert git.is_ancestor(first, second) and not git.is_ancestor(second, first) and git.is_ancestor(first, first)
    assert git.tree_id(first) == git.tree_id(third) != git.tree_id(second)


def test_hostile_settings_of_machine_and_user_have_no_say(made, tmp_path, monkeypatch):
    """No hooks, no user configuration, no GIT_ variables of an outer git process."""
    git, (revision,) = made({"A.java": b"1"})
    hostile = tmp_path / "hostile.gitconfig"
    hostile.write_text(
        "[core]\n\tquotePath = true\n[log]\n\tdate = raw\n\tshowSignature = true\n[alias]\n\tlog = !false\n"
    )
    for name, value in {
        "GIT_CONFIG_GLOBAL": str(hostile),
        "GIT_DIR": "/nowhere",
        "GIT_WORK_TREE": "/nowhere",
        "GIT_TRACE": "1",
        "GIT_INDEX_FILE": "/nowhere",
        "HOME": str(tmp_path),
        "LC_ALL": "xx_XX",
        "GIT_NAMESPACE": "other",
    }.items():
        monkeypatch.setenv(name, value)
    assert git.resolve("main") == revision
    assert [commit.revision for commit in git.log(revision, first_parent=True)] == [revision]
    assert git.read(revision, "A.java") == b"1"


def test_what_git_cannot_read_is_named_with_its_reason(tmp_path):
    with pytest.raises(GitError, match="ls-tree failed"):
        GitRepository(tmp_path).paths("0" * 40)
