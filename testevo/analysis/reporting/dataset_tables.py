"""Tables 1 and 5 of a dataset: how many tasks, how large, from where (TEB-R01, R07, K10)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from testevo.analysis.output.tables import Cell, Column, Table, table_of
from testevo.analysis.statistics.metrics import mean
from testevo.analysis.statistics.windows import every_half_year, half_year
from testevo.java.tokens import tokens_of
from testevo.records.tasks import Task, Track
from testevo.runtime.clock import utc_date


@dataclass(frozen=True)
class CodeSize:
    """The Java files of a repository, of code and tests, and their lines, blank ones and comments included."""

    files: int
    lines: int


def size_table(tasks: Sequence[Task], code_tokens: Mapping[tuple[str, Track], int] | None = None) -> Table:
    """Table 1. Tokens are Java tokens without comments, not those of a language model.

    Args:
        code_tokens: of the dependency methods of each task, by id and track; without them there is no column of them.
    """
    known = code_tokens or {}
    of_code = (
        Column("Code tokens/task", "number", digits=0),
        lambda row: mean(known[task.task_id, task.track] for task in row[1]),
    )
    return table_of(
        "dataset",
        "The dataset",
        [(track, [task for task in tasks if task.track is track]) for track in Track],
        (
            (Column("Track"), lambda row: row[0].value),
            (Column("Tasks", "count"), lambda row: len(row[1])),
            (Column("Tests/task", "number", digits=2), lambda row: mean(len(task.tests) for task in row[1])),
            (
                Column("Code methods/task", "number", digits=2),
                lambda row: mean(len(task.dependencies) for task in row[1]),
            ),
            (Column("Test tokens/task", "number", digits=0), lambda row: mean(test_tokens(task) for task in row[1])),
            *(() if code_tokens is None else (of_code,)),
            (Column("Repositories", "count"), lambda row: len({task.repository for task in row[1]})),
            (Column("First day"), lambda row: min((str(utc_date(task.new_time)) for task in row[1]), default=None)),
            (Column("Last day"), lambda row: max((str(utc_date(task.new_time)) for task in row[1]), default=None)),
            (Column("No gold coverage", "count"), lambda row: undefined_gold(row[1], "gold_coverage")),
            (Column("No gold mutation", "count"), lambda row: undefined_gold(row[1], "gold_mutation")),
            (Column("Quarantined", "count"), lambda row: sum(task.quarantined is not None for task in row[1])),
        ),
        notes=(
            "Quarantined tasks are counted here and are in no aggregate. Tests in their new version. No gold: methods "
            "without a value of the developer's test, as where a focal method is removed or has no mutant.",
        ),
    )


def undefined_gold(tasks: Iterable[Task], measurement: str) -> int:
    """Number of test methods without a developer's value."""
    return sum(getattr(test, measurement) is None for task in tasks for test in task.tests)


def test_tokens(task: Task) -> int:
    return sum(len(tokens_of(test.new_source.encode())) for test in task.tests)


def codebase_table(tasks: Sequence[Task], sizes: Mapping[str, CodeSize] | None = None) -> Table:
    """Table 5: means over the repositories that have a task.

    Args:
        sizes: of their code, by name; without them the table has no rows about it.
    """
    repositories = sorted({task.repository for task in tasks})
    grouped = {name: [task for task in tasks if task.repository == name] for name in repositories}
    rows: list[tuple[Cell, ...]] = [
        ("Repositories", len(repositories)),
        ("Commit pairs (mean)", mean(len({(t.old_revision, t.new_revision) for t in g}) for g in grouped.values())),
        ("Tasks (mean)", mean(len(group) for group in grouped.values())),
        (
            "Test methods per task (mean of the repositories' means)",
            mean(sum(len(task.tests) for task in group) / len(group) for group in grouped.values()),
        ),
    ]
    if sizes is not None:
        rows.append(("Java files (mean)", mean(sizes[name].files for name in repositories)))
        rows.append(("Java lines (mean)", mean(sizes[name].lines for name in repositories)))
    return Table(
        name="codebase",
        title="The repositories behind the tasks",
        columns=(Column("Metric"), Column("Value", "number", digits=1)),
        rows=tuple(rows),
        notes=()
        if sizes is None
        else ("Java files and lines: of code and tests, at the new revision of each repository's newest task.",),
    )


def tasks_by_half_year(days: Iterable[tuple[Track, date]]) -> list[tuple[str, Track, int]]:
    """(half-year, track, tasks) for every half-year from the first to the last, empty ones included (TEB-R02)."""
    counts = Counter((half_year(day), track) for track, day in days)
    windows = every_half_year(window for window, _ in counts)
    return [(window, track, counts[window, track]) for window in windows for track in Track]


def half_year_table(counts: Sequence[tuple[str, Track, int]]) -> Table:
    """Figure 2 as numbers."""
    cells = {(window, track): count for window, track, count in counts}
    return Table(
        name="tasks_per_half_year",
        title="Tasks by half-year of the new revision",
        columns=(Column("Half-year"), *(Column(track.value, "count") for track in Track)),
        rows=tuple(
            (window, *(cells[window, track] for track in Track))
            for window in dict.fromkeys(window for window, _, _ in counts)
        ),
        notes=("Older: everything before 2015.",),
    )
