"""The page `docs/worlds.md`, made from the worlds themselves: `python tests/worlds/world_page.py` rewrites it."""

from collections import Counter
from pathlib import Path

from testevo.sources.embedded.worlds import Expected, World, load_world

PROJECT = Path(__file__).resolve().parents[2]
WORLDS = PROJECT / "worlds"
PAGE = PROJECT / "docs" / "worlds.md"

HEAD = """\
# Worlds: embedded histories with known labels

Each folder of `worlds/` is a small Java history written for this project, stored as readable files (the format is in
`docs/sources.md`). Its author says what mining must find, by the preset `strict` and by the preset `released`; mining
all of them gives a confusion matrix that must be diagonal. A mined label that is not listed counts as wrong, except
`none`. This page is made by `python tests/worlds/world_page.py` from `worlds/*/world.yaml`.

## What each world shows

"""

TAIL = """
## Where to find what

| what | world | commits |
|---|---|---|
| update by a changed value, by a changed signature | `ticket-counter` | c2, c3 |
| discriminating by behaviour, by a missing method | `ticket-counter` | c4, c5 |
| redundant; refinement; unchanged | `ticket-counter` | c7; c8; c4, c7, c8 |
| broken and fixed two commits later, the suite red in between | `temperature` | c5 to c7 |
| code first, test later | `temperature`, `ticket-counter` | c2 to c4; c6 |
| equal Java: documentation only, build only | `temperature` | c3, c6 |
| exactly twelve hours, a second more, author date, clock backwards, no neighbour, cutoff | `opening-hours` | c3 to c8 |
| renamed and extracted methods, moved package, renamed class, renamed test, renamed variable | `playlist` | c2 to c7 |
| a refactoring at the declaration of an updated test | `playlist` | c8 |
| helper changed at the same time; call through a helper | `recipes` | c2; c3, c5 |
| innocent method in a file with a breaking one (changed, inserted) | `recipes` | c4, c5 |
| old code hangs, ends the JVM, overflows the stack | `kitchen-timer` | c2, c3, c4 |
| suite that ends its JVM | `kitchen-timer` | c5 |
| unstable test; test that needs its neighbour | `receipts` | c2 |
| side branch, merge, revert, release tag | `library-loans` | s1, m1, c3 |
| six ways not to build | `parcels` | c2, c4, c6 to c9 |
| nested, parameterised, repeated, factory, inherited, disabled; records, Java 17 | `shapes` | c2, c3 |
| JUnit 3, JUnit 4, `Parameterized` and Jupiter in one module | `greetings` | c2 |
| JUnit 3.8 alone | `savings` | c2, c3 |
| non-ASCII, CRLF, line ends only, resources by class path and by path | `postcards` | c1 to c5 |
| modules | `orchard` | c2, c3 |
| no tests; no POM | `sketch`; `other-build` | all |
| array result, other thread, `equals` below an assertion | `theatre` | c2, c3, c4 |
| callee of a callee, constant, constructor | `theatre` | c5, c6, c7 |
| import that a spliced method lacks; test class absent at the old revision | `theatre` | c8; c9 |

## Two things to know

- The unstable test of `receipts` leaves a file in its working directory. Suites run in fresh exports and see it pass;
  repeats in one folder see it fail. A runner that gave every single run a fresh copy of the module would see it pass
  always and label it `update`; then its label would have to change.
- `kitchen-timer` holds a run of ten minutes that only `method_seconds` ends: mine worlds with a limit of a few seconds
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
