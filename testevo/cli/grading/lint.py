"""`testevo lint`: what is wrong with predictions, task by task, before anything is built or run."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from testevo.cli.output import Line, columns, show
from testevo.cli.places import DatasetOption, SnapshotOption, require_dataset
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.grading.lint import edits_for, unknown_tasks
from testevo.grading.submissions.prediction_files import read_predictions
from testevo.grading.submissions.selection import matches
from testevo.records.evaluation.predictions import Defect, Edit
from testevo.runtime.errors import ExitStatus, UsageError


def lint(
    predictions: Annotated[Path, typer.Option("--predictions", help="File of predictions (docs/predictions.md).")],
    dataset: DatasetOption = None,
    snapshot: SnapshotOption = None,
    system: Annotated[
        str | None, typer.Option("--system", help="Name of the system, instead of the one in the file.")
    ] = None,
    tasks: Annotated[
        str, typer.Option("--tasks", help="Only tasks of these ids: shell patterns, comma-separated.")
    ] = "*",
    repair: Annotated[bool, typer.Option("--repair", help="Repair what `evaluate --repair` would repair.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> int:
    """Explain every defect of a predictions file; nothing is built or run.

    Exit status 3 when some prediction could not be graded, 0 when there are warnings at most.

    Example: testevo lint --dataset results/demo/dataset --predictions mine.jsonl
    """
    place = require_dataset(snapshot, dataset)
    given = read_predictions(predictions, system)
    with DatasetHistories(place) as histories:
        chosen = [task for task in histories.tasks if matches(task.task_id, tasks)]
        if not chosen:
            raise UsageError(f"No task of {place} matches {tasks!r}. Give a shell pattern of task ids.")
        edits = edits_for(given, given[0].system, chosen, histories.target_of, repair)
        unknown = unknown_tasks(given, histories.tasks)
    if as_json:
        print(json.dumps(document(edits, unknown), indent=1, ensure_ascii=False))
    else:
        print_findings(edits, unknown)
    return ExitStatus.INPUT if any(map(is_fatal, (*edits, *unknown))) else ExitStatus.OK


def is_fatal(edit: Edit) -> bool:
    return any(defect.fatal for defect in edit.defects)


def weight(defect: Defect) -> str:
    """How much a defect matters: a harness failure, repaired, or only worth knowing."""
    return "fatal" if defect.fatal else "repaired" if defect.repaired else "warning"


def document(edits: Sequence[Edit], unknown: Sequence[Edit]) -> dict[str, object]:
    """The output of `--json`."""
    return {
        "system": edits[0].system if edits else None,
        "tasks": [
            {
                "task_id": edit.task_id,
                "applied_by": edit.applied_by,
                "gradable": not is_fatal(edit),
                "defects": [defect.model_dump(mode="json") for defect in edit.defects],
            }
            for edit in (*edits, *unknown)
        ],
    }


def print_findings(edits: Sequence[Edit], unknown: Sequence[Edit]) -> None:
    """The table of defects, and how many predictions can be graded."""
    rows = []
    for edit in (*edits, *unknown):
        for defect in edit.defects:
            line = "" if defect.line is None else str(defect.line)
            rows.append((edit.task_id, weight(defect), defect.kind.value, line, defect.message))
    lines = columns(("task", "weight", "defect", "line", "what to do"), rows) if rows else []
    ways = Counter(edit.applied_by for edit in edits if not is_fatal(edit))
    told = ", ".join(f"{count} by {way}" for way, count in sorted(ways.items(), key=str))
    ending = (
        f"{sum(ways.values())} of {len(edits)} tasks can be graded{f' ({told})' if told else ''}; "
        f"{len(unknown)} predictions for unknown tasks."
    )
    show([*lines, Line(ending)])
