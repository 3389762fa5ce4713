"""Which lines mutants may change: what `git diff` adds, within the dependency methods (TEB-V13)."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_revisions import dependency, task_of

from testevo.grading.mutation.mutation_lines import MutationLines
from testevo.history.git import GitRepository
from testevo.records.methods import ChangeKind
from testevo.records.tasks import Task

PATH = "src/main/java/a/A.java"
TEST = "src/test/java/a/ATest.java"
OLD_FILE = """package a;
class A {
    int one() {
        return 1;
    }

    int two(int x) {
        int y = x;
        return y;
    }

    int gone() {
        return 0;
    }
}
"""
NEW_FILE = """package a;
class A {
    int one() {
        return 1;
    }
    int field = 7;

    int two(int x) {
        int y = x + 1;
        int z = y;
        return y;
    }

    int three() {
        return 3;
    }
}
"""
TEST_FILE = "package a;\nclass ATest {\n    @Test void t() { }\n}\n"


@dataclass
class OnlyHistory:
    """Stands in for a workspace of which nothing but the history is read."""

    git: GitRepository


class History:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._git("init", "--quiet")

    def commit(self, files: dict[str, str | bytes]) -> str:
        for file in self.folder.rglob("*.java"):
            file.unlink()
        for path, text in files.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text if isinstance(text, bytes) else text.encode())
        self._git("add", "--all")
        self._git("-c", "user.name=n", "-c", "user.email=e", "commit", "--quiet", "--allow-empty", "-m", "m")
        return self._git("rev-parse", "HEAD").strip()

    def _git(self, *words: str) -> str:
        return subprocess.run(["git", *words], cwd=self.folder, check=True, capture_output=True, text=True).stdout

    @property
    def workspace(self) -> OnlyHistory:
        return OnlyHistory(GitRepository(self.folder / ".git"))


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path)


def task_between(old: str, new: str, path: str = PATH, content: str = NEW_FILE) -> Task:
    files = {path: content, TEST: TEST_FILE}
    kinds = {"two": ChangeKind.MODIFIED, "three": ChangeKind.INSERTED, "one": ChangeKind.MODIFIED}
    found = [dependency(files, path, name, kind) for name, kind in kinds.items()]
    removed = dependency({PATH: OLD_FILE}, PATH, "gone", ChangeKind.REMOVED)
    task = task_of(files, TEST, ["t"], [*found, removed])
    return task.model_copy(update={"old_revision": old, "new_revision": new})


def lines_of(history: History, task: Task, kind: str = "changed") -> dict[str, frozenset[int]]:
    found = MutationLines(task, history.workspace, kind)  # type: ignore[arg-type]
    return found.of(task.tests[0].dependencies)


def test_added_lines_within_methods_that_are_still_there(history: History) -> None:
    """A changed line outside all dependency methods is none, nor is the place of a removed method."""
    old = history.commit({PATH: OLD_FILE, TEST: TEST_FILE})
    new = history.commit({PATH: NEW_FILE, TEST: TEST_FILE})
    found = lines_of(history, task_between(old, new))
    assert found == {PATH: frozenset({9, 10, 14, 15})}


def test_all_lines_of_the_methods_when_asked_for(history: History) -> None:
    old = history.commit({PATH: OLD_FILE, TEST: TEST_FILE})
    new = history.commit({PATH: NEW_FILE, TEST: TEST_FILE})
    found = lines_of(history, task_between(old, new), "focal")
    assert found == {PATH: frozenset({3, 4, 5, *range(8, 13), 14, 15, 16})}


def test_a_new_file_has_added_lines_only(history: History) -> None:
    old = history.commit({TEST: TEST_FILE})
    new = history.commit({PATH: NEW_FILE, TEST: TEST_FILE})
    assert lines_of(history, task_between(old, new)) == lines_of(history, task_between(old, new), "focal")


def test_a_file_that_moved_is_compared_with_what_it_was(history: History) -> None:
    """As `git diff` does, so that a move alone makes no mutants."""
    moved = PATH.replace("/a/A", "/a/inner/A")
    old = history.commit({PATH: OLD_FILE, TEST: TEST_FILE})
    new = history.commit({moved: NEW_FILE, TEST: TEST_FILE})
    found = lines_of(history, task_between(old, new, moved))
    assert found == {moved: frozenset({9, 10, 14, 15})}


def test_an_unchanged_file_has_no_lines(history: History) -> None:
    old = history.commit({PATH: NEW_FILE, TEST: TEST_FILE})
    new = history.commit({PATH: NEW_FILE, TEST: TEST_FILE + "// more\n"})
    assert lines_of(history, task_between(old, new)) == {}


LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=9)


@given(LINES, LINES, st.sampled_from(["\n", "\r\n"]))
def test_added_lines_are_those_that_a_plain_diff_shows(
    tmp_path_factory: pytest.TempPathFactory, old: list[str], new: list[str], end: str
) -> None:
    folder = tmp_path_factory.mktemp("blobs")
    git = GitRepository(folder / ".git")
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    blobs = []
    for number, lines in enumerate((old, new)):
        (folder / str(number)).write_bytes("".join(line + end for line in lines).encode())
        blobs.append(
            subprocess.run(
                ["git", "hash-object", "-w", str(number)], cwd=folder, check=True, text=True, capture_output=True
            ).stdout.strip()
        )
    added = git.added_lines(blobs[0], blobs[1])
    kept = [line for number, line in enumerate(new, start=1) if number not in added]
    rest = iter(old)
    assert all(line in rest for line in kept), "what is not added is part of the old file, in order"
    assert bool(added) or len(new) <= len(old)
