"""Everything that is said about a grading run, computed once for `report.json`, tables, figures and the command."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from enum import Enum
from typing import Any

from testevo.analysis.reporting.audit_tables import NamedInterval
from testevo.analysis.reporting.main_tables import ON_PASS, OUTCOMES, keys_for
from testevo.analysis.reporting.validation import own_success
from testevo.analysis.statistics.attempts import AttemptPoint, attempt_points, first_attempts
from testevo.analysis.statistics.audit import (
    Dominance,
    Group,
    Influence,
    Item,
    Suspect,
    dominances,
    grouped,
    influences,
    items,
    suspects,
)
from testevo.analysis.statistics.comparison import Comparison, compare_all
from testevo.analysis.statistics.costs import OperatingPoint, capped, operating_point
from testevo.analysis.statistics.glossary import METRICS
from testevo.analysis.statistics.intervals import Clustering, interval, power_note
from testevo.analysis.statistics.metrics import (
    MutationStatistics,
    Summary,
    averaged_over_systems,
    mutation_statistics,
    run_warnings,
    summarise,
)
from testevo.analysis.statistics.results import TaskResult, task_results
from testevo.analysis.statistics.windows import CutoffPoint, WindowPoint, around_cutoffs, over_time
from testevo.config.model import CONTROLS, Analysis
from testevo.config.model_cutoffs import known_cutoffs
from testevo.config.systems import attempts_of
from testevo.grading.verdicts.impossible import Impossible
from testevo.records.evaluation.grading import GradedTask
from testevo.records.tasks import Task, Track

REPORT_VERSION = 1
JUDGED = (*OUTCOMES, *ON_PASS)
"""Metrics with intervals and comparisons, Success first."""


@dataclass(frozen=True)
class TrackReport:
    """The section about one track; of the systems, or of the controls when there are no others."""

    track: Track
    intervals: tuple[NamedInterval, ...]
    attempts: tuple[AttemptPoint, ...]
    """Of the systems with more than one; everything else uses first attempts only."""
    comparisons: tuple[Comparison, ...]
    without_each: tuple[Influence, ...]
    dominating: tuple[Dominance, ...]
    over_time: tuple[WindowPoint, ...]
    around_cutoffs: tuple[CutoffPoint, ...]


@dataclass(frozen=True)
class Report:
    """A grading run in numbers."""

    results: tuple[TaskResult, ...]
    """Of first attempts, after the cost cap, if one is configured; controls included."""
    tasks: tuple[Task, ...]
    systems: tuple[str, ...]
    controls: tuple[str, ...]
    summaries: tuple[Summary, ...]
    mutation: tuple[MutationStatistics, ...]
    costs: tuple[tuple[Track, OperatingPoint], ...]
    tracks: Mapping[Track, TrackReport]
    items: tuple[Item, ...]
    suspects: tuple[Suspect, ...]
    groups: tuple[tuple[Track, str, Group], ...]
    warnings: tuple[str, ...]
    impossible: tuple[Impossible, ...] = ()
    """Outcomes that cannot be; the results that have them are harness failures."""

    @property
    def compared(self) -> tuple[str, ...]:
        """The systems that are compared with each other: the controls only when there is no other."""
        return self.systems or self.controls


def build_report(
    graded: Sequence[GradedTask],
    tasks: Sequence[Task],
    settings: Analysis,
    *,
    controls: Iterable[str] = CONTROLS,
    cost_cap: float | None = None,
    impossible: Sequence[Impossible] = (),
) -> Report:
    """Compute all of it.

    Args:
        graded: of any number of systems, attempts and files.
        tasks: of the dataset, for the developer's values.
        controls: names of control submissions; they are shown apart and take no part in the audit.
        cost_cap: US dollars above which a task counts as a harness failure.
        impossible: outcomes that cannot be; the results that have them are voided already (`void_impossible`).
    """
    every = task_results(graded, tasks)
    controls = tuple(controls)
    known = set(controls)
    attempts = attempts_of({one.system for one in graded} - known)
    graded = first_attempts(graded, known)
    first = {one.system for one in graded}
    uncapped = [result for result in every if result.system in first]
    results = capped(uncapped, cost_cap)
    names = sorted({result.system for result in results})
    systems, own_controls = [n for n in names if n not in known], [n for n in names if n in known]
    compared = [result for result in results if result.system in (systems or own_controls)]
    entries = [result for result in results if result.system in systems and not result.values.get("missing")]
    found = items(entries)
    tried = capped(every, cost_cap)
    excluded = [(one.system, one.task_id, one.track) for one in results if one.excluded is not None]
    above = [(one.system, one.task_id, one.track) for one, was in zip(results, uncapped, strict=True) if one is not was]
    statistics = mutation_statistics(graded, excluded, above)
    return Report(
        results=tuple(results),
        tasks=tuple(tasks),
        systems=tuple(systems),
        controls=tuple(own_controls),
        summaries=tuple(summarise(results)),
        mutation=(*statistics, *averaged_over_systems(statistics, systems)),
        costs=tuple(operating_points(uncapped, systems, settings.caps)),
        tracks={
            track: track_report(track, compared, attempt_points(tried, track, attempts, settings), settings)
            for track in Track
        },
        items=tuple(found),
        suspects=tuple(suspects_of(graded, results, controls)),
        groups=tuple(
            (track, by, group)
            for track in Track
            for by in ("repository", "month")
            for group in grouped([item for item in found if item.track is track], by)
        ),
        warnings=tuple(run_warnings(results, known)),
        impossible=tuple(impossible),
    )


def suspects_of(graded: Iterable[GradedTask], results: Sequence[TaskResult], controls: Iterable[str]) -> list[Suspect]:
    """The tasks to look at before their failures are held against a submitted system.

    Args:
        graded: the records of the results.
        results: of all systems.
        controls: names of control submissions.
    """
    known = set(controls)
    unearned = {
        (record.system, record.task_id, record.track)
        for record in graded
        if record.system == "trivial" and record.system in known
        if any(own_success(method, record.track) for method in record.methods)
    }
    return suspects(
        [one for one in results if one.system not in known and not one.values.get("missing")],
        gold=[one for one in results if one.system == "gold" and one.system in known],
        trivial=[one for one in results if (one.system, one.task_id, one.track) in unearned],
    )


def operating_points(
    results: Sequence[TaskResult], systems: Sequence[str], caps: Sequence[float]
) -> list[tuple[Track, OperatingPoint]]:
    """Every system at no cap and at each cap, dearest first."""
    points = []
    for track in Track:
        for system in systems:
            own = [one for one in results if one.system == system and one.track is track and one.excluded is None]
            if own:
                points += [(track, operating_point(own, cap)) for cap in (None, *sorted(caps, reverse=True))]
    return points


def track_report(
    track: Track, results: Sequence[TaskResult], attempts: Sequence[AttemptPoint], settings: Analysis
) -> TrackReport:
    own = [result for result in results if result.track is track]
    systems = sorted({result.system for result in own})
    return TrackReport(
        track=track,
        intervals=tuple(named_intervals(own, systems, settings)),
        attempts=tuple(attempts),
        comparisons=tuple(compare_all(own, keys_for(JUDGED, track), systems, settings)),
        without_each=tuple(influences(own, "success")),
        dominating=tuple(dominances(own)),
        over_time=tuple(over_time(own, settings=settings)),
        around_cutoffs=tuple(around_cutoffs(own, "success", known_cutoffs(), settings)),
    )


def named_intervals(results: Sequence[TaskResult], systems: Iterable[str], settings: Analysis) -> list[NamedInterval]:
    """Every judged metric of each system with repositories as clusters, and Success in other weightings too.

    Those are: by pair, each repository alike, and at most so many tasks of each. Results of one track.
    """
    others: list[tuple[str, float | None, Clustering]] = [("tasks", None, "pair"), ("repositories", 1.0, "repository")]
    if settings.repository_cap is not None:
        others.append((f"at most {settings.repository_cap} per repository", settings.repository_cap, "repository"))
    rows = []
    for system in systems:
        own = [result for result in results if result.system == system]
        for key in keys_for(JUDGED, own[0].track) if own else ():
            one = interval(own, key, settings)
            rows += [NamedInterval(system, key, "tasks", "repository", one)] if one.tasks else []
        for name, most, cluster in others:
            one = interval(own, "success", settings, cluster=cluster, per_repository=most)
            rows.append(NamedInterval(system, "success", name, cluster, one))
    return rows


def power_notes(results: Sequence[TaskResult], systems: Sequence[str], settings: Analysis) -> list[str]:
    """The differences that each system's number of tasks and repositories can show."""
    notes = []
    for system in systems:
        own = [result for result in results if result.system == system]
        notes.append(f"{system}: {power_note(interval(own, 'success', settings))}")
    return notes


