"""The same history in another layout has the same labels: on one line, with other line ends, with more comments."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from mined_texts import Mined, Tree, mine
from random_tests import random_history

SEEDS = range(200, 210)


def on_one_line(text: str) -> str:
    """The sources have no comments to the end of a line."""
    return re.sub(r"\s*\n\s*", " ", text)


def with_carriage_returns(text: str) -> str:
    return text.replace("\n", "\r\n")


def with_comments(text: str) -> str:
    return re.sub(r"(?<=[;{}])", " /* } \n { */ ", text)


def in_layout(tree: Tree, layout: Callable[[str], str]) -> Tree:
    return {path: layout(text) if path.endswith(".java") else text for path, text in tree.items()}


def judged(mined: Mined) -> tuple[list[str], list[str]]:
    """Labels and tasks without places; a task lists its tests in the order of the file."""
    labels = [
        f"{mined.names[one.old_revision]} {mined.names[one.new_revision]} {one.test} {one.change} {one.label} "
        f"{one.reason} {sorted(str(dependency.method) for dependency in one.dependencies)}"
        for one in mined.labels
    ]
    tasks = [
        f"{one.track} {mined.names[one.old_revision]} {mined.names[one.new_revision]} "
        f"{sorted(str(evidence.test) for evidence in one.tests)}"
        for one in mined.tasks
    ]
    return sorted(labels), sorted(tasks)


@pytest.mark.parametrize("preset", ["strict", "released"])
@pytest.mark.parametrize("layout", [on_one_line, with_carriage_returns, with_comments])
def test_labels_do_not_depend_on_the_layout_of_the_sources(
    layout: Callable[[str], str], preset: str, tmp_path: Path
) -> None:
    found = 0
    for seed in SEEDS:
        history = random_history(seed)
        as_written = judged(mine(history, tmp_path / f"{seed}", preset))
        laid_out = [in_layout(tree, layout) for tree in history]
        assert judged(mine(laid_out, tmp_path / f"{seed}-laid-out", preset)) == as_written, seed
        found += len(as_written[1])
    assert found > 0
