"""What `mine` does with results that were made with another configuration."""

from pathlib import Path
from typing import Any

import pytest

from testevo.cli.mining.outdated import remove_outdated
from testevo.config.load import load_config
from testevo.config.model import Config
from testevo.config.resolved import write_resolved
from testevo.config.snapshot.layout import Layout

GIVEN: dict[str, Any] = {"snapshot": "s", "sources": {"repositories": [{"name": "o/one"}, {"name": "o/two"}]}}


@pytest.fixture
def mined(tmp_path: Path) -> tuple[dict[str, Any], Layout]:
    """A snapshot of two repositories and its configuration as given."""
    given = {**GIVEN, "results": str(tmp_path)}
    layout = Layout(tmp_path / "s")
    write_resolved(load_config(given), layout.config)
    for slug in ("o+one", "o+two"):
        files = layout.of_repository(slug)
        for path in (files.repository, files.builds, files.pairs, files.calls, files.first_labels, files.refactorings):
            path.parent.mkdir(parents=True)
            path.touch()
    layout.dataset.mkdir(parents=True)
    (layout.dataset / "checksums.sha256").touch()
    return given, layout


def removed(config: Config, layout: Layout) -> list[str]:
    """The outputs that are gone, as `stage/owner+name`."""
    before = set(layout.root.rglob("*.jsonl"))
    remove_outdated(config, layout, [layout.of_repository(slug) for slug in ("o+one", "o+two")])
    return sorted(str(path.parent.relative_to(layout.root)) for path in before - set(layout.root.rglob("*.jsonl")))


def test_results_made_with_the_same_configuration_stay(mined: tuple[dict[str, Any], Layout]) -> None:
    given, layout = mined
    assert removed(load_config({**given, "execution": {"sandbox": "none"}}), layout) == []
    assert (layout.dataset / "checksums.sha256").is_file()
    layout.config.unlink()
    assert removed(load_config({**given, "preset": "released"}), layout) == []


def test_a_changed_rule_makes_a_stage_and_all_behind_it_again(mined: tuple[dict[str, Any], Layout]) -> None:
    given, layout = mined
    config = load_config({**given, "rules": {"changes": {"through_lambdas": False}}})
    stages = ("commit_pair", "instrument", "refactoring_filter", "triple_execute")
    assert removed(config, layout) == [f"{stage}/o+{name}" for stage in stages for name in ("one", "two")]
    assert not (layout.dataset / "checksums.sha256").exists()


def test_all_is_made_again_where_nobody_can_read_how_it_was_made(mined: tuple[dict[str, Any], Layout]) -> None:
    given, layout = mined
    layout.config.write_text('{"key of an earlier version": 1}')
    assert len(removed(load_config(given), layout)) == 12


def test_a_changed_entry_concerns_its_repository_alone(mined: tuple[dict[str, Any], Layout]) -> None:
    given, layout = mined
    repositories = [{"name": "o/one", "start": "v1"}, {"name": "o/two"}]
    config = load_config({**given, "sources": {"repositories": repositories}})
    stages = ("build_check", "clone", "commit_pair", "instrument", "refactoring_filter", "triple_execute")
    assert removed(config, layout) == [f"{stage}/o+one" for stage in stages]
