"""The pages of systems: averages, why tasks failed by pattern, every task; and two systems side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from testevo.analysis.reporting.report import operating_points
from testevo.analysis.statistics.results import task_results
from testevo.records.evaluation.grading import Grade, GradedTask, MethodResult
from testevo.runtime.clock import utc_date
from testevo.runtime.files.files import url_safe_name
from testevo.site.board import Board
from testevo.site.content import SiteContent
from testevo.site.listings import DAY, FACET, LINK, NUMBER, TEXT, Field, Listing
from testevo.site.rendering import Page


@dataclass
class Pattern:
    """Methods that did not succeed in the same way."""

    grade: Grade
    words: str
    methods: int = 0
    tasks: set[str] = field(default_factory=set)
    repositories: set[str] = field(default_factory=set)
    example: str = ""


def system_pages(content: SiteContent, boards: Sequence[Board]) -> Iterator[Page]:
    """A page with its list of tasks per system that was graded here."""
    for system in content.systems:
        graded = [one for one in content.graded if one.system == system]
        listing = results_listing(system, graded, content)
        uncapped = task_results(graded, content.tasks)
        values = {
            "system": system,
            "control": system in content.controls,
            "boards": [one for one in boards if not one.imported and system in one.systems],
            "patterns": patterns_of(graded),
            "listing": listing,
            "points": operating_points(uncapped, [system], content.settings.caps),
            "left_out": [one for one in content.results if one.system == system and one.excluded],
        }
        yield Page(f"systems/{url_safe_name(system)}.html", "system.html", system, values)


def patterns_of(graded: Sequence[GradedTask]) -> list[Pattern]:
    """Why methods did not succeed, the most frequent first."""
    found: dict[tuple[Grade, str], Pattern] = {}
    for task in graded:
        if task.infrastructure is not None or task.quarantined is not None:
            continue
        for method in task.methods:
            if method.grade is not Grade.SUCCESS:
                words = pattern_of(task, method)
                one = found.setdefault((method.grade, words), Pattern(method.grade, words))
                one.methods += 1
                one.tasks.add(task.task_id)
                one.repositories.add(task.repository)
                one.example = one.example or example_of(method)
    return sorted(found.values(), key=lambda one: (-one.methods, one.words))


def pattern_of(task: GradedTask, method: MethodResult) -> str:
    """What a method that does not succeed has in common with others: no name, number or message of its own."""
    if method.grade is Grade.HARNESS_FAIL:
        kinds = sorted({one.kind.value for one in task.defects})
        return ", ".join(kinds) or task.exit_status or "nothing to run"
    if method.grade is Grade.REDUNDANT:
        return "passes on the old code too"
    if method.diagnostics:
        return method.diagnostics[0].code
    return method.exception or (method.new_run.value if method.new_run else "not run")


def example_of(method: MethodResult) -> str:
    if method.diagnostics:
        return method.diagnostics[0].message[:300]
    return (method.message or "")[:300]


def results_listing(system: str, graded: Sequence[GradedTask], content: SiteContent) -> Listing:
    """Every task of a system with its grades and the first pattern."""
    fields = (
        Field("Task", LINK, "tasks/$1/$0.html"),
        Field("Track", FACET),
        Field("Repository", FACET),
        Field("Day", DAY),
        Field("Success", NUMBER),
        Field("Grade", FACET),
        Field("Pattern", FACET),
        Field("Reason", TEXT),
    )
    reasons = {(one.task_id, one.track): one.reasons for one in content.results if one.system == system}
    rows = [row_of(one, reasons.get((one.task_id, one.track), ())) for one in graded]
    return Listing(f"system-{url_safe_name(system)}", fields, sorted(rows, key=lambda row: (row[4] or 0, row[0])))


def row_of(task: GradedTask, reasons: Sequence[str]) -> list[Any]:
    failed = next((method for method in task.methods if method.grade is not Grade.SUCCESS), None)
    out = task.infrastructure or task.quarantined
    return [
        task.task_id,
        task.track.value,
        task.repository,
        utc_date(task.new_time).isoformat(),
        round(100 * task.share(Grade.SUCCESS), 1) if task.methods else None,
        "left out" if out else (failed.grade.value if failed else Grade.SUCCESS.value),
        "" if failed is None or out else pattern_of(task, failed),
        out or (reasons[0][:240] if reasons else ""),
    ]


def compare_page(boards: Sequence[Board]) -> Page:
    """Every pair of systems, and a place where a script shows two of them task by task."""
    return Page("compare.html", "compare.html", "Compare systems", {"boards": boards})


def addresses_of_systems(content: SiteContent) -> dict[str, str]:
    """Page of each graded system by its name."""
    return {name: f"systems/{url_safe_name(name)}.html" for name in content.systems}
