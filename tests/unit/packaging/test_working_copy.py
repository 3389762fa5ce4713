"""A working copy is the start state and nothing else: no history and no answer."""

import os
import subprocess
from pathlib import Path

import pytest
from task_factories import label, repository_facts

from testevo.history.git import GitRepository
from testevo.packaging.dataset.grouping import group_tasks
from testevo.packaging.start_states import working_copy
from testevo.packaging.start_states.start_state import TargetFile
from testevo.packaging.start_states.working_copy import check_out
from testevo.records.tasks import Task
from testevo.runtime.errors import MachineError, UserError
from testevo.sources.embedded.made_history import MadeCommit, MadeFile, MadeHistory, make_history

PATH = "src/test/java/p/ATest.java"
START, ANSWER, LATER = (b"class ATest { /* %s */ }\n" % word for word in (b"START", b"ANSWER", b"LATER"))
FILES = {
    "pom.xml": MadeFile(b"<project/>\n"),
    "mvnw": MadeFile(b"#!/bin/sh\n", "100755"),
    "link": MadeFile(b"pom.xml", "120000"),
    ".gitattributes": MadeFile(b"* text=auto eol=lf\nexported.txt export-ignore\n*.txt ident\n"),
    ".gitignore": MadeFile(b"*.log\n"),
    "tracked.log": MadeFile(b"ignored and tracked\n"),
    "exported.txt": MadeFile(b"$Id$\r\nCRLF\r\n"),
    "latin1.txt": MadeFile(b"\xe9\n"),
    "space \xe4.txt": MadeFile(b"x\n"),
}


def repository(folder: Path) -> tuple[GitRepository, Task]:
    """Three commits (old, new and one after it), and a task between the first two."""

    def commit(name: str, test: bytes, code: bytes, *parents: str) -> MadeCommit:
        tree = FILES | {PATH: MadeFile(test), "src/main/java/p/A.java": MadeFile(code)}
        return MadeCommit(name, name, 1_600_000_000, 1_600_003_600, parents, tree)

    made: MadeHistory = make_history(
        folder / "origin.git",
        [commit("old", START, b"OLD"), commit("new", ANSWER, b"NEW", "old"), commit("later", LATER, b"LATER", "new")],
        {"v1": "later"},
    )
    of = label("adds")
    [task] = group_tasks([of], repository_facts(of))
    revisions = {"old_revision": made.revisions["old"], "new_revision": made.revisions["new"]}
    return GitRepository(made.folder), task.model_copy(update=revisions)


def git(folder: Path, *arguments: str) -> str:
    environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "-C", str(folder), "-c", "safe.directory=*", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, check=True).stdout.decode("utf-8", "replace")


