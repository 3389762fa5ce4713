"""The tables that say how far the numbers can be trusted: intervals, comparisons, audit, reasons."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from testevo.analysis.output.tables import Column, Table, table_of
from testevo.analysis.reporting.main_tables import TITLES
from testevo.analysis.statistics.attempts import RESOLVED, AttemptPoint
from testevo.analysis.statistics.audit import Bounds, Dominance, Group, Influence, Item, Suspect
from testevo.analysis.statistics.comparison import Comparison
from testevo.analysis.statistics.glossary import BY_KEY
from testevo.analysis.statistics.intervals import LEAST_CLUSTERS, Interval
from testevo.analysis.statistics.results import TaskResult
from testevo.analysis.statistics.windows import CutoffPoint, WindowPoint
from testevo.grading.verdicts.impossible import Impossible
from testevo.records.tasks import Track


@dataclass(frozen=True)
class NamedInterval:
    """An interval with what it is of."""

    system: str
    key: str
    weighting: str
    """`tasks`, `repositories`, or `at most n per repository`."""
    cluster: str
    interval: Interval


def interval_table(rows: Sequence[NamedInterval], track: Track) -> Table:
    return table_of(
        f"intervals_{track.value}",
        f"Intervals, {TITLES[track]} (macro averages)",
        rows,
        (
            (Column("System"), lambda row: row.system),
            (Column("Metric"), lambda row: BY_KEY[row.key].title),
            (Column("Weights"), lambda row: row.weighting),
            (Column("Clusters"), lambda row: row.cluster),
            (Column("Number", "count"), lambda row: row.interval.clusters),
            (Column("Effective", "number"), lambda row: row.interval.effective),
            (Column("Value", "percent"), lambda row: row.interval.estimate),
            (Column("Low", "percent"), lambda row: row.interval.low),
            (Column("High", "percent"), lambda row: row.interval.high),
            (Column("Detectable", "percent"), lambda row: row.interval.detectable),
            (Column("Note"), lambda row: row.interval.note),
        ),
        notes=(
            "Low and High: 95 % unless configured otherwise, by the variance between clusters. Effective: number of "
            f"clusters if all had the same weight; below {LEAST_CLUSTERS:g} there is no interval. Detectable: the "
            "smallest difference from a fixed value that is found with 80 % probability.",
        ),
    )


def attempt_title(key: str) -> str:
    """The heading of a metric of attempts."""
    return "Resolved" if key == RESOLVED else BY_KEY[key].title


def attempt_table(points: Sequence[AttemptPoint], track: Track) -> Table:
    return table_of(
        f"attempts_{track.value}",
        f"Several attempts, {TITLES[track]}",
        points,
        (
            (Column("System"), lambda one: one.system),
            (Column("Metric"), lambda one: attempt_title(one.key)),
            (Column("k", "count"), lambda one: one.k),
            (Column("Tasks", "count"), lambda one: one.pass_at_k.tasks),
            (Column("Fewer attempts", "count"), lambda one: one.fewer),
            (Column("pass@k macro", "percent"), lambda one: one.pass_at_k.estimate),
            (Column("Low", "percent"), lambda one: one.pass_at_k.low),
            (Column("High", "percent"), lambda one: one.pass_at_k.high),
            (Column("pass@k micro", "percent"), lambda one: one.pass_at_k_micro),
            (Column("attempt@k macro", "percent"), lambda one: one.attempt_at_k),
            (Column("Note"), lambda one: one.pass_at_k.note),
        ),
        notes=(
            "pass@k: the chance that at least one of k attempts has the metric, without bias from all attempts at a "
            "task. attempt@k: one of the first k has it. Methods are averaged within tasks; Resolved: one attempt "
            "succeeds in every method of the task. Tasks with fewer than k attempts are left out and counted.",
            "All other tables are of the first attempts alone.",
        ),
    )


def comparison_table(rows: Sequence[Comparison], track: Track) -> Table:
    return table_of(
        f"comparisons_{track.value}",
        f"Systems compared on the same tasks, {TITLES[track]} (macro)",
        rows,
        (
            (Column("Metric"), lambda one: BY_KEY[one.key].title),
            (Column("Window"), lambda one: one.window),
            (Column("First"), lambda one: one.first),
            (Column("Second"), lambda one: one.second),
            (Column("Tasks", "count"), lambda one: one.difference.tasks),
            (Column("Clusters", "count"), lambda one: one.difference.clusters),
            (Column("First - second", "points"), lambda one: one.difference.estimate),
            (Column("Low", "points"), lambda one: one.difference.low),
            (Column("High", "points"), lambda one: one.difference.high),
            (Column("p", "number", digits=4), lambda one: one.p_value),
            (Column("p, Holm", "number", digits=4), lambda one: one.corrected),
            (Column("Exact"), lambda one: "yes" if one.exact else "sampled"),
            (Column("Note"), lambda one: one.difference.note),
        ),
        notes=(
            "p: two-sided sign-flip test with whole repositories flipped; a dash when no repository differs. Holm: "
            "corrected for all pairs of systems on the metric, for half-years in all half-years.",
        ),
    )


def influence_table(rows: Iterable[Influence], track: Track) -> Table:
    return table_of(
        f"without_each_{track.value}",
        f"Success with and without each repository, {TITLES[track]} (macro)",
        rows,
        (
            (Column("System"), lambda one: one.system),
            (Column("Repository"), lambda one: one.repository),
            (Column("Tasks", "count"), lambda one: one.tasks),
            (Column("of all tasks", "percent"), lambda one: one.task_share),
            (Column("With it", "percent"), lambda one: one.with_it),
            (Column("Without it", "percent"), lambda one: one.without_it),
            (
                Column("Difference", "points", digits=2),
                lambda one: None if one.with_it is None or one.without_it is None else one.without_it - one.with_it,
            ),
        ),
    )


def dominance_table(found: Sequence[tuple[Track, Dominance]]) -> Table:
    """Repositories that hold most of a failure rate, with every system's rate with and without them."""
    return table_of(
        "dominating_repositories",
        "Repositories that dominate a failure rate (macro)",
        [(track, one, part) for track, one in found for part in one.by_system],
        (
            (Column("Track"), lambda row: row[0].value),
            (Column("Rate"), lambda row: row[1].key),
            (Column("Repository"), lambda row: row[1].repository),
            (Column("Tasks", "count"), lambda row: row[1].tasks),
            (Column("of all tasks", "percent"), lambda row: row[1].task_share),
            (Column("of the rate", "percent"), lambda row: row[1].rate_share),
            (Column("Rate inside", "percent"), lambda row: row[1].rate_inside),
            (Column("System"), lambda row: row[2].system),
            (Column("With it", "percent"), lambda row: row[2].with_it),
            (Column("Without it", "percent"), lambda row: row[2].without_it),
        ),
        notes=(
            "Found by itself: the repository holds at least half of a rate, summed over systems, and at least 1.5 "
            "times its share of the tasks.",
        ),
    )


