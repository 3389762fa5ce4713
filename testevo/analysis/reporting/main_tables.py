"""The tables of a grading run that show what each system reached (TEB-R03, R06)."""

from collections.abc import Iterable, Sequence

from testevo.analysis.output.tables import Cell, Column, Table, table_of
from testevo.analysis.statistics.costs import OperatingPoint
from testevo.analysis.statistics.glossary import BY_KEY, LEADERBOARD_FIELDS, MEASURES, Metric, glossary_lines
from testevo.analysis.statistics.metrics import MutationStatistics, Summary, counted
from testevo.records.tasks import Track

MACRO = "Macro: averaged over methods within a task, then over tasks; every task weighs the same."
MICRO = "Micro: averaged over all methods; every method weighs the same."
OUTCOMES = (
    "success",
    "behavioural",
    "redundant",
    "weakened",
    "hollow",
    "unasserted",
    "suspect",
    "exec_fail",
    "compile_fail",
    "harness_fail",
    "missing",
)
ON_PASS = ("coverage_pred_success", "mutation_score_pred_success")
SITE_ONLY = ("pass", "compiles")
"""Rates of the public site that the paper's tables leave out (TEB-V07)."""
WORST = Column("Success, worst case", "percent", "up")
WORST_NOTE = f"{WORST.title}: every task that is out of the aggregates counts as a failure."
TITLES = {Track.GENERATION: "test generation", Track.UPDATE: "test update"}


def metric_column(metric: Metric) -> Column:
    return Column(metric.title, "points" if metric.signed else "percent", metric.better)


def keys_for(keys: Iterable[str], track: Track) -> tuple[str, ...]:
    return tuple(key for key in keys if track in BY_KEY[key].tracks)


def value_of(one: Summary, key: str, averaging: str) -> Cell:
    return (one.macro if averaging == "macro" else one.micro)[key].value


def results_table(
    summaries: Sequence[Summary],
    track: Track,
    averaging: str,
    keys: Iterable[str] = (*OUTCOMES, *ON_PASS, *SITE_ONLY),
    *,
    name: str = "results",
    title: str = "Results",
) -> Table:
    """Table 3: a row per system with its rates and the quality of what passes."""
    used = keys_for(keys, track)
    rows = [one for one in summaries if one.track is track]
    worst = (WORST,) if "success" in used else ()
    return Table(
        name=f"{name}_{track.value}_{averaging}",
        title=f"{title}, {TITLES[track]} ({averaging} averages)",
        columns=(
            Column("System"),
            Column("Tasks", "count"),
            Column("Methods", "count"),
            *(metric_column(BY_KEY[key]) for key in used),
            *worst,
        ),
        rows=tuple(
            (
                one.system,
                one.tasks,
                one.methods,
                *(value_of(one, key, averaging) for key in used),
                *(one.worst[averaging].value for _ in worst),
            )
            for one in rows
        ),
        notes=(
            MACRO if averaging == "macro" else MICRO,
            *left_out_notes(rows),
            *glossary_lines(used),
            *(WORST_NOTE for _ in worst),
        ),
    )


def left_out_notes(rows: Iterable[Summary]) -> list[str]:
    """Graded items that are in no aggregate, per system."""
    return [f"{one.system}: out of the aggregates are {counted(one.left_out)} tasks." for one in rows if one.left_out]


def quality_table(summaries: Sequence[Summary], track: Track, kind: str, averaging: str = "macro") -> Table:
    """Tables 6 to 9: wide, on-pass, the developer's on the same methods and the difference, in all definitions.

    Args:
        kind: `coverage` or `mutation_score`.
    """
    stems = [stem for stem in MEASURES if stem.startswith(kind)]
    keys = [f"{stem}_{form}" for stem in stems for form in ("pred", "pred_success", "gold_on_pass", "delta_on_pass")]
    word = "Coverage" if kind == "coverage" else "Mutation score"
    name = "coverage" if kind == "coverage" else "mutation"
    return results_table(summaries, track, averaging, keys, name=name, title=word)


def fields_table(summaries: Sequence[Summary]) -> Table:
    """The eight leaderboard fields of every system and track (TEB-V23), macro."""
    return Table(
        name="leaderboard_fields",
        title="The eight released fields (macro averages)",
        columns=(Column("Track"), Column("System"), *(Column(key, "percent") for key in LEADERBOARD_FIELDS)),
        rows=tuple(
            (one.track.value, one.system, *(one.macro[key].value for key in LEADERBOARD_FIELDS)) for one in summaries
        ),
        notes=(
            "Without suffix: wide, methods without a value as 0. With _success: narrow, mean over those with a value.",
            "Means over the tasks where the field is defined; every task weighs the same.",
        ),
    )


def mutation_table(rows: Sequence[MutationStatistics]) -> Table:
    """Table 4."""
    return table_of(
        "mutation_statistics",
        "Mutants per test method (micro: means over methods)",
        rows,
        (
            (Column("Track"), lambda row: row.track.value),
            (Column("System"), lambda row: row.system),
            (Column("Methods", "count"), lambda row: row.methods),
            (Column("Tasks", "count"), lambda row: row.tasks),
            (Column("Methods with mutants", "number"), lambda row: row.with_mutants),
            (Column("of all", "percent"), lambda row: row.share),
            (Column("Generated/method", "number", digits=2), lambda row: row.generated),
            (Column("Killed/method", "number", digits=2), lambda row: row.killed),
            (Column("Kill rate", "percent"), lambda row: row.kill_rate),
            (Column("Pooled rate", "percent"), lambda row: row.pooled_rate),
        ),
        notes=(
            "Over methods whose candidate passes and has at least one mutant; the row mean averages the systems, as "
            "the paper does. Kill rate: mean of the methods' rates. Pooled: all killed over all generated.",
        ),
    )


def cost_table(points: Sequence[tuple[Track, OperatingPoint]]) -> Table:
    """Table 10, with macro and micro side by side."""
    return table_of(
        "costs",
        "Cost-limited operating points",
        points,
        (
            (Column("Track"), lambda row: row[0].value),
            (Column("System"), lambda row: row[1].system),
            (Column("Cap", "dollars"), lambda row: row[1].cap),
            (Column("Tasks", "count"), lambda row: row[1].tasks),
            (Column("Cost unknown", "count"), lambda row: row[1].unknown),
            (Column("Kept", "percent"), lambda row: row[1].kept),
            (Column("Avg tokens", "tokens"), lambda row: row[1].average_tokens),
            (Column("Avg cost", "dollars"), lambda row: row[1].average_cost),
            (Column("Avg run time, s", "number"), lambda row: row[1].average_seconds),
            (Column("Success macro", "percent"), lambda row: row[1].success_macro),
            (Column("Success micro", "percent"), lambda row: row[1].success_micro),
            (Column("HrnsFail macro", "percent"), lambda row: row[1].harness_macro),
            (Column("HrnsFail micro", "percent"), lambda row: row[1].harness_micro),
        ),
        notes=(
            "A task that cost more than the cap is a harness failure; without a recorded cost it is never capped. "
            "A dash for the cap is the run as it was. Averages are over tasks at or below the cap.",
        ),
    )
