"""`testevo lint`: what is wrong with predictions, task by task, before anything is built or run."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from testevo.cli.output import Line, columns, show
from testevo.cli.places import DatasetOption, SnapshotOption, require_dataset
from testevo.cli.selection import NOTHING_CHOSEN, Choice, choosing, chosen_tasks, predicted_by_all, systems_of_files
from testevo.config.model import Evaluation
from testevo.config.systems import systems_of
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.grading.lint import edits_for, unknown_tasks
from testevo.grading.submissions.prediction_files import read_predictions
from testevo.records.evaluation.predictions import Defect, DefectKind, Edit
from testevo.runtime.errors import ExitStatus


@choosing
def lint(
    predictions: Annotated[
        str, typer.Option("--predictions", help="File of predictions (docs/predictions.md), or NAME=FILE.")
    ],
    dataset: DatasetOption = None,
    snapshot: SnapshotOption = None,
    choice: Choice = NOTHING_CHOSEN,
    repair: Annotated[bool, typer.Option("--repair", help="Repair what `evaluate --repair` would repair.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list instead of tables.")] = False,
) -> int:
    """Explain every defect of a predictions file; nothing is built or run.

    Exit status 3 when some prediction could not be graded, 0 when there are warnings at most.

    Example: testevo lint --dataset results/demo/package/dataset --predictions mine.jsonl
    """
    place = require_dataset(snapshot, dataset)
    files = systems_of_files([predictions], choice.system)
    systems_of(Evaluation(predictions=files))  # refuses names as `evaluate` does
    given = {name: read_predictions(Path(file), name) for name, file in files.items()}
    found = {}
    with DatasetHistories(place) as histories:
        chosen = chosen_tasks(histories.tasks, choice.selection(), place)
        if choice.only_predicted:
            chosen = predicted_by_all(chosen, given.values())
        histories.verify(chosen)
        for name, own in given.items():
            edits = edits_for(own, name, chosen, histories.target_of, repair)
            found[name] = edits, unknown_tasks(own, histories.tasks)
    if as_json:
        documents = [document(name, *of_system) for name, of_system in found.items()]
        print(json.dumps(documents, indent=1, ensure_ascii=False))
    else:
        for name, of_system in found.items():
            print_findings(name, *of_system)
    fatal = any(is_fatal(edit) for of_system in found.values() for part in of_system for edit in part)
    return ExitStatus.INPUT if fatal else ExitStatus.OK


def is_missing(edit: Edit) -> bool:
    """Whether there is no prediction for the task."""
    return any(defect.kind is DefectKind.MISSING_TASK for defect in edit.defects)


def is_fatal(edit: Edit) -> bool:
    return any(defect.fatal for defect in edit.defects)


def weight(defect: Defect) -> str:
    """How much a defect matters: no prediction at all, a harness failure, repaired, or only worth knowing."""
    if defect.kind is DefectKind.MISSING_TASK:
        return "missing"
    return "fatal" if defect.fatal else "repaired" if defect.repaired else "warning"


def document(system: str, edits: Sequence[Edit], unknown: Sequence[Edit]) -> dict[str, object]:
    """The output of `--json`."""
    return {
        "system": system,
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


def print_findings(system: str, edits: Sequence[Edit], unknown: Sequence[Edit]) -> None:
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
        f"{system}: {sum(ways.values())} of {len(edits)} tasks can be graded{f' ({told})' if told else ''}; "
        f"{len(unknown)} predictions for unknown tasks."
    )
    show([*lines, Line(ending)])
