"""`testevo submit`: check submissions to the leaderboard, grade them here, make the board (docs/submissions.md)."""

import os
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Annotated

import typer

from testevo.analysis.reporting.run_folder import graded_tasks
from testevo.analysis.statistics.glossary import BY_KEY
from testevo.cli.grading.evaluate import evaluate
from testevo.cli.options import FurtherSettings, SandboxOption
from testevo.cli.output import Line, columns, show
from testevo.cli.places import DatasetOption, SnapshotOption, require_dataset
from testevo.cli.selection import Choice
from testevo.config.model_cutoffs import last_day_of
from testevo.config.snapshot.layout import Layout
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.grading.dataset.voided_results import void_impossible
from testevo.grading.leaderboard.board import Board, board_file, graded_entries, imported_entries, keep
from testevo.grading.leaderboard.folder import SubmissionFolder, findings, open_submission
from testevo.packaging.dataset.dataset_folder import DatasetFolder, open_dataset
from testevo.records.evaluation.grading import GradedTask
from testevo.records.evaluation.submissions import BoardEntry
from testevo.records.tasks import Track
from testevo.runtime.errors import ExitStatus, NotFoundError, UserError
from testevo.runtime.files.files import url_safe_name, write_atomically

app = typer.Typer(no_args_is_help=True, help="Check, grade and list submissions to the leaderboard.")

FolderArgument = Annotated[Path, typer.Argument(help="Folder of the submission.")]
BoardOption = Annotated[Path, typer.Option("--board", help="Folder of all graded submissions.")]
BOARD = Path("leaderboard")
DEFINITIONS = {
    "pass": "pass",
    "exec": "exec_fail",
    "cmpl": "compile_fail",
    "hrns": "harness_fail",
    "cov": "coverage_pred_success",
    "mut": "mutation_score_pred_success",
    "disc": "success",
}
"""The metric of each key of a row."""


@app.command("check")
def check(folder: FolderArgument, dataset: DatasetOption = None, snapshot: SnapshotOption = None) -> int:
    """List the defects of a submission; nothing is built or run. Status 3 when it cannot be graded.

    testevo submit check my-submission --dataset results/demo/package/dataset
    """
    return ExitStatus.OK if checked(open_submission(folder), require_dataset(snapshot, dataset)) else ExitStatus.INPUT


def checked(submission: SubmissionFolder, dataset: Path) -> bool:
    """Print what is wrong with a submission, and tell whether it can be graded."""
    with DatasetHistories(dataset) as histories:
        found = findings(submission, histories)
    rows = [("fatal" if one.fatal else "warning", one.defect.value, one.message, one.defect.doc) for one in found]
    fatal = any(one.fatal for one in found)
    state = "cannot be graded yet" if fatal else "can be graded"
    ending = f"{submission.metadata.system}: {len(submission.predictions)} predictions; it {state}."
    show([*(columns(("weight", "defect", "what", "meaning"), rows) if rows else []), Line(ending)])
    return not fatal


@app.command("grade")
def grade(
    folder: FolderArgument,
    dataset: DatasetOption = None,
    snapshot: SnapshotOption = None,
    board: BoardOption = BOARD,
    output: Annotated[
        Path | None, typer.Option("--output", help="Folder of the grading run; results/submission-<system> if absent.")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Jobs at the same time.")] = os.cpu_count() or 1,
    sandbox: SandboxOption = None,
    configuration: FurtherSettings = None,
) -> int:
    """Grade a submission here, and put the grades on the board. The same command resumes.

    testevo submit grade my-submission --dataset results/demo/package/dataset --board leaderboard
    """
    place = require_dataset(snapshot, dataset)
    submission = open_submission(folder)
    if not checked(submission, place):
        return ExitStatus.INPUT
    system = submission.metadata.system
    run = output or Path("results") / f"submission-{url_safe_name(system)}"
    only = submission.metadata.tracks[0].value if len(submission.metadata.tracks) == 1 else None
    evaluate(
        dataset=place,
        predictions=[f"{system}={submission.file}"],
        output=run,
        workers=workers,
        sandbox=sandbox,
        configuration=configuration,
        choice=Choice(track=only),
    )
    opened = open_dataset(place)
    graded = graded_tasks(Layout(run), [system])
    require_possible(graded, opened, run)
    kept = keep(board, submission, graded, opened)
    print(f"{kept} holds the grades. `testevo submit list --board {board}` makes the leaderboard.")
    return ExitStatus.OK


def require_possible(graded: Sequence[GradedTask], dataset: DatasetFolder, run: Path) -> None:
    """Check that no grade of a submission contradicts the dataset or itself.

    Raises:
        UserError: one does, so that what the system reached is not known.
    """
    found = [one for one in void_impossible(dataset, graded, dataset.tasks).impossible if one.system is not None]
    if found:
        raise UserError(
            f"{len(found)} outcomes are impossible, such as that of {found[0]}. Nothing was put on the board. "
            f"`testevo report {run}` lists them; remove {run} and grade again, and report them if they come back."
        )


@app.command("list")
def show_board(
    board: BoardOption = BOARD,
    imported: Annotated[
        list[Path], typer.Option("--imported", help="A released leaderboard file; its entries are marked; repeatable.")
    ] = [],  # noqa: B006 - typer copies it
    output: Annotated[Path | None, typer.Option("--output", help="Write the leaderboard file there.")] = None,
) -> None:
    """Show the leaderboard: submissions graded here, then entries imported from elsewhere.

    testevo submit list --imported released/leaderboard.json --output leaderboard.json
    """
    if not board.is_dir() and not imported:
        raise NotFoundError(f"There is no folder {board}. Give --board or --imported.")
    boards: list[Board] = [graded_entries(board), *map(imported_entries, imported)]
    if output is not None:
        write_atomically(output, board_file(boards, {key: BY_KEY[name].meaning for key, name in DEFINITIONS.items()}))
    for track in Track:
        found = [entry for one in boards for entry in one[track]]
        if found:
            show([Line(track.value.capitalize(), "heading"), *board_table(found), ""])
    print("Success: macro average in per cent. After cutoff: of tasks after the training cutoff of the entry's models.")


def board_table(found: Sequence[BoardEntry]) -> list[Line]:
    """A row for each entry, best first; imported ones last."""
    headings = ("system", "model", "origin", "snapshot", "tasks", "success", "cutoff", "tasks after", "after cutoff")
    rows = []
    for entry in sorted(found, key=lambda one: (one.origin, -success_of(one), one.agent, one.model)):
        after = entry.model_copy(update={"tasks": rows_after(entry)})
        rows.append(
            (
                entry.system or entry.agent,
                entry.model,
                entry.origin,
                entry.dataset or "-",
                str(len(entry.tasks)),
                shown_success(entry),
                entry.cutoff or "-",
                str(len(after.tasks)) if entry.cutoff else "-",
                shown_success(after),
            )
        )
    return columns(headings, rows, right=(4, 5, 7, 8))


def rows_after(entry: BoardEntry) -> tuple[object, ...]:
    """The tasks after the cutoff of an entry's models; none where that is unknown."""
    return tuple(row for row in entry.tasks if entry.cutoff and row.d > last_day_of(entry.cutoff))


def shown_success(entry: BoardEntry) -> str:
    return f"{100 * success_of(entry):.1f}" if entry.tasks else "-"


def success_of(entry: BoardEntry) -> float:
    return fmean(row.success for row in entry.tasks) if entry.tasks else 0.0
