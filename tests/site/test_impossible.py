"""Results that cannot be: none are made up for the site, and one that is there is shown as a failure of the harness."""

import html
import re
import subprocess
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path

import pytest
from built_site import Built, write_run

from testevo.cli.grading.report import read_run
from testevo.cli.grading.submit import require_possible
from testevo.cli.inspecting.pages import content_of
from testevo.cli.main import app
from testevo.config.snapshot.layout import Layout
from testevo.grading.dataset.voided_results import PossibleResults, void_impossible
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.records.base import read_records
from testevo.records.evaluation.grading import Grade, GradedTask
from testevo.records.tasks import Task, Track
from testevo.runtime.errors import UserError
from testevo.runtime.files.jars import PROJECT
from testevo.site.content import read_content
from testevo.site.task_pages import page_of
from tests.site.synthetic_dataset import write_dataset

WHY = "the score contradicts the runs of the mutants"
PAGE_OF_SYSTEM = "systems/agent-00______model-0.html"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("impossible"), tasks=6, systems=2)


def graded_of(dataset: Path) -> list[GradedTask]:
    return list(read_records(dataset.parent / "graded.jsonl", GradedTask))


def held(dataset: Path, graded: list[GradedTask]) -> PossibleResults:
    opened = open_dataset(dataset)
    return void_impossible(opened, graded, opened.tasks)


def contradicted(graded: list[GradedTask]) -> tuple[list[GradedTask], GradedTask]:
    """The results with the first success of a system contradicted by its own runs; and which one that is."""
    odd = next(one for one in graded if one.system != "gold" and one.methods[0].grade is Grade.SUCCESS)
    [method] = odd.methods
    runs = tuple(run.model_copy(update={"fate": method.mutant_runs[0].fate}) for run in method.mutant_runs)
    changed = odd.model_copy(update={"methods": (method.model_copy(update={"mutant_runs": runs}),)})
    return [changed if one is odd else one for one in graded], changed


def task_of(dataset: Path, one: GradedTask) -> Task:
    [found] = [task for task in open_dataset(dataset).tasks if (task.task_id, task.track) == (one.task_id, one.track)]
    return found


def test_made_up_results_hold_together(built: Built) -> None:
    graded = graded_of(built.dataset)
    found = held(built.dataset, graded)
    assert (found.impossible, found.graded) == ((), graded)
    assert {one.track for one in graded} == set(Track) and {one.system for one in graded} > {"gold"}


def test_made_up_systems_with_one_edit_have_one_result(built: Built) -> None:
    """Grades of equal edits are compared, so there are some to compare."""
    by_key: dict[str, list[GradedTask]] = {}
    for one in graded_of(built.dataset):
        by_key.setdefault(one.key, []).append(one)
    assert any(len(same) > 1 for same in by_key.values())
    for first, *others in by_key.values():
        for other in others:
            assert (other.task_id, other.track, other.edit) == (first.task_id, first.track, first.edit)
            assert other.methods == first.methods


def test_the_developers_tests_reach_what_the_dataset_says_of_them(built: Built) -> None:
    tasks = {(task.task_id, task.track): task for task in open_dataset(built.dataset).tasks}
    for one in (one for one in graded_of(built.dataset) if one.system == "gold"):
        [method], [evidence] = one.methods, tasks[one.task_id, one.track].tests
        assert (method.coverage, method.mutation) == (evidence.gold_coverage, evidence.gold_mutation)
        assert method.new_run is evidence.outcomes["new_test_new_code"]
        assert method.old_run is evidence.outcomes.get("new_test_old_code")


def test_a_contradicted_result_is_found(dataset: Path) -> None:
    graded, odd = contradicted(graded_of(dataset))
    assert [(one.system, one.task_id, one.text) for one in held(dataset, graded).impossible] == [
        (odd.system, odd.task_id, f"{odd.methods[0].test.short}: {WHY}")
    ]


@pytest.fixture
def run(dataset: Path, tmp_path: Path) -> Path:
    """The folder of a grading run with one result that cannot be."""
    graded, _ = contradicted(graded_of(dataset))
    return write_run(tmp_path / "results" / "run", dataset, graded)


def test_the_site_has_the_results_of_the_report(run: Path) -> None:
    assert content_of(Layout(run)).graded == read_run(run).graded


def by_site(run: Path, dataset: Path) -> Path:
    app(["site", str(run), "--output", str(run.parent / "pages")], standalone_mode=False)
    return run.parent / "pages"


def by_site_of_files(run: Path, dataset: Path) -> Path:
    files = [option for file in sorted(run.glob("evaluate/*/*.jsonl")) for option in ("--graded", str(file))]
    app(["site", str(dataset), "--output", str(run.parent / "pages"), *files], standalone_mode=False)
    return run.parent / "pages"


def by_report(run: Path, dataset: Path) -> Path:
    app(["report", str(run), "--open"], standalone_mode=False)
    return run / "site"


def by_rule(run: Path, dataset: Path) -> Path:
    """As the rule starts its script."""
    index = run / "site" / "index.html"
    options = ["--config", run / "config.json", "--dataset", dataset / "checksums.sha256", "--index", index]
    done = subprocess.run(
        [sys.executable, PROJECT / "scripts" / "site.py", *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return index.parent


@pytest.mark.parametrize("written", [by_site, by_site_of_files, by_report, by_rule])
def test_every_way_to_a_site_shows_a_failure_of_the_harness_and_why(
    written: Callable[[Path, Path], Path], run: Path, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda address: True)
    _, odd = contradicted(graded_of(dataset))
    site = written(run, dataset)
    task = (site / page_of(read_content(dataset), task_of(dataset, odd))).read_text(encoding="utf-8")
    [row] = [line for line in task.splitlines() if PAGE_OF_SYSTEM in line]
    assert ">harness fail</td>" in row and WHY in row
    system = (site / PAGE_OF_SYSTEM).read_text(encoding="utf-8")
    assert "impossible_outcome" in system.split("<h2>Averages</h2>")[0]
    assert WHY in system.split('<h2 id="tasks">')[1]
    start = (site / "index.html").read_text(encoding="utf-8")
    doubts = start.split("<h2>What to doubt</h2>")[1].split("<h2>What to do next</h2>")[0]
    assert "Impossible outcomes: 1." in doubts
    assert f"{html.escape(odd.system)}</td><td>{odd.task_id}</td>" in doubts and WHY in doubts


def test_a_task_of_the_run_is_shown_with_a_failure_of_the_harness_and_why(
    run: Path, dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, odd = contradicted(graded_of(dataset))
    options = ["--snapshot", str(run), "--system", odd.system, "--track", odd.track.value]
    app(["task", "show", odd.task_id, *options], standalone_mode=False)
    said = capsys.readouterr().out
    name = odd.methods[0].test.short
    assert f"{name}: harness_fail" in said and f"impossible_outcome: {name}: {WHY}" in said
    app(["task", "list", *options], standalone_mode=False)
    [row] = [line for line in capsys.readouterr().out.splitlines() if line.startswith(odd.task_id)]
    assert "100 %" not in row


def test_a_submission_with_an_outcome_that_cannot_be_stays_off_the_board(run: Path, dataset: Path) -> None:
    opened, (graded, odd) = open_dataset(dataset), contradicted(graded_of(dataset))
    own = [one for one in graded if one.system == odd.system]
    with pytest.raises(UserError, match=re.escape(f"such as that of {odd.system}, {odd.task_id}: ")):
        require_possible(own, opened, run)
    others = [one for one in graded if one.system not in (odd.system, "gold")]
    assert others
    require_possible(others, opened, run)
