"""The paper's tables and figures from its released files, cell by cell beside the printed values (TEB-R01 to R07).

What the files do not hold (tokens, times, costs, developer's values, methods per row) is named, not guessed.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from testevo.analysis.output.tables import Cell, Column, Table
from testevo.analysis.paper.released import Released
from testevo.analysis.paper.released_tasks import ReleasedTask
from testevo.analysis.reporting.main_tables import TITLES, metric_column
from testevo.analysis.statistics.audit import Dominance, dominances
from testevo.analysis.statistics.glossary import BY_KEY
from testevo.analysis.statistics.metrics import macro, mean
from testevo.analysis.statistics.results import TaskResult
from testevo.config.load import read_yaml
from testevo.records.tasks import Track
from testevo.runtime.files.project import PROJECT

PRINTED = PROJECT / "config" / "printed-values.yaml"
TOLERANCE = 0.0006
"""Largest difference of a share: half of the last printed digit, and a hundredth of a point for printed truncation."""
TABLE_3 = (
    "success",
    "redundant",
    "exec_fail",
    "compile_fail",
    "harness_fail",
    "coverage_pred_success",
    "mutation_score_pred_success",
)
ABSENT = "not in the released files"


@dataclass(frozen=True)
class ComparedCell:
    """A printed number and the same from the files; shares are 0 to 1."""

    table: str
    row: str
    column: str
    printed: float | str
    rebuilt: float | None
    share: bool = False

    @property
    def difference(self) -> float | None:
        return None if self.rebuilt is None or isinstance(self.printed, str) else self.rebuilt - self.printed


def printed_values() -> dict[str, Any]:
    return read_yaml(PRINTED)


def rows_of(released: Released, track: Track, system: str) -> list[TaskResult]:
    return [result for result in released.results[track] if result.system == system]


def average(released: Released, track: Track, system: str, key: str) -> float | None:
    return macro(rows_of(released, track, system), key).value


def table_1(released: Released, tasks: Sequence[ReleasedTask] | None, printed: Mapping[str, Any]) -> list[ComparedCell]:
    cells = []
    for track in Track:
        own = [task for task in released.tasks if task.track is track]
        listed = None if tasks is None else [task for task in tasks if task.track is track]
        rebuilt: dict[str, float | None] = {
            "tasks": len(own),
            "tests_per_task": mean(task.methods for task in own),
            "code_per_task": None if listed is None else mean(task.code_methods for task in listed),
        }
        for name, value in printed["table_1"][track.value].items():
            cells.append(ComparedCell("Table 1", track.value, name, value, rebuilt.get(name)))
    return cells


def table_3(released: Released, printed: Mapping[str, Any]) -> list[ComparedCell]:
    """Both halves of Table 3."""
    return shares(released, printed["table_3"], "Table 3")


def tables_6_to_9(released: Released, printed: Mapping[str, Any]) -> list[ComparedCell]:
    """The wide columns: narrow value times passing share, exact as long as every passing method has a value."""
    return shares(released, printed["tables_6_to_9"], "Tables 6 to 9")


def shares(released: Released, printed: Mapping[str, Any], table: str) -> list[ComparedCell]:
    return [
        ComparedCell(
            f"{table}, {track.value}",
            system,
            BY_KEY[key].title,
            round(value / 100, 6),
            average(released, track, system, key),
            share=True,
        )
        for track in Track
        for system in released.systems[track]
        if system in printed[track.value]
        for key, value in printed[track.value][system].items()
    ]


def table_5(released: Released, tasks: Sequence[ReleasedTask] | None, printed: Mapping[str, Any]) -> list[ComparedCell]:
    groups: dict[str, list[int]] = defaultdict(list)
    for task in released.tasks:
        groups[task.repository].append(task.methods)
    # What the paper calls commits turns out to be pairs of them that have a task.
    pairs = {(task.repository, task.old_revision, task.new_revision) for task in tasks or ()}
    rebuilt: dict[str, float | None] = {
        "repositories": released.repositories,
        "commits": mean(Counter(repository for repository, _, _ in pairs).values()),
        "tasks": mean(len(sizes) for sizes in groups.values()),
        "methods": mean(sum(sizes) / len(sizes) for sizes in groups.values()),
    }
    return [
        ComparedCell("Table 5", "all", name, value, rebuilt.get(name)) for name, value in printed["table_5"].items()
    ]


def difference_table(cells: Sequence[ComparedCell], name: str, title: str) -> Table:
    """Printed, rebuilt and difference of every cell; shares in per cent and points."""
    rows: list[tuple[Cell, ...]] = []
    for cell in cells:
        scale = 100 if cell.share else 1
        printed = cell.printed if isinstance(cell.printed, str) else f"{scale * cell.printed:g}"
        rebuilt = ABSENT if cell.rebuilt is None else f"{scale * cell.rebuilt:.3f}".rstrip("0").rstrip(".")
        difference = None if cell.difference is None else scale * cell.difference
        rows.append((cell.table, cell.row, cell.column, printed, rebuilt, difference))
    return Table(
        name=name,
        title=title,
        columns=(
            Column("Table"),
            Column("Row"),
            Column("Cell"),
            Column("Printed"),
            Column("Rebuilt"),
            Column("Difference", "number", digits=3),
        ),
        rows=tuple(rows),
        notes=("Shares in per cent, their differences in points. Table 5 prints whole numbers.",),
    )


def rebuilt_table_3(released: Released, track: Track) -> Table:
    """Table 3 in its own shape."""
    keys = [key for key in TABLE_3 if track in BY_KEY[key].tracks]
    return Table(
        name=f"table_3_{track.value}",
        title=f"Table 3 rebuilt, {TITLES[track]} (macro averages)",
        columns=(Column("System"), *(metric_column(BY_KEY[key]) for key in keys)),
        rows=tuple(
            (system, *(average(released, track, system, key) for key in keys)) for system in released.systems[track]
        ),
    )


def dominating(released: Released) -> list[tuple[Track, Dominance]]:
    """Every failure rate of either track that one repository dominates."""
    return [(track, found) for track in Track for found in dominances(released.results[track])]


def without_table(released: Released, found: Sequence[tuple[Track, Dominance]]) -> Table:
    """Table 3's rates with and without the repository that dominates ExecFail of a track."""
    keys = ("success", "exec_fail", "harness_fail")
    rows: list[tuple[Cell, ...]] = []
    for track, one in found:
        if one.key != "exec_fail":
            continue
        for system in released.systems[track]:
            own = rows_of(released, track, system)
            rest = [result for result in own if result.repository != one.repository]
            pairs = [value for key in keys for value in (macro(own, key).value, macro(rest, key).value)]
            rows.append((track.value, one.repository, system, len(own), len(rest), *pairs))
    headings = [
        Column(f"{BY_KEY[key].title} {where}", "percent") for key in keys for where in ("with it", "without it")
    ]
    return Table(
        name="without_dominating_repository",
        title="Table 3 with and without the repository that dominates ExecFail (macro averages)",
        columns=(
            Column("Track"),
            Column("Repository"),
            Column("System"),
            Column("Tasks", "count"),
            Column("Tasks without it", "count"),
            *headings,
        ),
        rows=tuple(rows),
    )


def beyond_tolerance(cells: Iterable[ComparedCell]) -> list[ComparedCell]:
    """Cells of shares that differ from the printed value by more than the tolerance."""
    return [
        cell for cell in cells if cell.share and (cell.difference is None or abs(cell.difference) > TOLERANCE + 1e-9)
    ]