def agreement_table(groups: Sequence[tuple[Track, str, Group]]) -> Table:
    return table_of(
        "agent_independent",
        "Tasks that all systems fail or pass",
        groups,
        (
            (Column("Track"), lambda row: row[0].value),
            (Column("By"), lambda row: row[1]),
            (Column("Name"), lambda row: row[2].name),
            (Column("Tasks", "count"), lambda row: row[2].tasks),
            (Column("All fail", "count"), lambda row: row[2].all_fail),
            (Column("All pass", "count"), lambda row: row[2].all_pass),
            (Column("Success", "percent"), lambda row: row[2].success),
        ),
        notes=("Only tasks graded for every system of the track. Success: mean over systems and tasks.",),
    )


def bounds_table(found: Sequence[Bounds]) -> Table:
    return table_of(
        "agent_independent",
        "Tasks that all systems fail or pass: what rows without task ids prove",
        found,
        (
            (Column("Track"), lambda one: one.track.value),
            (Column("Repository"), lambda one: one.repository),
            (Column("Tasks", "count"), lambda one: one.tasks),
            (Column("All fail, at least", "count"), lambda one: one.fail_at_least),
            (Column("at most", "count"), lambda one: one.fail_at_most),
            (Column("All pass, at least", "count"), lambda one: one.pass_at_least),
            (Column("at most", "count"), lambda one: one.pass_at_most),
        ),
        notes=("Sharp bounds per day of a repository, added up.",),
    )


def item_table(found: Sequence[Item]) -> Table:
    return table_of(
        "items",
        "Item analysis",
        found,
        (
            (Column("Track"), lambda one: one.track.value),
            (Column("Task"), lambda one: one.task_id),
            (Column("Repository"), lambda one: one.repository),
            (Column("Month"), lambda one: one.month),
            (Column("Systems", "count"), lambda one: one.systems),
            (Column("Success", "percent"), lambda one: one.success),
            (Column("Pass", "count"), lambda one: one.passing),
            (Column("Fail", "count"), lambda one: one.failing),
            (Column("Discrimination", "number", digits=2), lambda one: one.discrimination),
        ),
        notes=(
            "Discrimination: correlation over systems between success here and success on the tasks of all other "
            "repositories; a dash with fewer than three systems or without variation.",
        ),
    )


def suspect_table(found: Sequence[Suspect]) -> Table:
    return table_of(
        "suspects",
        "Tasks to look at before a failure is held against a system",
        found,
        (
            (Column("Track"), lambda one: one.track.value),
            (Column("Task"), lambda one: one.task_id),
            (Column("Repository"), lambda one: one.repository),
            (Column("Reasons"), lambda one: "; ".join(one.reasons)),
        ),
    )


