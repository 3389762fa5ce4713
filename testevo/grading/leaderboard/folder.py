"""The folder of a submission, and all that can be found wrong with it before anything is built or run."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from testevo.config.load import read_yaml
from testevo.config.model_cutoffs import ModelCutoff, cutoff_of
from testevo.config.systems import is_attempt, refused_name
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.grading.lint import TargetOf, edits_for
from testevo.grading.submissions.prediction_files import read_predictions
from testevo.records.evaluation.predictions import DefectKind, Prediction
from testevo.records.evaluation.submissions import Submission, SubmissionDefect, SubmissionFinding, UsedModel
from testevo.records.tasks import Task
from testevo.runtime.errors import NotFoundError, UserError
from testevo.runtime.refused_input import reason

METADATA, PREDICTIONS = "submission.yaml", "predictions.jsonl"
MOST_COPIED = 0.5
"""A larger share of files that equal the developers' is refused; a few equal ones are expected of small changes."""
LEAST_COPIED = 5
"""So many files must be equal for that."""
NAMED = 3
NAME_CHARACTERS = 200


@dataclass(frozen=True)
class SubmissionFolder:
    """A submission and the files beside it."""

    folder: Path
    metadata: Submission
    predictions: Sequence[Prediction]

    @property
    def file(self) -> Path:
        return self.folder / PREDICTIONS


def open_submission(folder: Path) -> SubmissionFolder:
    """The submission of a folder.

    Raises:
        UserError: a file is missing or cannot be read, or a key of the metadata is wrong; the message names it.
    """
    if not (folder / METADATA).is_file():
        raise UserError(f"{folder} is not a submission: it has no {METADATA}. docs/submissions.md shows one.")
    metadata = read_metadata(folder)
    if why := refused_name(metadata.system):
        raise UserError(f"{folder / METADATA}: {why}.")
    if is_attempt(metadata.system):
        raise UserError(f"{folder / METADATA}: {metadata.system!r} is the name of an attempt. Leave out the number.")
    if (folder / PREDICTIONS).exists() and not (folder / PREDICTIONS).is_file():
        raise UserError(f"{folder / PREDICTIONS} is not a file. docs/submissions.md shows a submission.")
    return SubmissionFolder(folder, metadata, read_predictions(folder / PREDICTIONS, metadata.system))


def read_metadata(folder: Path) -> Submission:
    """What a submission says of itself.

    Raises:
        UserError: the file cannot be read, or a key is wrong; the message names it.
    """
    try:
        return Submission.model_validate(read_yaml(folder / METADATA))
    except ValidationError as error:
        raise UserError(f"{folder / METADATA}: {reason(error)}. docs/submissions.md lists the keys.") from error


def findings(submission: SubmissionFolder, histories: DatasetHistories) -> list[SubmissionFinding]:
    """All defects of a submission against a dataset, in the order of `SubmissionDefect`."""
    wanted = [task for task in histories.tasks if task.track in submission.metadata.tracks]
    found = [
        *_ids(submission, wanted),
        *_files(submission, wanted, histories.target_of),
        *_trajectories(submission),
        *(one for model in submission.metadata.models for one in _cutoff(model)),
        *_cost(submission),
    ]
    order = list(SubmissionDefect)
    return sorted(found, key=lambda one: (order.index(one.defect), one.message))


def _finding(defect: SubmissionDefect, message: str, *, fatal: bool = True) -> SubmissionFinding:
    return SubmissionFinding(defect=defect, fatal=fatal, message=message)


