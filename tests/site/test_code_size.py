"""The size of repositories (TEB-R07)."""

from pathlib import Path

from testevo.analysis.reporting.dataset_tables import CodeSize, codebase_table
from testevo.history.git import GitRepository
from testevo.site.code_size import code_size, newest_revisions
from testevo.sources.embedded.made_history import MadeCommit, MadeFile, make_history
from tests.unit.analysis.grading_factories import evidence, task


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
