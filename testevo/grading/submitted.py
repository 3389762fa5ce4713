"""Collect a system's edits for some tasks: read from its file, or made when it is a control submission."""

from collections.abc import Sequence
from pathlib import Path

from testevo.grading.lint import TargetOf, edits_for
from testevo.grading.submissions.prediction_files import read_predictions
from testevo.packaging.start_states.controls import control_edits
from testevo.records.evaluation.predictions import Edit
from testevo.records.tasks import Task


def submitted(
    system: str, file: Path | None, tasks: Sequence[Task], target_of: TargetOf, *, repair: bool
) -> list[Edit]:
    """Exactly one edit for each of `tasks`, in the order of their ids.

    Args:
        file: of predictions; None for the control submission of that name.
        repair: repair fences, indentation and line ends, and record it.

    Raises:
        UserError: the file cannot be read as predictions.
    """
    ordered = sorted(tasks, key=Task.sort_key)
    if file is None:
        return list(control_edits(system, ordered, target_of))
    return edits_for(read_predictions(file, system), system, ordered, target_of, repair)
