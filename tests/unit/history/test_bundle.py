"""Bundles: every end of the stage `clone` is a record (TEB-M02, M06), and a bundle is all that is handed on."""

import os
import subprocess
from pathlib import Path

import pytest

from testevo.config.rules import WalkRules
from testevo.history.bundle import clone_history, open_bundle
from testevo.history.walk import Start
from testevo.records.repository import Repository, RepositoryRejection, SourceKind
from testevo.runtime.errors import UserError

LINE = {"a": ([], 0, "1"), "b": (["a"], 1, "2"), "c": (["b"], 2, "3")}


def candidate(start: str | None = None) -> Repository:
    return Repository(name="o/n", source=SourceKind.LIST, address="the address", start=start)


def clone(origin: Path, tmp_path: Path, start: str | None = None, **rules: str) -> Repository:
    return clone_history(candidate(start), origin, tmp_path / "out" / "o+n.bundle", WalkRules.model_validate(rules))


def git(*arguments: object) -> None:
    identity = {"GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "e", "GIT_COMMITTER_NAME": "n", "GIT_COMMITTER_EMAIL": "e"}
    subprocess.run(["git", *map(str, arguments)], check=True, capture_output=True, env=os.environ | identity)


def test_a_clone_names_its_start_and_its_bundle_holds_the_history(history, tmp_path):
    source, revisions = history(LINE, tags={"v1": "b"})
    cloned = clone(source.folder, tmp_path)
    assert (cloned.rejection, cloned.start, cloned.version) == (None, "v1", "v1")
    opened = open_bundle(tmp_path / "out" / "o+n.bundle", tmp_path / "work")
    assert opened.resolve("v1") == revisions["b"]
    assert opened.read(revisions["a"], "src/A.java") == b"1"
    assert opened.resolve(revisions["c"]) is None  # beyond the start


@pytest.mark.parametrize("start", ["main", "v1", None])
def test_a_bundle_chooses_the_same_start_again(history, tmp_path, start):
    """An artifact that ships only bundles can be mined as the clones were."""
    source, _ = history(LINE, tags={"v1": "b"})
    first = clone(source.folder, tmp_path, start)
    again = clone_history(candidate(), tmp_path / "out" / "o+n.bundle", tmp_path / "again.bundle", WalkRules())
    assert (again.start, again.version) == (first.start, first.version)


def test_a_walk_can_start_at_a_commit_id(history, tmp_path):
    source, revisions = history(LINE)
    cloned = clone(source.folder, tmp_path, revisions["b"])
    assert cloned.version == revisions["b"]
    assert open_bundle(tmp_path / "out" / "o+n.bundle", tmp_path / "work").resolve(revisions["b"]) == revisions["b"]


def test_the_record_and_the_bundle_are_the_same_every_time_and_nothing_else_is_left(history, tmp_path):
    source, _ = history(LINE)
    cloned = [clone(source.folder, tmp_path / name) for name in ("one", "two")]
    assert cloned[0].line() == cloned[1].line()
    bundles = [tmp_path / name / "out" / "o+n.bundle" for name in ("one", "two")]
    assert bundles[0].read_bytes() == bundles[1].read_bytes()
    assert [path.name for path in bundles[0].parent.iterdir()] == ["o+n.bundle"]


def test_a_work_tree_can_be_cloned_with_its_current_branch(history, tmp_path):
    source, revisions = history(LINE)
    git("clone", "--quiet", source.folder, tmp_path / "tree")
    cloned = clone(tmp_path / "tree", tmp_path, start=None)
    assert cloned.start == "main"
    assert open_bundle(tmp_path / "out" / "o+n.bundle", tmp_path / "work").resolve("main") == revisions["c"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_owner_can_be_cloned(history, tmp_path):
    source, _ = history(LINE)
    for path in [source.folder, *source.folder.rglob("*")]:
        os.chown(path, 65534, 65534)
    assert clone(source.folder, tmp_path, cutoff="2025-01-01").rejection is None


def test_hooks_and_settings_of_the_origin_are_not_run(history, tmp_path):
    source, _ = history(LINE)
    hooks = source.folder / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-checkout", "reference-transaction", "pre-auto-gc"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
        (hooks / name).chmod(0o755)
    git("--git-dir", source.folder, "config", "core.fsmonitor", f"touch {tmp_path}/ran")
    git("--git-dir", source.folder, "config", "uploadpack.packObjectsHook", f"touch {tmp_path}/ran")
    assert clone(source.folder, tmp_path, cutoff="2025-01-01").rejection is None
    assert not (tmp_path / "ran").exists()


def rejected(cloned: Repository, reason: RepositoryRejection, sentence: str, tmp_path: Path) -> None:
    assert cloned.rejection is reason
    assert sentence in (cloned.detail or "")
    assert str(tmp_path) not in (cloned.detail or "")  # records name no folder of the machine
    assert not (tmp_path / "out" / "o+n.bundle").exists()
    assert list((tmp_path / "out").iterdir()) == []


def test_an_empty_repository_is_rejected(tmp_path):
    git("init", "--quiet", tmp_path / "empty")
    rejected(clone(tmp_path / "empty", tmp_path), RepositoryRejection.EMPTY, "the address has no commit", tmp_path)


def test_a_shallow_repository_is_rejected(history, tmp_path):
    source, _ = history(LINE)
    git("clone", "--quiet", "--bare", "--depth=2", f"file://{source.folder}", tmp_path / "shallow")
    rejected(clone(tmp_path / "shallow", tmp_path), RepositoryRejection.SHALLOW, "--unshallow", tmp_path)


def test_a_repository_that_names_objects_by_sha256_is_rejected(tmp_path):
    git("init", "--quiet", "--object-format=sha256", tmp_path / "long")
    git("-C", tmp_path / "long", "commit", "--quiet", "--allow-empty", "--message=first")
    rejected(clone(tmp_path / "long", tmp_path), RepositoryRejection.CLONE_FAILED, "by SHA-256", tmp_path)


def test_a_commit_beyond_the_year_9999_is_one_after_the_cutoff(history, tmp_path):
    year_11476 = 300_000_000_000
    source, revisions = history({"a": ((), 0, "class A {}"), "b": (("a",), year_11476 // 3600, "class A { int i; }")})
    logged = [(one.revision, one.committer_time > year_11476) for one in source.log("main", first_parent=True)]
    assert logged == [(revisions["b"], True), (revisions["a"], False)]
    assert clone(source.folder, tmp_path, cutoff="2025-01-01").rejection is None


def test_a_damaged_repository_is_rejected(history, tmp_path):
    source, _ = history(LINE)
    for path in (source.folder / "objects").rglob("*"):
        if path.is_file():
            path.chmod(0o644)
            path.write_bytes(b"damaged")
    rejected(clone(source.folder, tmp_path), RepositoryRejection.CLONE_FAILED, "the address cannot be read", tmp_path)


def test_a_missing_start_is_rejected(history, tmp_path):
    source, _ = history(LINE)
    rejected(clone(source.folder, tmp_path, "v9"), RepositoryRejection.START_MISSING, "commit v9", tmp_path)


def test_a_default_branch_that_does_not_exist_is_rejected(history, tmp_path):
    source, _ = history(LINE)
    git("--git-dir", source.folder, "symbolic-ref", "HEAD", "refs/heads/gone")
    rejected(clone(source.folder, tmp_path), RepositoryRejection.START_MISSING, "no default branch", tmp_path)


def test_a_history_after_the_cutoff_is_rejected(history, tmp_path):
    """TEB-M11."""
    source, _ = history(LINE)
    cloned = clone(source.folder, tmp_path, cutoff="2020-01-01")
    rejected(cloned, RepositoryRejection.NO_COMMIT_BEFORE_CUTOFF, "older than 2020-01-01", tmp_path)


def test_a_history_without_a_pom_at_its_start_is_rejected(history, tmp_path):
    """TEB-M02: a POM below the top level does not count."""
    source, _ = history(LINE, files={"pom.xml": b"x", "module/pom.xml": b"x"})
    git("clone", "--quiet", source.folder, tmp_path / "tree")
    git("-C", tmp_path / "tree", "rm", "--quiet", "pom.xml")
    git("-C", tmp_path / "tree", "commit", "--quiet", "-m", "no build file")
    cloned = clone(tmp_path / "tree", tmp_path, cutoff="2099-01-01")
    rejected(cloned, RepositoryRejection.NO_BUILD_FILE, "no pom.xml at top level", tmp_path)
    assert cloned.detail is not None and "module/pom.xml" in cloned.detail


def test_a_rejection_names_the_tag_that_was_chosen_as_the_start(history, tmp_path):
    """The default branch may have a POM all the same."""
    source, _ = history(LINE)
    git("clone", "--quiet", source.folder, tmp_path / "tree")
    git("-C", tmp_path / "tree", "rm", "--quiet", "pom.xml")
    git("-C", tmp_path / "tree", "commit", "--quiet", "-m", "no build file")
    git("-C", tmp_path / "tree", "tag", "v5")
    git("-C", tmp_path / "tree", "reset", "--quiet", "--hard", "HEAD~1")
    cloned = clone(tmp_path / "tree", tmp_path, cutoff="2099-01-01")
    rejected(cloned, RepositoryRejection.NO_BUILD_FILE, "where the walk from v5 starts", tmp_path)


def test_an_unpacked_bundle_is_used_again_and_a_new_bundle_is_unpacked_anew(history, tmp_path):
    source, revisions = history(LINE, tags={"v1": "b"})
    bundle = tmp_path / "out" / "o+n.bundle"
    clone(source.folder, tmp_path)
    first = open_bundle(bundle, tmp_path / "work")
    (first.folder / "marker").touch()
    assert (open_bundle(bundle, tmp_path / "work").folder / "marker").exists()
    clone(source.folder, tmp_path, "main")
    second = open_bundle(bundle, tmp_path / "work")
    assert second.folder != first.folder
    assert second.resolve("main") == revisions["c"]
    assert not list((tmp_path / "work").glob(".unpacking-*"))


@pytest.mark.parametrize("content", [None, b"", b"# v2 git bundle\nbroken"])
def test_a_missing_or_damaged_bundle_is_named_with_the_next_step(tmp_path, content):
    bundle = tmp_path / "o+n.bundle"
    if content is not None:
        bundle.write_bytes(content)
    with pytest.raises(UserError, match=r"o\+n\.bundle .*stage `clone`"):
        open_bundle(bundle, tmp_path / "work")
    assert not list((tmp_path / "work").glob("*.git"))


def test_a_pinned_start_is_the_commit_that_its_name_stood_for(history, tmp_path):
    """A branch has grown since; a commit that the history has lost is a record."""
    source, revisions = history(LINE)
    bundle = tmp_path / "out" / "o+n.bundle"
    pin = Start("main", "refs/heads/main", revisions["b"])
    cloned = clone_history(candidate(), source.folder, bundle, WalkRules(), pin)
    assert (cloned.start, open_bundle(bundle, tmp_path / "work").resolve("main")) == ("main", revisions["b"])
    lost = clone_history(candidate(), source.folder, bundle, WalkRules(), Start("main", "refs/heads/main", "e" * 40))
    assert lost.rejection is RepositoryRejection.START_MISSING
    assert "rewritten" in lost.detail
