"""All pages of a site, in the order of its menu."""

from collections.abc import Iterator, Sequence

from testevo.analysis.paper.reproduction import TABLE_3
from testevo.analysis.reporting import figures
from testevo.analysis.reporting.audit_tables import impossible_table, suspect_table
from testevo.analysis.reporting.dataset_tables import tasks_by_half_year
from testevo.analysis.reporting.figures import Figure, to_svg
from testevo.analysis.reporting.html_text import data_table
from testevo.analysis.reporting.main_tables import TITLES
from testevo.analysis.reporting.report import suspects_of
from testevo.analysis.reporting.snapshot_sections import funnel_section
from testevo.analysis.statistics.glossary import METRICS
from testevo.analysis.statistics.metrics import run_warnings
from testevo.analysis.statistics.windows import over_time
from testevo.config.model_cutoffs import known_cutoffs
from testevo.records.evaluation.grading import Discrimination, Grade, Undefined, Weakening
from testevo.records.labels import DropReason, LabelKind
from testevo.records.tasks import Track
from testevo.records.verdicts import Outcome
from testevo.runtime.clock import utc_date
from testevo.site.board import COST, Board, boards_of, month_after
from testevo.site.content import SiteContent
from testevo.site.mined_pages import about_page, dropped_page, repository_pages, snapshots_page
from testevo.site.rendering import Page, chunk, render, static_files, trusted
from testevo.site.system_pages import addresses_of_systems, compare_page, system_pages
from testevo.site.task_pages import task_listing, task_pages

MENU = (
    ("index.html", "Overview"),
    ("leaderboard.html", "Leaderboard"),
    ("tasks.html", "Tasks"),
    ("systems.html", "Systems"),
    ("compare.html", "Compare"),
    ("repositories.html", "Repositories"),
    ("dropped.html", "Dropped"),
    ("snapshots.html", "Snapshots"),
    ("methods.html", "Methods"),
    ("submit.html", "Submit"),
    ("about.html", "About"),
)

SHOWN_DOUBTS = 20
"""Rows of each kind on the first page."""


def site_files(content: SiteContent) -> Iterator[tuple[str, bytes]]:
    """Every file of the site by its name, one after the other: a site of thousands of tasks is never held whole."""
    boards = boards_of(content, [one.last_day for one in known_cutoffs()])
    shared = {"menu": MENU, "snapshot": content.name, "systems": addresses_of_systems(content), "Track": Track}
    yield from static_files().items()
    shown = all_figures(content, boards)
    yield from ((f"figures/{figure.name}.svg", to_svg(figure)) for figure in shown)
    for board in boards:
        yield from board_files(board)
    for page in all_pages(content, boards, shown):
        yield page.name, render(page, shared)
        if "listing" in page.values:
            yield from page.values["listing"].files()


def board_files(board: Board) -> Iterator[tuple[str, bytes]]:
    """The chunks of a leaderboard: one that all need, and the values of each metric apart."""
    yield f"data/board-{board.name}.js", chunk(f"board-{board.name}", board.index())
    for metric in board.metrics:
        name = f"board-{board.name}-{metric.key}"
        yield f"data/{name}.js", chunk(name, board.values(metric))


def all_pages(content: SiteContent, boards: Sequence[Board], shown: Sequence[Figure]) -> Iterator[Page]:
    yield overview_page(content, boards, shown)
    yield leaderboard_page(boards)
    yield Page("tasks.html", "tasks.html", "Tasks", {"listing": task_listing(content)})
    yield Page("systems.html", "systems.html", "Systems", {"boards": boards, "controls": content.controls})
    yield compare_page(boards)
    yield dropped_page(content)
    yield snapshots_page(content)
    yield methods_page()
    yield Page("submit.html", "submit.html", "Submit", {})
    yield about_page(content)
    yield from repository_pages(content)
    yield from system_pages(content, boards)
    yield from task_pages(content)


def leaderboard_page(boards: Sequence[Board]) -> Page:
    months = sorted({one for board in boards for one in board.months})
    cutoffs = [(one.model, one.cutoff, month_after(one.last_day)) for one in known_cutoffs()]
    values = {"boards": boards, "months": months, "cutoffs": cutoffs, "paper": TABLE_3}
    return Page("leaderboard.html", "leaderboard.html", "Leaderboard", values)


def overview_page(content: SiteContent, boards: Sequence[Board], shown: Sequence[Figure]) -> Page:
    """What there is, what happened, what to doubt and what to do next."""
    doubtful = suspects_of(content.graded, content.results, content.controls)
    impossible = content.impossible
    values = {
        "tasks": content.tasks,
        "counts": {track: sum(one.track is track for one in content.tasks) for track in Track},
        "methods": sum(len(one.tests) for one in content.tasks),
        "repositories": len({one.repository for one in content.tasks}),
        "dropped": len(content.dropped),
        "funnel": trusted(funnel_section(content.funnel).content),
        "boards": boards,
        "figures": [(one.name, one.description.get("title", "")) for one in shown],
        "warnings": run_warnings(content.results, content.controls),
        "suspects": trusted(data_table(suspect_table(doubtful[:SHOWN_DOUBTS]))) if doubtful else None,
        "suspect_count": len(doubtful),
        "impossible": trusted(data_table(impossible_table(impossible[:SHOWN_DOUBTS]))) if impossible else None,
        "impossible_count": len(impossible),
        "quarantined": sum(one.quarantined is not None for one in content.tasks),
    }
    return Page("index.html", "index.html", "Overview", values)


def all_figures(content: SiteContent, boards: Sequence[Board]) -> list[Figure]:
    """The figures of the tables and the paper, by the definitions that make those."""
    counts = tasks_by_half_year((one.track, utc_date(one.new_time)) for one in content.tasks)
    found = [figures.tasks_per_half_year(counts)]
    for board in boards:
        methods = content.released.methods_in(board.track) if board.imported and content.released else None
        points = over_time(board.results, methods_in=methods, settings=content.settings)
        title = f"Success by half-year, {TITLES[board.track]}{', imported' if board.imported else ''}"
        found.append(figures.success_over_time(points, name=f"success_over_time_{board.name}", title=title))
    return found


def methods_page() -> Page:
    """Every metric, grade, label and reason, in the words of its own definition."""
    kinds = {
        "Grades of a target method": Grade,
        "How a passing test tells old code from new": Discrimination,
        "Why there is no measurement": Undefined,
        "How an update checks less": Weakening,
        "Outcomes of a run": Outcome,
        "Labels of a test change": LabelKind,
        "Reasons to drop a candidate": DropReason,
    }
    return Page("methods.html", "methods.html", "Methods", {"metrics": [*METRICS, COST], "kinds": kinds})
