"""The edits of a system: exactly one for each task, whatever its file of predictions holds."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from testevo.grading.edits import canonical_edit, edit_without_content
from testevo.grading.submissions.defects import shown
from testevo.grading.submissions.prediction_files import read_predictions
from testevo.packaging.start_states.controls import control_edits
from testevo.packaging.start_states.start_state import TargetFile
from testevo.records.evaluation.predictions import Defect, DefectKind, Edit, Prediction
from testevo.records.tasks import Task

TargetOf = Callable[[Task], TargetFile]


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


def edits_for(
    predictions: Sequence[Prediction], system: str, tasks: Sequence[Task], target_of: TargetOf, repair: bool
) -> list[Edit]:
    """The edits of a system, sorted by task: exactly one for each of `tasks`.

    Predictions for other tasks are left alone; `unknown_tasks` reports those that no task of the dataset has.
    """
    by_id: dict[str, list[Prediction]] = defaultdict(list)
    for prediction in predictions:
        by_id[prediction.task_id].append(prediction)
    edits = []
    for task in sorted(tasks, key=Task.sort_key):
        own = [one for one in by_id[task.task_id] if one.track in (None, task.track.value)]
        edits.append(_edit(own, system, task, target_of, repair))
    return edits


def _edit(own: Sequence[Prediction], system: str, task: Task, target_of: TargetOf, repair: bool) -> Edit:
    if len(own) == 1:
        return canonical_edit(own[0].model_copy(update={"system": system}), task, target_of(task), repair)
    if own:
        lines = [str(one.file_line) for one in own if one.file_line is not None]
        where = f" (lines {', '.join(lines)})" if lines else ""
        message = f"There are {len(own)} predictions for the task{where}, and none of them counts; leave one."
        defect = Defect(kind=DefectKind.DUPLICATE_TASK, message=message, line=own[1].file_line)
    else:
        message = "There is no prediction for the task; submit one, if only an empty one."
        defect = Defect(kind=DefectKind.MISSING_TASK, message=message)
    return edit_without_content(task.task_id, system, defect)


def unknown_tasks(predictions: Iterable[Prediction], tasks: Iterable[Task]) -> list[Edit]:
    """Predictions that belong to no task, as edits that run nothing, sorted; in the order of the file for equal ids.

    Args:
        tasks: all tasks of the dataset, also those that are not graded this time.
    """
    tracks: dict[str, list[str]] = defaultdict(list)
    for task in tasks:
        tracks[task.task_id].append(task.track.value)
    edits = []
    for one in predictions:
        if one.task_id not in tracks:
            reason = f"The dataset has no task {shown(one.task_id)}; check the id and which dataset is meant."
        elif one.track is not None and one.track not in tracks[one.task_id]:
            reason = f"The task is of the track {tracks[one.task_id][0]}, not {shown(one.track)}; leave `track` out."
        else:
            continue
        defect = Defect(kind=DefectKind.UNKNOWN_TASK, message=reason, line=one.file_line)
        edits.append(edit_without_content(one.task_id, one.system, defect, one))
    return sorted(edits, key=Edit.sort_key)
