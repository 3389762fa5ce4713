"""`testevo plan`: what it prints, what it fits, and that the page shows what it prints."""

import json
from collections.abc import Callable
from pathlib import Path
from shutil import copy

import pytest
from typer.testing import CliRunner

from testevo.analysis.planning.cost_model import read_model
from testevo.cli.machines.plan import BEGIN, END
from testevo.cli.main import app
from testevo.config.snapshot.layout import Layout
from testevo.runtime.errors import ExitStatus, UsageError, UserError
from testevo.runtime.files.files import canonical_json
from testevo.runtime.files.project import PROJECT

PAGE = PROJECT / "docs" / "scale.md"
Command = Callable[..., str]


@pytest.fixture
def planned() -> Command:
    """Runs `testevo plan` and gives what it prints; an error is raised."""

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(app, ["plan", *arguments], catch_exceptions=True)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == 0, result.output
        return result.output

    return run


def test_the_page_shows_what_the_command_prints(planned: Command) -> None:
    """After a change of cost model, limits or graph: run the command of the page."""
    shown = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    assert shown == planned("--cluster", "narval", "--cluster", "trillium")


def test_the_page_shows_the_plan_of_grading_that_the_command_prints(planned: Command) -> None:
    assert planned("--tasks", "1200", "--systems", "4") in PAGE.read_text()


def test_a_page_gets_the_plan_between_its_marks(planned: Command, tmp_path: Path) -> None:
    """The rest of the page stays."""
    page = copy(PAGE, tmp_path / "page.md")
    planned("--repositories", "2", "--page", str(page))
    text = page.read_text(encoding="utf-8")
    assert "2 repositories with 300 commits each" in text
    assert text.partition(END)[2] == PAGE.read_text(encoding="utf-8").partition(END)[2]
    page.write_text("# no marks\n")
    with pytest.raises(UsageError, match="has no place"):
        planned("--page", str(page))


@pytest.mark.parametrize("content", [None, "folder", b"\xff\xfe"])
def test_a_page_that_cannot_be_read_is_named(planned: Command, tmp_path: Path, content: str | bytes | None) -> None:
    page = tmp_path / "page.md"
    if content == "folder":
        page.mkdir()
    elif isinstance(content, bytes):
        page.write_bytes(content)
    with pytest.raises(UsageError, match=r"page.md cannot be read \(.+\). Give a page in UTF-8"):
        planned("--repositories", "2", "--page", str(page))


def test_a_device_is_no_page(planned: Command) -> None:
    """`/dev/full` can be read without end."""
    with pytest.raises(UsageError, match=r"/dev/full cannot be read \(it is no file\)"):
        planned("--repositories", "2", "--page", "/dev/full")


@pytest.mark.parametrize(
    "sizes",
    [
        ["--factor", "inf"],
        ["--factor", "1e308"],
        ["--repositories", "99999999999999999999"],
        ["--commits", "99999999999999999999"],
        ["--running", "99999999999999999999"],
    ],
)
def test_sizes_beyond_any_snapshot_are_refused(sizes: list[str]) -> None:
    """They would take all memory, or end in numbers that are none."""
    result = CliRunner().invoke(app, ["plan", *sizes])
    assert result.exit_code == ExitStatus.USAGE and f"'{sizes[0]}': Input should be less than" in result.output


def test_every_check_of_a_chosen_cluster_is_printed_with_its_verdict(planned: Command) -> None:
    """The numbers of a plan as JSON; what is exceeded says what to do."""
    found = json.loads(planned("--cluster", "trillium", "--repositories", "3", "--json"))
    (cluster,) = found["clusters"]
    assert cluster["name"] == "trillium"
    nodes = next(check for check in cluster["checks"] if check["what"] == "cores of a job")
    assert nodes["holds"] is False and "pilot" in nodes["next_step"]
    text = planned("--cluster", "trillium", "--repositories", "3")
    assert "exceeded" in text and "narval" not in text


def test_an_unknown_cluster_is_named_with_the_known_ones(planned: Command) -> None:
    with pytest.raises(UsageError, match=r"cedar.*narval"):
        planned("--cluster", "cedar")


def test_a_configured_snapshot_has_no_size_of_its_own(planned: Command) -> None:
    """Its candidates say how many there are."""
    demo = str(PROJECT / "config/snapshots/demo.yaml")
    assert json.loads(planned("--configuration", demo, "--json"))["repositories"] == 19
    with pytest.raises(UsageError, match="leave them out"):
        planned("--configuration", demo, "--commits", "3")


def snapshot(root: Path, name: str, size: int) -> None:
    """A mined repository: as many records as `size` says, and profiles of one and a half seconds each."""
    files = Layout(root).of_repository(name.replace("/", "+"))
    lines = {
        files.commits: {"rejection": None},
        files.pairs: {"rejection": None},
        files.changes: {},
        files.calls: {},
        files.builds: {"fingerprint": "a", "jdk": 17},
        files.suites: {"outcome": "green"},
        files.tasks: {},
        files.first_labels: {"label": "update"},
        files.executions: {"outcomes": ["passed", "passed"]},
        files.measured: {},
        files.mutants: {},
    }
    for file, line in lines.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{canonical_json(line)}\n" * size)
    profile = {"wall": 2.0, "processor": 1.5 * size, "forked": False, "work": {}}
    for stage in read_model().stages:
        of = files if stage != "evaluate" else Layout(root).of_system("gold", files.slug)
        file = of.profile(stage) if stage != "evaluate" else of.profile  # type: ignore[operator, union-attr]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(canonical_json(profile) + "\n")
    (root / "config.json").write_text(canonical_json({"build": {"cache": str(root / "cache")}}))


def test_a_model_is_fitted_to_mined_snapshots_and_read_again(planned: Command, tmp_path: Path) -> None:
    """`--fit` writes a model that plans; repositories of twice the work cost twice as much."""
    for number, name in enumerate(("a/one", "a/two", "a/three"), start=1):
        snapshot(tmp_path / "results", name, 10 * number)
    (tmp_path / "results" / "cache").mkdir()
    (tmp_path / "results" / "cache" / "file").write_bytes(b"x" * 600)
    said = planned("--fit", str(tmp_path / "results"), "--model", str(tmp_path / "model.json"))
    assert "a/three" in said and "left out" in said
    model = read_model(tmp_path / "model.json")
    twice = {"kept": 60, "fingerprints": 1, "suites": 60}
    assert model.stages["build_check"].seconds.of(twice) == pytest.approx(90, rel=0.05)
    assert model.cache_bytes_per_commit >= 10
    assert model.measured_on.jdks == (17,)
    assert "grading, left out" in said
    grading = planned("--model", str(tmp_path / "model.json"), "--tasks", "1200", "--systems", "4")
    assert "1,200 tasks of 60 repositories, 1.0 mutants each, 4 systems" in grading
    assert "Of 3 real repositories, each left out of the fit in turn" in grading
    assert "3 measured repositories" in planned("--model", str(tmp_path / "model.json"), "--repositories", "2")


def test_what_is_no_snapshot_and_what_is_no_model_are_named(planned: Command, tmp_path: Path) -> None:
    """With the next step."""
    with pytest.raises(UserError, match="is not a snapshot"):
        planned("--fit", str(tmp_path))
    with pytest.raises(UserError, match="--fit"):
        planned("--model", str(tmp_path / "none.json"))
