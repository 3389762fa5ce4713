"""`testevo snapshot`: the steps around mining, which is stood in for, and what Snakemake plans for a later date."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from histories import git_folder
from snapshots import Snapshot
from typer.testing import CliRunner

from testevo.cli.inspecting import snapshot
from testevo.cli.main import app
from testevo.cli.mining.import_results import planned_jobs
from testevo.config.load import load_config, read_yaml
from testevo.config.model import Config
from testevo.config.resolved import write_resolved
from testevo.config.snapshot.layout import Layout, Place, RepositoryFiles
from testevo.config.snapshot.predecessor import note_tools
from testevo.config.snapshot.stage_failures import RULES
from testevo.history.bundle import clone_history
from testevo.packaging.dataset_writer import Snapshot as Mined
from testevo.packaging.dataset_writer import write_dataset
from testevo.records.base import read_records, write_records
from testevo.records.repository import Repository, slug_of
from testevo.runtime.errors import ExitStatus, NotFoundError
from testevo.runtime.files.archive_files import write_archive
from testevo.runtime.files.files import write_atomically
from testevo.sources.candidates import candidates

FIRST, SECOND = "2026-01-01", "2026-02-01"
OF_EACH = (
    "build_check",
    "commit_pair",
    "instrument",
    "triple_execute",
    "refactoring_filter",
    "package_repository",
    "measure_gold",
)
"""The rules after `clone` that work on one repository."""


def tree(number: int) -> dict[str, str]:
    return {"pom.xml": "<project/>", "A.java": f"class A {{ int a = {number}; }}"}


@pytest.fixture
def names(request: pytest.FixtureRequest) -> list[str]:
    return [f"o/r{number:03}" for number in range(request.config.getoption("--repositories"))]


@pytest.fixture
def grown(names: list[str]) -> list[str]:
    """One of three, 3 % of many."""
    return names[1::33]


@pytest.fixture
def mined(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[list[str]]]:
    """Stands in for the workflow; which repositories each run cloned or mined."""
    done: list[list[str]] = []

    def run(given: Path, layout: Layout, *, targets: Any = (), **_: Any) -> None:
        config = load_config(read_yaml(given))
        write_resolved(config, layout.config)
        note_tools(layout, {"code": "1"})
        work: Callable[[Config, Repository], bool] = clone if targets else mine
        done.append([one.name for one in candidates(config) if work(config, one)])
        if not targets:
            cloned = [read_records(files_of(config, one).repository, Repository)[0] for one in candidates(config)]
            write_dataset(layout.dataset, Mined(config, cloned, {}, {}, [], []))

    monkeypatch.setattr(snapshot, "run_workflow", run)
    yield done


def files_of(config: Config, repository: Repository) -> RepositoryFiles:
    return Layout.of(config).of_repository(repository.slug)


def clone(config: Config, repository: Repository) -> bool:
    files = files_of(config, repository)
    write_records(
        files.repository, [clone_history(repository, Path(repository.address), files.bundle, config.rules.walk)]
    )
    write_records(files.commits, [])
    write_records(files.failure("clone"), [])
    write_records(Layout.of(config).repositories, candidates(config))
    write_records(Layout.of(config).found, [])
    return True


def mine(config: Config, repository: Repository) -> bool:
    """Empty outputs of all later stages, where they are not there."""
    files = files_of(config, repository)
    if files.measured.is_file():
        return False
    if not files.repository.is_file():
        clone(config, repository)
    for name, place in vars(RepositoryFiles).items():
        if isinstance(place, Place) and place.declared and not place.pattern.startswith(("clone", "warm_up")):
            write_atomically(getattr(files, name), b"")
    for rule in RULES:
        if rule not in ("warm_up", "prove_offline"):
            write_atomically(files.failure(rule), b"")
    return True


def test_a_later_date_mines_what_has_grown(
    tmp_path: Path, mined: list[list[str]], names: list[str], grown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Locks pin, seals hold, and a dry run plans jobs for the repositories alone that have a new commit."""
    folders = {name: git_folder(tmp_path / "git" / name, [tree(1)]) for name in names}
    sources = {"repositories": [{"name": name, "address": str(folder)} for name, folder in folders.items()]}
    series = Snapshot.made(tmp_path, tmp_path / "cache", sources)
    monkeypatch.chdir(tmp_path)

    def said(*words: str, status: int = 0) -> str:
        result = CliRunner().invoke(app, ["snapshot", *words], standalone_mode=False)
        assert (result.exception, result.return_value or 0) == (None, status), result.output
        return result.output

    said("new", FIRST, "--from", "snapshot.yaml", "--sandbox", "none")
    assert mined == [names, names]
    for name in grown:
        git_folder(tmp_path / "git" / name, [tree(1), tree(2)])
    second = said("new", SECOND, "--sandbox", "none")
    assert mined[2:] == [names, grown]
    assert f"{len(names) - len(grown)} of {len(names)} repositories are as they were" in second
    assert [line.split()[2] for line in second.splitlines() if line.startswith("repository")] == grown
    assert "repository changed" in said("diff", FIRST, SECOND)
    assert [line.split()[:2] for line in said("list").splitlines()[1:]] == [[FIRST, "sealed"], [SECOND, "sealed"]]

    said("verify", FIRST)
    said("regenerate", FIRST, "--sandbox", "none")
    root, noted = tmp_path / "results" / FIRST, []
    restored = {f"snapshot/{file.relative_to(root)}": file for file in root.glob("[cs][le]*/**/*") if file.is_file()}
    write_archive(tmp_path / "bundle.tar", restored)
    (tmp_path / "git").rename(tmp_path / "gone")
    with monkeypatch.context() as patched:
        patched.setattr(
            snapshot, "note_as_done", lambda given, targets: noted.append((read_yaml(given)["build"], targets))
        )
        said("regenerate", FIRST, "--bundle", "bundle.tar", "--results", "elsewhere", "--sandbox", "none")
    assert [(build["offline"], build["cache"], targets) for build, targets in noted] == [
        (True, "elsewhere/cache", ["online"])
    ]
    (tmp_path / "gone").rename(tmp_path / "git")
    target = tmp_path / "config" / "snapshots" / f"{FIRST}.lock" / "dataset.sha256"
    target.write_text(target.read_text().replace("funnel.json", "tunnel.json"))
    assert "tunnel.json" in said("verify", FIRST, status=8)

    for name in grown:
        for file in (tmp_path / "results" / SECOND).glob(f"*/{slug_of(name)}/*"):
            if not file.is_relative_to(tmp_path / "results" / SECOND / "clone"):
                file.unlink()
    (tmp_path / "results" / SECOND / "package" / "dataset" / "checksums.sha256").unlink()
    given = yaml.safe_load((tmp_path / "config" / "snapshots" / f"{SECOND}.yaml").read_text())
    (tmp_path / "snapshot.yaml").write_text(yaml.safe_dump(given))
    finished = series.run(series.workflow("--dry-run"))
    assert finished.returncode == 0, finished.stdout + finished.stderr
    planned = planned_jobs(finished.stdout + finished.stderr)
    assert planned == {**dict.fromkeys(OF_EACH, len(grown)), "package": 1, "all": 1}


def test_a_series_goes_on_with_another_configuration_that_names_the_one_before(tmp_path: Path) -> None:
    """A further release comes in so."""
    base, path = tmp_path / "base.yaml", tmp_path / f"{SECOND}.yaml"
    base.write_text(yaml.safe_dump({"predecessor": FIRST, "sources": {"worlds": ["savings"]}}))
    snapshot.write_configuration(path, base, SECOND)
    written = load_config(read_yaml(path))
    assert (written.predecessor, written.snapshot, written.rules.walk.cutoff) == (FIRST, SECOND, SECOND)


def test_commands_on_snapshots_that_are_not_there_say_so(tmp_path: Path) -> None:
    words = ["snapshot", "diff", FIRST, SECOND, "--folder", str(tmp_path)]
    with pytest.raises(NotFoundError, match="testevo snapshot list") as caught:
        CliRunner().invoke(app, words, standalone_mode=False, catch_exceptions=False)
    assert caught.value.status is ExitStatus.NOT_FOUND