def window_table(points: Sequence[WindowPoint], track: Track, least: int) -> Table:
    """Figure 4 as numbers."""
    return table_of(
        f"over_time_{track.value}",
        f"Success by half-year, {TITLES[track]} (macro)",
        points,
        (
            (Column("System"), lambda one: one.system),
            (Column("Window"), lambda one: one.window),
            (Column("Tasks", "count"), lambda one: one.tasks),
            (Column("Methods", "count"), lambda one: one.methods),
            (Column("Repositories", "count"), lambda one: one.repositories),
            (Column("Success", "percent"), lambda one: one.value),
            (Column("Low", "percent"), lambda one: one.interval.low if one.interval else None),
            (Column("High", "percent"), lambda one: one.interval.high if one.interval else None),
            (Column("Note"), lambda one: one.interval.note if one.interval else "too few methods"),
        ),
        notes=(f"A dash: fewer than {least} methods, not shown to suppress noise of small samples.",),
    )


def cutoff_table(points: Sequence[CutoffPoint], track: Track, least: int) -> Table:
    """Success on tasks that a model may have been trained on, and on later ones."""
    return table_of(
        f"cutoffs_{track.value}",
        f"Success before and after training cutoffs, {TITLES[track]} (macro)",
        points,
        (
            (Column("System"), lambda one: one.system),
            (Column("Cutoff"), lambda one: one.cutoff),
            (Column("Of the models"), lambda one: ", ".join(one.models)),
            (Column("Tasks until it", "count"), lambda one: one.tasks_before),
            (Column("Success", "percent"), lambda one: one.before),
            (Column("Tasks after it", "count"), lambda one: one.tasks_after),
            (Column("Success after", "percent"), lambda one: one.after),
            (Column("Low", "percent"), lambda one: one.interval.low if one.interval else None),
            (Column("High", "percent"), lambda one: one.interval.high if one.interval else None),
        ),
        notes=(
            "Cutoffs as published (config/model-cutoffs.yaml); every system is cut by all of them, for predictions "
            f"do not tell its models. A dash: fewer than {least} methods.",
        ),
    )


def weakening_table(results: Sequence[TaskResult]) -> Table:
    """Every update that succeeds and checks less than the old test did."""
    return _tests_table(
        "weakened_updates",
        "Updates that succeed and check less than the old test",
        [(one, line) for one in results if one.excluded is None for line in one.weakened],
        "Test and how it is weaker",
    )


def unasserted_table(results: Sequence[TaskResult]) -> Table:
    """Every test that succeeds and would without its assertions."""
    return _tests_table(
        "unasserted_tests",
        "Tests that succeed and fail nowhere by an assertion",
        [(one, line) for one in results if one.excluded is None for line in one.unasserted],
        "Test and where it fails",
        notes=(
            "What ends a run otherwise than by an assertion would end it without the assertions too. Also the "
            "developers' tests are listed, as the control gold: compare the rates *Unasserted*.",
        ),
    )


def _tests_table(
    name: str, title: str, rows: Sequence[tuple[TaskResult, str]], last: str, notes: tuple[str, ...] = ()
) -> Table:
    """A row for each test that something is said of."""
    return table_of(
        name,
        title,
        rows,
        (
            (Column("System"), lambda row: row[0].system),
            (Column("Task"), lambda row: row[0].task_id),
            (Column("Repository"), lambda row: row[0].repository),
            (Column(last), lambda row: row[1]),
        ),
        notes=notes,
    )


def reasons_table(results: Sequence[TaskResult]) -> Table:
    """Every graded task of every system, with its grades and why."""
    return table_of(
        "reasons",
        "Every task and why",
        results,
        (
            (Column("System"), lambda one: one.system),
            (Column("Task"), lambda one: one.task_id),
            (Column("Track"), lambda one: one.track.value),
            (Column("Success", "percent"), lambda one: one.values.get("success")),
            (Column("Grades"), lambda one: ", ".join(grade.value for grade in one.grades)),
            (Column("In aggregates"), lambda one: one.excluded or "yes"),
            (Column("Reasons"), lambda one: "; ".join(one.reasons)),
        ),
    )


def impossible_table(found: Sequence[Impossible]) -> Table:
    """Outcomes that point at the harness, a row each."""
    return table_of(
        "impossible_outcomes",
        "Outcomes that cannot be, and count for nothing",
        found,
        (
            (Column("System"), lambda one: one.system or "the dataset"),
            (Column("Task"), lambda one: one.task_id),
            (Column("Track"), lambda one: one.track.value),
            (Column("Why"), lambda one: one.text),
        ),
    )
