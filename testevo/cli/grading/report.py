"""`testevo report`: what each system reached, how far to trust it, and why each task ended as it did."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

import typer

from testevo.analysis.output.tables import DASH, Column, shown
from testevo.analysis.reporting.audit_tables import NamedInterval, attempt_title
from testevo.analysis.reporting.main_tables import ON_PASS, OUTCOMES, TITLES, keys_for
from testevo.analysis.reporting.report import Report, build_report, report_document
from testevo.analysis.reporting.run_folder import not_graded_once, recorded_systems
from testevo.analysis.statistics.attempts import RESOLVED, AttemptPoint
from testevo.analysis.statistics.glossary import BY_KEY, glossary_lines
from testevo.analysis.statistics.metrics import Average, Summary, counted
from testevo.analysis.statistics.results import TaskResult
from testevo.cli.inspecting.pages import START, content_of, open_page, part_of, write_pages
from testevo.cli.options import require_one_of
from testevo.cli.output import Line, columns, show
from testevo.cli.places import DEFAULT, DatasetOption, SnapshotOption, dataset_of_run, one_of
from testevo.cli.selection import NOTHING_CHOSEN, Choice, choosing, chosen_systems, chosen_tasks
from testevo.config.model import CONTROLS, Analysis
from testevo.config.resolved import read_resolved
from testevo.config.snapshot.layout import Layout
from testevo.config.systems import graded_controls, systems_of
from testevo.grading.dataset.voided_results import of_part, void_impossible
from testevo.grading.submissions.selection import selected
from testevo.grading.verdicts.impossible import Impossible
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.records.base import read_records
from testevo.records.evaluation.grading import GradedTask
from testevo.records.tasks import Task, Track
from testevo.runtime.errors import ExitStatus, UsageError, UserError

SHOWN_SUSPECTS = 10
SHOWN_OUTCOMES = 10
SHOWN_ATTEMPTS = (RESOLVED, "success")


@dataclass(frozen=True)
class Run:
    """A grading run as it lies in a folder."""

    graded: Sequence[GradedTask]
    tasks: Sequence[Task]
    settings: Analysis
    controls: tuple[str, ...]
    cost_cap: float | None
    notes: tuple[str, ...] = ()
    not_once: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """A sentence for each task that a system is not graded on, or more than once, by system: the run was broken off."""
    impossible: tuple[Impossible, ...] = ()
    """Outcomes that point at the harness; the results that have them are harness failures here."""


@choosing
def report(
    results: Annotated[
        Path | None, typer.Argument(help="Folder of a grading run, the same as --snapshot, or a file of graded tasks.")
    ] = None,
    tasks: Annotated[
        bool, typer.Option("--tasks", help="Also list every task with the reason of its outcome.")
    ] = False,
    choice: Choice = NOTHING_CHOSEN,
    cap: Annotated[
        float | None, typer.Option("--cap", min=0, help="Tasks that cost more, in US dollars, are harness failures.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all numbers as JSON instead.")] = False,
    open_it: Annotated[
        bool, typer.Option("--open", help="Write the pages of the run into its folder `site`, and show them.")
    ] = False,
    snapshot: SnapshotOption = None,
    dataset: DatasetOption = None,
) -> int:
    """Summarise a grading run. Exit status 6 when it was broken off, so that tasks of some system are not graded.

    testevo report results/graded --tasks
    """
    require_one_of({"--tasks": tasks, "--json": as_json, "--open": open_it})
    place = one_of(results, snapshot, dataset) or DEFAULT
    run = chosen_part(read_run(place), choice, place)
    limit = run.cost_cap if cap is None else cap
    for line in broken_off(run):
        print(line, file=sys.stderr)
    status = ExitStatus.PARTIAL if any(run.not_once.values()) else ExitStatus.OK
    if open_it:
        show_pages(place, run.graded, limit)
        return status
    made = build_report(
        run.graded, run.tasks, run.settings, controls=run.controls, cost_cap=limit, impossible=run.impossible
    )
    if as_json:
        print(json.dumps(report_document(made), indent=1, ensure_ascii=False))
        return status
    lines: list[str | Line] = [*run.notes, *warning_lines(made), *track_lines(made), *audit_lines(made)]
    if tasks:
        lines += task_lines(made.results)
    else:
        lines.append(Line("--tasks lists every task with its reason; --json prints all numbers.", "faint"))
    show(lines)
    return status


def broken_off(run: Run) -> list[str]:
    """What is missing of a run, with the next step; nothing where it is whole."""
    found = [sentence for of_system in run.not_once.values() for sentence in of_system]
    if not found:
        return []
    return [
        *(f"WARNING {one}" for one in found[:SHOWN_OUTCOMES]),
        f"WARNING {len(found)} results are not there once, as the run was broken off. Run the same `testevo evaluate` "
        "again to resume it.",
    ]


def show_pages(place: Path, graded: Sequence[GradedTask], limit: float | None) -> None:
    """Show the pages of some graded tasks of a run."""
    if place.is_file():
        raise UsageError(f"--open: {place} is a file of graded tasks. Give the folder of the run.")
    layout = Layout(place)
    content = replace(part_of(content_of(layout), graded), cost_cap=limit)
    show([write_pages(content, layout.site)])
    open_page(layout.site / START)


def chosen_part(run: Run, choice: Choice, place: Path) -> Run:
    """What is asked for of a run; controls stay unless systems are named."""
    systems = chosen_systems(choice.system, {one.system for one in run.graded})
    graded = chosen_tasks([one for one in run.graded if one.system in systems], choice.selection(), place)
    if choice.only_predicted:
        absent = {(one.task_id, one.track) for one in graded if one.is_missing}
        graded = [one for one in graded if (one.task_id, one.track) not in absent]
        if not graded:
            raise UsageError("--only-predicted: no chosen task has a prediction of every chosen system.")
    kept = {(one.task_id, one.track) for one in graded}
    tasks = [one for one in run.tasks if (one.task_id, one.track) in kept]
    impossible = of_part(run.impossible, tasks, {one.system for one in graded})
    not_once = {name: said for name, said in run.not_once.items() if not choice.system or name in systems}
    return replace(run, graded=graded, tasks=tasks, not_once=not_once, impossible=impossible)


def read_run(place: Path) -> Run:
    """The graded tasks of a folder or file, and what they were graded against."""
    if place.is_file():
        note = "A file of graded tasks alone: the developer's values are unknown."
        return Run(read_records(place, GradedTask), (), Analysis(), CONTROLS, None, (note,))
    if not (place / "config.json").is_file():
        raise UserError(
            f"{place} is not a folder of a grading run (no config.json). Give the --output of `testevo evaluate`."
        )
    config, layout = read_resolved(place / "config.json"), Layout(place)
    graded = recorded_systems(layout)
    if not graded:
        raise UserError(f"{place} holds no graded tasks. Run `testevo evaluate` first.")
    controls = graded_controls(config.evaluation)
    folder = dataset_of_run(config, layout)
    if not (folder / "snapshot.json").is_file():
        note = f"The dataset {folder} is not there: the developer's values are unknown."
        return Run(graded, (), config.analysis, controls, config.evaluation.cost_cap, (note,))
    dataset = open_dataset(folder)
    tasks = selected(dataset.tasks, config.evaluation)
    systems = {record.system for record in graded} | systems_of(config.evaluation).keys()
    not_once = {name: not_graded_once(graded, tasks, [name]) for name in sorted(systems)}
    results = void_impossible(dataset, graded, tasks)
    cap = config.evaluation.cost_cap
    return Run(results.graded, tasks, config.analysis, controls, cap, (), not_once, results.impossible)


def warning_lines(made: Report) -> list[Line]:
    lines = [f"WARNING {warning}" for warning in made.warnings]
    if made.impossible:
        lines.append(
            f"WARNING {len(made.impossible)} outcomes are impossible; the results that have them are harness failures. "
            f"Grade these again, and report them if they come back:"
        )
        lines += [f"  {one}" for one in made.impossible[:SHOWN_OUTCOMES]]
        more = len(made.impossible) - SHOWN_OUTCOMES
        lines += [f"  and {more} more (table impossible_outcomes)"] if more > 0 else []
    return [Line(line, "warning") for line in lines]


def track_lines(made: Report) -> list[str | Line]:
    used: set[str] = set()
    lines: list[str | Line] = []
    for track in Track:
        rows = [one for one in made.summaries if one.track is track]
        if rows:
            keys = keys_for((*OUTCOMES, *ON_PASS), track)
            used |= set(keys)
            lines += [Line(TITLES[track].capitalize(), "heading"), *track_table(rows, keys, made), ""]
    lines.append(
        "Per cent, macro / micro: averaged over tasks / over methods; one number when both agree; a dash is undefined, "
        "not zero."
    )
    lines += [f"  {line}" for line in glossary_lines(tuple(key for key in BY_KEY if key in used))]
    return [*lines, "  Left out: graded tasks in no aggregate, by kind. Worst: Success, with these as failures.", ""]


def track_table(summaries: Sequence[Summary], keys: Sequence[str], made: Report) -> list[Line]:
    headings = ("system", "tasks", "methods", *(BY_KEY[key].title for key in keys), "worst", "left out")
    rows = [
        (name, *summary_cells(one, keys))
        for name in (*made.systems, *made.controls)
        for one in summaries
        if one.system == name
    ]
    return columns(headings, rows, right=range(1, len(headings)))


def summary_cells(one: Summary, keys: Sequence[str]) -> list[str]:
    cells = [both_averages(one.macro[key], one.micro[key]) for key in keys]
    cells.append(both_averages(one.worst["macro"], one.worst["micro"]))
    methods = DASH if one.methods is None else str(one.methods)
    return [str(one.tasks), methods, *cells, counted(one.left_out) if one.left_out else "0"]


def both_averages(macro: Average, micro: Average) -> str:
    """`74.5 / 86.1`, in per cent; one number when both are the same."""
    column = Column("", "percent")
    tasks, methods = (shown(side.value, column).removesuffix("%") for side in (macro, micro))
    return tasks if tasks == methods else f"{tasks} / {methods}"


def audit_lines(made: Report) -> list[str]:
    """Intervals, several attempts, dominating repositories and suspects, a line each."""
    lines = []
    for track, one in made.tracks.items():
        for row in one.intervals:
            if row.system in made.systems and (row.weighting, row.cluster) == ("tasks", "repository"):
                lines.append(f"{TITLES[track]}, {row.system}: {interval_words(row)}")
        lines += [f"{TITLES[track]}, {attempt_words(point)}" for point in one.attempts if point.key in SHOWN_ATTEMPTS]
        for heavy in one.dominating:
            lines.append(
                f"{TITLES[track]}: {heavy.repository} holds {100 * heavy.rate_share:.0f} % of "
                f"{BY_KEY[heavy.key].title} with {100 * heavy.task_share:.0f} % of the tasks."
            )
    counted = [one for one in made.results if one.system in made.systems and one.excluded is None]
    weak = [f"  {one.system}, {one.task_id}, {line}" for one in counted for line in one.weakened]
    bare = [f"  {one.system}, {one.task_id}, {line}" for one in counted for line in one.unasserted]
    for found, what in (
        (weak, "updates succeed and check less than the old test"),
        (bare, "tests succeed and fail nowhere by an assertion"),
    ):
        if found:
            lines += [f"{len(found)} {what}:", *found[:SHOWN_SUSPECTS]]
            lines += ["  ..."] if len(found) > SHOWN_SUSPECTS else []
    if made.suspects:
        lines.append(f"{len(made.suspects)} suspect tasks, to look at before a failure is held against a system:")
        lines += [f"  {one.task_id}: {'; '.join(one.reasons)}" for one in made.suspects[:SHOWN_SUSPECTS]]
    return lines


def interval_words(row: NamedInterval) -> str:
    """`Success 74.5 [60.3, 86.6] macro, 94 repositories`, or why there is no interval."""
    found = row.interval
    value = f"{BY_KEY[row.key].title} {100 * (found.estimate or 0):.1f}"
    if found.low is None or found.high is None:
        return f"{value} macro, too few repositories for an interval ({found.effective:.1f} effective)"
    return f"{value} [{100 * found.low:.1f}, {100 * found.high:.1f}] macro, {found.clusters} repositories"


def attempt_words(point: AttemptPoint) -> str:
    """`mine: Success, pass@2 74.5 [60.3, 86.6], attempt@2 70.0 macro, 12 tasks`."""
    found = point.pass_at_k
    bounds = "" if found.low is None or found.high is None else f" [{100 * found.low:.1f}, {100 * found.high:.1f}]"
    value, first = 100 * (found.estimate or 0), 100 * (point.attempt_at_k or 0)
    left_out = f", {point.fewer} with fewer attempts left out" if point.fewer else ""
    return (
        f"{point.system}: {attempt_title(point.key)}, pass@{point.k} {value:.1f}{bounds}, attempt@{point.k} "
        f"{first:.1f} macro, {found.tasks} tasks{left_out}"
    )


def task_lines(results: Sequence[TaskResult]) -> list[str]:
    lines = []
    for one in results:
        success = one.values.get("success")
        share = one.excluded or f"success {DASH if success is None else f'{100 * success:.0f} %'}"
        lines.append(f"{one.system}  {one.task_id}  {one.track.value}  {share}")
        lines += [f"    {reason}" for reason in one.reasons]
    return lines
