"""Names of the files of the stages `aggregate` and `reproduce`: all that the workflow needs to know of them.

They do not depend on the data. Apart from what makes the files, because every job of a workflow reads the rules, and
what draws figures takes a second and 90 MiB to load.
"""

from collections.abc import Iterable

from testevo.analysis.output.tables import RENDERINGS
from testevo.records.tasks import Track

AVERAGINGS = ("macro", "micro")
REPORT = "report.json"
TABLES_PAGE = "tables.html"
"""All tables of a run on one page."""

TRACK_TABLES = ("intervals", "attempts", "comparisons", "without_each", "over_time", "cutoffs")
TABLES = (
    "dataset",
    "codebase",
    "tasks_per_half_year",
    "leaderboard_fields",
    "mutation_statistics",
    "costs",
    "dominating_repositories",
    "agent_independent",
    "items",
    "suspects",
    "weakened_updates",
    "unasserted_tests",
    "reasons",
    "impossible_outcomes",
    *(f"{name}_{track.value}" for name in TRACK_TABLES for track in Track),
    *(
        f"{name}_{track.value}_{averaging}"
        for name in ("results", "controls", "coverage", "mutation")
        for track in Track
        for averaging in AVERAGINGS
    ),
)
FIGURES = ("tasks_per_half_year", "cost_cdf", "funnel", *(f"success_over_time_{track.value}" for track in Track))
SECOND_OPINIONS = ("second_opinion", "second_opinion_tasks")
"""Tables that are there only where PIT was asked."""

DIFFERENCES = "differences.json"
READING = "reading.md"
"""The section of docs/reproduction.md that is made from the released files."""
REPRODUCED_TRACK_TABLES = ("table_3", "intervals", "comparisons", "without_each", "over_time")
REPRODUCED_TABLES = (
    "table_1",
    "table_3_differences",
    "table_5",
    "tables_6_to_9",
    "tasks_per_half_year",
    "join",
    "dominating_repositories",
    "without_dominating_repository",
    "power",
    "agent_independent",
    *(f"{name}_{track.value}" for name in REPRODUCED_TRACK_TABLES for track in Track),
)
REPRODUCED_FIGURES = (
    "figure_2",
    *(f"figure_4_{track.value}{kind}" for track in Track for kind in ("", "_without_dominating")),
)


def table_files(names: Iterable[str] = TABLES) -> list[str]:
    """Relative names of all files of the given tables."""
    return [f"tables/{name}.{suffix}" for name in names for suffix in RENDERINGS]


def figure_files(names: Iterable[str] = FIGURES) -> list[str]:
    return [f"figures/{name}.{suffix}" for name in names for suffix in ("svg", "pdf", "png")]


def output_files(*, second_opinion: bool = False) -> list[str]:
    """Every file of `aggregate`, relative to its folder."""
    names = (*TABLES, *SECOND_OPINIONS) if second_opinion else TABLES
    return [REPORT, TABLES_PAGE, *table_files(names), *figure_files()]


def reproduction_names() -> list[str]:
    """Every file of `reproduce`, relative to its folder."""
    return [DIFFERENCES, READING, *table_files(REPRODUCED_TABLES), *figure_files(REPRODUCED_FIGURES)]