def _some(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(name[:NAME_CHARACTERS] for name in names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _ids(submission: SubmissionFolder, wanted: Sequence[Task]) -> Iterator[SubmissionFinding]:
    known = {(task.task_id, track) for task in wanted for track in (None, task.track.value)}
    given = Counter((one.task_id, one.track) for one in submission.predictions)
    if unknown := sorted({name for name, track in given if (name, track) not in known}):
        yield _finding(SubmissionDefect.UNKNOWN_TASK, f"{len(unknown)} ids are not of the dataset: {_some(unknown)}")
    # A prediction without a track is one for each task of its id.
    for_tasks = {task.task_id for task in wanted if given[task.task_id, None] and given[task.task_id, task.track.value]}
    if twice := sorted(for_tasks | {name for (name, _), count in given.items() if count > 1}):
        yield _finding(SubmissionDefect.DUPLICATE_TASK, f"{len(twice)} tasks are predicted twice: {_some(twice)}")
    missing = sorted(
        task.task_id for task in wanted if not {(task.task_id, None), (task.task_id, task.track.value)} & given.keys()
    )
    if missing:
        yield _finding(
            SubmissionDefect.MISSING_TASK, f"{len(missing)} of {len(wanted)} tasks are missing: {_some(missing)}"
        )
    if others := sorted({one.system for one in submission.predictions} - {submission.metadata.system}):
        yield _finding(SubmissionDefect.OTHER_SYSTEM, f"predictions of {_some(others)} lie in the same file")


def _files(submission: SubmissionFolder, wanted: Sequence[Task], target_of: TargetOf) -> Iterator[SubmissionFinding]:
    """What the edits say: those that cannot be run, and those that are the developers' own."""
    tasks = sorted({(task.task_id, task.track): task for task in wanted}.values(), key=Task.sort_key)
    made = edits_for(submission.predictions, submission.metadata.system, tasks, target_of, False)
    edits = list(zip(tasks, made, strict=True))
    absent = {DefectKind.MISSING_TASK, DefectKind.DUPLICATE_TASK}
    failing = sorted(
        task.task_id
        for task, edit in edits
        if edit.content is None and not absent & {defect.kind for defect in edit.defects}
    )
    if failing:
        yield _finding(
            SubmissionDefect.HARNESS_FAILURE, f"{len(failing)}, see `testevo lint`: {_some(failing)}", fatal=False
        )
    run = [(task, edit.content) for task, edit in edits if edit.content is not None]
    equal = sorted(task.task_id for task, content in run if content == target_of(task).gold)
    if len(equal) >= LEAST_COPIED and len(equal) > MOST_COPIED * len(run):
        yield _finding(
            SubmissionDefect.COPIED, f"{len(equal)} of {len(run)} files are the developers' own: {_some(equal)}"
        )


def _trajectories(submission: SubmissionFolder) -> Iterator[SubmissionFinding]:
    top = submission.folder.resolve()
    named = sorted({one.trajectory for one in submission.predictions if one.trajectory})
    wrong = [name for name in named if not _is_file_below(top, name)]
    if wrong:
        yield _finding(SubmissionDefect.TRAJECTORY, f"{len(wrong)} of {len(named)} are not there: {_some(wrong)}")


def _is_file_below(top: Path, name: str) -> bool:
    try:
        path = (top / name).resolve()
        return path.is_relative_to(top) and path.is_file()
    except (OSError, RuntimeError, ValueError):  # too long, a circle of links, no path at all
        return False


def _cutoff(model: UsedModel) -> Iterator[SubmissionFinding]:
    known = known_cutoff(model.name)
    if known is None and model.cutoff is None:
        message = f"{model.name}: give cutoff and cutoff_source, or the entry has none"
        yield _finding(SubmissionDefect.UNKNOWN_CUTOFF, message, fatal=False)
    if known is not None and model.cutoff not in (None, known.cutoff):
        yield _finding(SubmissionDefect.CUTOFF, f"{model.name}: {model.cutoff} is given, {known.cutoff} is published")


def known_cutoff(model: str) -> ModelCutoff | None:
    """The published cutoff of a model, where the registry has one."""
    try:
        return cutoff_of(model)
    except NotFoundError:
        return None


def _cost(submission: SubmissionFolder) -> Iterator[SubmissionFinding]:
    if submission.metadata.cost.usd is None and all(one.cost_usd is None for one in submission.predictions):
        yield _finding(SubmissionDefect.NO_COST, "give cost.usd, or cost_usd of each prediction", fatal=False)
