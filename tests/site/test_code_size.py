"""The size of repositories (TEB-R07)."""

from pathlib import Path

from testevo.analysis.reporting.dataset_tables import CodeSize, codebase_table, size_table
from testevo.history.git import GitRepository
from testevo.records.methods import ChangeKind, Span
from testevo.records.tasks import Track
from testevo.site.code_size import code_size, code_tokens_of, newest_revisions
from testevo.sources.embedded.made_history import MadeCommit, MadeFile, make_history
from tests.unit.analysis.grading_factories import evidence, task
from tests.unit.packaging.task_factories import CODE_PATH, dependency


def test_all_lines_of_java_files_count_and_no_others(tmp_path: Path) -> None:
    """Also blank ones, a last one without its end, and those of equal files."""
    files = {
        "A.java": "a\n\nb",
        "b/A.java": "a\n\nb",
        "b/B.java": "",
        "C.java": "x\r\ny\r\n",
        "D.kt": "x\n",
        "pom.xml": "x",
    }
    content = {path: MadeFile(text.encode()) for path, text in files.items()}
    made = make_history(tmp_path / "made.git", [MadeCommit("one", "one", 9, 9, (), content)], {})
    assert code_size(GitRepository(made.folder), made.revisions["one"]) == CodeSize(files=4, lines=8)


def test_a_repository_is_measured_at_its_newest_task() -> None:
    tasks = [task("a", evidence(), repository="o/r"), task("b", evidence(), repository="o/r")]
    older, newer = (
        one.model_copy(update={"new_revision": revision, "new_time": when})
        for one, revision, when in zip(tasks, ("f" * 40, "0" * 40), (5, 9), strict=True)
    )
    assert newest_revisions([newer, older]) == {"o/r": ("o+r", "0" * 40)}


def test_the_table_has_the_means_over_repositories() -> None:
    tasks = [task("a", evidence(), repository="o/a"), task("b", evidence(), repository="o/b")]
    table = codebase_table(
        tasks, {"o/a": CodeSize(10, 100), "o/b": CodeSize(20, 400), "o/without-task": CodeSize(9, 9)}
    )
    assert dict(table.rows)["Java files (mean)"] == 15 and dict(table.rows)["Java lines (mean)"] == 250
    assert "Java lines (mean)" not in dict(codebase_table(tasks).rows)


def test_tokens_of_dependency_methods_are_counted_where_they_stand(tmp_path: Path) -> None:
    """Changed methods at the new revision, removed ones at the old one; comments are no tokens."""
    texts = {
        "old": "class A {\n  void gone() {}\n  int kept() { return 1; }\n}\n",
        "new": "class A {\n  /* why */\n  int kept() {\n    return 1 + 1; // two\n  }\n}\n",
    }
    commits = [MadeCommit(name, name, 9, 9, (), {CODE_PATH: MadeFile(text.encode())}) for name, text in texts.items()]
    made = make_history(tmp_path / "made.git", commits, {})
    ends = {"old_revision": made.revisions["old"], "new_revision": made.revisions["new"]}
    gone, kept = dependency("gone", kind=ChangeKind.REMOVED, line=2), dependency("kept", line=3)
    gone = gone.model_copy(update={"span": Span(first_line=2, last_line=2)})
    both = task("a", evidence()).model_copy(update={**ends, "dependencies": (gone, kept)})
    none = task("b", evidence(), track=Track.GENERATION).model_copy(update={**ends, "dependencies": ()})
    found = code_tokens_of(GitRepository(made.folder), [both, none])
    expected = 6 + 11
    """`void gone ( ) { }` and `int kept ( ) { return 1 + 1 ; }`."""
    assert found == {("a", Track.UPDATE): expected, ("b", Track.GENERATION): 0}
    table = size_table([both, none], found)
    at = [column.title for column in table.columns].index("Code tokens/task")
    assert {row[0]: row[at] for row in table.rows} == {"update": expected, "generation": 0}
    assert "Code tokens/task" not in [column.title for column in size_table([both, none]).columns]
