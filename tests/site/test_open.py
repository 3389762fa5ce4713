"""`--open`: the same pages of one's own run, or of one task, shown in the browser of this machine."""

import webbrowser
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from built_site import Built, write_run

from testevo.cli.main import app
from testevo.records.base import read_records
from testevo.records.evaluation.grading import GradedTask
from testevo.runtime.errors import UsageError


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The pages that a browser was asked to show."""
    pages: list[Path] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: pages.append(Path(unquote(urlparse(address).path))) or True)
    return pages


@pytest.fixture
def run(built: Built, tmp_path: Path) -> Path:
    """The folder of a grading run of the dataset."""
    return write_run(tmp_path / "results" / "run", built.dataset, read_records(built.graded, GradedTask))


def test_a_report_opens_as_pages_of_what_was_chosen(run: Path, shown: list[Path]) -> None:
    app(["report", str(run), "--open", "--system", "gold", "--track", "update"], standalone_mode=False)
    assert shown == [run / "site" / "index.html"]
    assert [page.stem for page in (run / "site" / "systems").glob("*.html")] == ["gold"]
    assert not (run / "site" / "tasks" / "generation").exists()
    assert "What to doubt" in shown[0].read_text()


def test_a_task_opens_as_its_page_with_what_systems_reached(run: Path, shown: list[Path], built: Built) -> None:
    task = built.content().tasks[4]
    app(["task", "show", task.task_id, "--snapshot", str(run), "--open"], standalone_mode=False)
    assert shown[0].stem == task.task_id
    text = shown[0].read_text()
    assert "What systems reached" in text and "agent-02" in text
    assert len(list(shown[0].parents[1].rglob("*.html"))) == 1


def test_a_file_of_grades_has_no_pages(built: Built) -> None:
    with pytest.raises(UsageError, match="Give the folder of the run"):
        app(["report", str(built.graded), "--open"], standalone_mode=False)
