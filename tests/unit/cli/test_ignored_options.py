"""No option is ignored in silence: one that another leaves without a meaning is refused before anything is read."""

import sys
from pathlib import Path

import pytest

from testevo.cli import main
from testevo.cli.mining.mine import adjusted
from testevo.cli.mining.search import searching
from testevo.config.load import read_yaml
from testevo.runtime.errors import UsageError

REFUSED = [
    (["plan", "--page", "p.md", "--json"], "--page and --json ask for different things"),
    (["plan", "--tasks", "5", "--page", "p.md"], "--tasks makes no use of --page"),
    (["plan", "--tasks", "5", "--cluster", "narval", "--factor", "2"], "--tasks makes no use of --factor, --cluster"),
    (["plan", "--tasks", "5", "--configuration", "c.yaml"], "--tasks makes no use of --configuration"),
    (["plan", "--tasks", "5", "--shard-minutes", "0"], "--tasks makes no use of --shard-minutes"),
    (["plan", "--systems", "5"], "--systems belongs to --tasks"),
    (["plan", "--fit", "results/x", "--page", "p.md", "--json"], "--fit makes no use of --page, --json"),
    (["plan", "--fit", "results/x", "--tasks", "5"], "--fit makes no use of --tasks"),
    (["cache", "--results", "elsewhere", "prune", "--older-than", "1d"], "testevo cache prune --results elsewhere"),
    (["task", "list", "--dropped", "--track", "update"], "--dropped lists candidates"),
    (["task", "list", "--dropped", "--system", "mine"], "--dropped lists candidates"),
    (["task", "show", "x", "--diff", "--json"], "--diff and --json ask for different things"),
    (["task", "show", "x", "--json", "--open"], "--json and --open ask for different things"),
    (["report", "x", "--tasks", "--json"], "--tasks and --json ask for different things"),
    (["report", "x", "--json", "--open"], "--json and --open ask for different things"),
    (["builds", "--log", "abc", "--json"], "--log and --json ask for different things"),
    (["status", "x", "--costs", "--profile"], "--costs and --profile ask for different things"),
]


@pytest.mark.parametrize(("arguments", "says"), REFUSED, ids=lambda one: " ".join(one) if isinstance(one, list) else "")
def test_options_without_a_meaning_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["testevo", *arguments])
    with pytest.raises(UsageError, match=says):
        main.invoke()
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("asked", "folder"), [(None, "elsewhere"), (Path("results"), "results"), (Path("third"), "third")]
)
def test_a_folder_of_results_that_is_asked_for_wins_over_the_configured_one(
    tmp_path: Path, asked: Path | None, folder: str
) -> None:
    """Also `--results results`, which is where results go without any configuration."""
    file = tmp_path / "search.yaml"
    file.write_text("{snapshot: found, results: elsewhere, sources: {github: {}}}")
    assert searching(file, None, asked).results == folder
    assert adjusted(read_yaml(file), None, None, None, None, asked)["results"] == folder