def objects(folder: Path) -> set[str]:
    return set(git(folder, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split())


def checked_out(tmp_path: Path, start: bytes | None = START) -> tuple[Path, GitRepository, Task]:
    origin, task = repository(tmp_path)
    copy = tmp_path / "copy"
    check_out(task, origin, TargetFile(PATH, start, ANSWER), copy)
    return copy, origin, task


def test_the_files_are_those_of_the_new_revision_with_the_target_as_a_candidate_finds_it(tmp_path: Path) -> None:
    copy, origin, task = checked_out(tmp_path)
    expected = {path: origin.read(task.new_revision, path) for path in origin.paths(task.new_revision)} | {PATH: START}
    found = {
        path.relative_to(copy).as_posix(): os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
        for path in copy.rglob("*")
        if (path.is_file() or path.is_symlink()) and ".git" not in path.relative_to(copy).parts
    }
    assert found == expected
    assert (copy / "mvnw").stat().st_mode & 0o111 and not (copy / "pom.xml").stat().st_mode & 0o111


def test_it_is_one_commit_and_clean(tmp_path: Path) -> None:
    """Also where attributes would convert files, or ignore rules leave them out."""
    copy, _, _ = checked_out(tmp_path)
    assert git(copy, "status", "--porcelain") == ""
    assert git(copy, "rev-list", "--all", "--count").strip() == "1"
    assert git(copy, "log", "-1", "--format=%an %ae %at %ct %s%n%b").split("\n")[0] == (
        "testevo history@testevo.invalid 1600003600 1600003600 Start state"
    )
    (copy / PATH).write_bytes(ANSWER)
    assert "-class ATest { /* START */ }\n+class ATest { /* ANSWER */ }" in git(copy, "diff")


def test_the_object_store_holds_nothing_of_other_revisions(tmp_path: Path) -> None:
    """Every object belongs to the one commit; the answer and what came later are nowhere, not even unreachable."""
    copy, origin, task = checked_out(tmp_path)
    stored = objects(copy)
    reachable = {line.split()[0] for line in git(copy, "rev-list", "--objects", "--all").splitlines()}
    assert stored == reachable
    shared = stored & objects(origin.folder)
    allowed = {*origin.paths(task.new_revision).values(), origin.paths(task.old_revision)[PATH]}
    assert {name for name in shared if git(copy, "cat-file", "-t", name).strip() == "blob"} <= allowed
    assert origin.paths(task.new_revision)[PATH] not in stored
    assert not {task.old_revision, task.new_revision, origin.resolve("v1")} & stored
    contents = "".join(git(copy, "cat-file", "-p", name) for name in sorted(stored))
    assert "START" in contents and not any(word in contents for word in ("ANSWER", "LATER", "OLD"))


def test_no_reference_remote_reflog_or_borrowed_object_is_left(tmp_path: Path) -> None:
    copy, origin, _ = checked_out(tmp_path)
    assert git(copy, "for-each-ref", "--format=%(refname)").split() == ["refs/heads/main"]
    assert git(copy, "remote") == "" and git(copy, "reflog") == ""
    left = {path.relative_to(copy / ".git").as_posix() for path in (copy / ".git").rglob("*") if path.is_file()}
    assert {name for name in left if not name.startswith("objects/")} <= {"HEAD", "config", "index", "refs/heads/main"}
    assert not {"objects/info/alternates", "objects/info/packs"} & left
    config = (copy / ".git" / "config").read_text()
    assert str(tmp_path) not in config and "remote" not in config and str(origin.folder) not in config


def test_equal_tasks_give_equal_commits(tmp_path: Path) -> None:
    origin, task = repository(tmp_path)
    target = TargetFile(PATH, START, ANSWER)
    assert check_out(task, origin, target, tmp_path / "a") == check_out(task, origin, target, tmp_path / "b")


def test_a_file_that_is_to_be_created_is_not_there(tmp_path: Path) -> None:
    copy, origin, task = checked_out(tmp_path, start=None)
    assert not (copy / "src" / "test").exists() and (copy / "src" / "main").is_dir()
    assert origin.paths(task.new_revision)[PATH] not in objects(copy)
    assert git(copy, "status", "--porcelain") == ""


def test_a_relative_folder_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    origin, task = repository(tmp_path)
    monkeypatch.chdir(tmp_path)
    check_out(task, origin, TargetFile(PATH, START, ANSWER), Path("here"))
    assert git(tmp_path / "here", "status", "--porcelain") == ""


def test_an_empty_folder_is_used_and_anything_else_refused(tmp_path: Path) -> None:
    origin, task = repository(tmp_path)
    target = TargetFile(PATH, START, ANSWER)
    (tmp_path / "empty").mkdir()
    check_out(task, origin, target, tmp_path / "empty")
    with pytest.raises(UserError, match="is not empty"):
        check_out(task, origin, target, tmp_path / "empty")
    (tmp_path / "file").write_text("precious")
    with pytest.raises(UserError, match="is not a folder"):
        check_out(task, origin, target, tmp_path / "file")
    assert (tmp_path / "file").read_text() == "precious"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    origin, task = repository(tmp_path)
    (tmp_path / "file").write_text("precious")
    for folder in (tmp_path / "file" / "below", Path("/proc/copy")):
        with pytest.raises(MachineError, match=rf"{folder} cannot be made: .+\. Give a folder that can be written\."):
            check_out(task, origin, TargetFile(PATH, START, ANSWER), folder)


def test_nothing_is_left_of_a_working_copy_that_could_not_be_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of it would look like the whole."""
    origin, task = repository(tmp_path)
    copy = tmp_path / "copy"
    copy.mkdir()
    gone = task.model_copy(update={"new_revision": "0" * 40})
    with pytest.raises(UserError, match="git ls-tree failed"):
        check_out(gone, origin, TargetFile(PATH, START, ANSWER), copy)

    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(working_copy, "make_history", interrupted)
    with pytest.raises(KeyboardInterrupt):
        check_out(task, origin, TargetFile(PATH, START, ANSWER), copy)
    assert list(copy.iterdir()) == []


def test_a_target_that_is_a_link_is_not_written_through(tmp_path: Path) -> None:
    tree = FILES | {PATH: MadeFile(b"../../../../pom.xml", "120000")}
    made = make_history(tmp_path / "origin.git", [MadeCommit("new", "new", 1, 1, (), tree)], {})
    _, task = repository(tmp_path / "other")
    task = task.model_copy(update={"new_revision": made.revisions["new"]})
    copy = tmp_path / "copy"
    check_out(task, GitRepository(made.folder), TargetFile(PATH, START, ANSWER), copy)
    assert (copy / PATH).read_bytes() == START and not (copy / PATH).is_symlink()
    assert (copy / "pom.xml").read_bytes() == b"<project/>\n"