def report_document(report: Report) -> dict[str, Any]:
    """`report.json`: every number with its averaging named, and the glossary. Shares are 0 to 1; undefined is null."""
    return {
        "version": REPORT_VERSION,
        "glossary": {
            one.key: {"title": one.title, "meaning": one.meaning, "source": one.source, "undefined": one.undefined}
            for one in METRICS
        },
        "systems": list(report.systems),
        "controls": list(report.controls),
        "warnings": list(report.warnings),
        "impossible": [str(one) for one in report.impossible],
        "summaries": [plain(one) for one in report.summaries],
        "mutation_statistics": [plain(one) for one in report.mutation],
        "costs": [{"track": track.value, **plain(one)} for track, one in report.costs],
        "tracks": {track.value: plain(one) for track, one in report.tracks.items()},
        "items": [plain(one) for one in report.items],
        "suspects": [plain(one) for one in report.suspects],
        "agent_independent": [{"track": track.value, "by": by, **plain(one)} for track, by, one in report.groups],
        "tasks": [task_document(one) for one in report.results],
    }


def task_document(result: TaskResult) -> dict[str, Any]:
    return {
        "system": result.system,
        "task_id": result.task_id,
        "track": result.track.value,
        "repository": result.repository,
        "day": str(result.day),
        "methods": result.methods,
        "excluded": result.excluded,
        "cost_usd": result.cost_usd,
        "values": {key: rounded(value) for key, value in sorted(result.values.items())},
        "grades": [grade.value for grade in result.grades],
        "reasons": list(result.reasons),
    }


def plain(value: Any) -> Any:
    """A value as JSON: dataclasses as objects, numbers to ten digits so that equal data gives equal bytes."""
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, date) else rounded(value)


def rounded(value: Any) -> Any:
    return float(f"{value:.10g}") if isinstance(value, float) else value
