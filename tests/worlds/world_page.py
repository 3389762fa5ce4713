"""The page `docs/worlds.md`, made from the worlds themselves: `python tests/worlds/world_page.py` rewrites it."""

from collections import Counter
from pathlib import Path

from testevo.sources.embedded.worlds import Expected, World, load_world

PROJECT = Path(__file__).resolve().parents[2]
WORLDS = PROJECT / "worlds"
PAGE = PROJECT / "docs" / "worlds.md"

HEAD = """\
# Worlds: embedded histories with known labels

Each folder of `worlds/` is a small Java history with known labels, stored as readable files (format:
`docs/sources.md`). It says what mining must find by each preset; mining all of them must give a diagonal confusion
matrix. A mined label that is not listed counts as wrong, except `none`. `python tests/worlds/world_page.py` makes this
page from `worlds/*/world.yaml`.

## What each world shows

"""

TAIL = """
`kitchen-timer` holds a run of ten minutes that only `method_seconds` ends: mine worlds with a limit of a few seconds
(`config/snapshots/worlds.yaml`).
"""


def page(worlds: list[World]) -> str:
    """The whole page."""
    lines = ["| world | what it shows | commits | `strict` | `released` |", "|---|---|---|---|---|"]
    for world in worlds:
        found = [_found(world, preset) for preset in ("strict", "released")]
        lines.append(f"| `{world.name}` | {world.description.strip()} | {len(world.commits)} | {' | '.join(found)} |")
    return HEAD + "\n".join(lines) + "\n" + TAIL


def all_worlds() -> list[World]:
    """Every world of the project, by name."""
    return [load_world(path.parent) for path in sorted(WORLDS.glob("*/world.yaml"))]


def _found(world: World, preset: str) -> str:
    if world.rejected is not None:
        return f"rejected: {world.rejected.value}"
    expected = world.expected[preset]
    return "; ".join(filter(None, [_labels(expected), _tasks(expected)]))


def _labels(expected: Expected) -> str:
    counts = Counter(label.label.value for label in expected.labels)
    return ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())) or "no candidates"


def _tasks(expected: Expected) -> str:
    return "tasks: " + ", ".join(f"{count} {track.value}" for track, count in sorted(expected.tasks.items()))


if __name__ == "__main__":
    PAGE.write_text(page(all_worlds()), encoding="utf-8")
