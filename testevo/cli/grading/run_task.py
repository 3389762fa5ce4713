"""`testevo task run`: grade tasks with the developer's test, your file or predictions, and say all about them."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from testevo.cli import output
from testevo.cli.inspecting.graded import lines_of_grade
from testevo.cli.inspecting.task import NAMED, named_tasks
from testevo.cli.options import FurtherSettings, SandboxOption, in_sandbox
from testevo.cli.places import DatasetOption, SnapshotOption, require_dataset
from testevo.cli.selection import NOTHING_CHOSEN, Choice, choosing, chosen_tasks, predicted_by_all, systems_of_files
from testevo.config.load import read_yaml
from testevo.config.model import Config
from testevo.grading.dataset.dataset_config import config_for
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.grading.grader import Grader
from testevo.grading.lint import edits_for
from testevo.grading.result_store import ResultStore
from testevo.grading.submissions.prediction_files import read_predictions
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.packaging.start_states.start_state import TargetFile
from testevo.records.evaluation.grading import Grade, GradedTask
from testevo.records.evaluation.predictions import Edit, Prediction, encoded
from testevo.records.tasks import Task
from testevo.runtime.errors import ExitStatus, UsageError, UserError
from testevo.sandboxes.consent import require_consent


@choosing
def run_task(
    task_id: Annotated[str, typer.Argument(help=NAMED)],
    dataset: DatasetOption = None,
    snapshot: SnapshotOption = None,
    test: Annotated[
        Path | None, typer.Option("--test", help="The whole target file to grade; the developer's if absent.")
    ] = None,
    predictions: Annotated[
        str | None, typer.Option("--predictions", help="File of predictions to grade, or NAME=FILE.")
    ] = None,
    choice: Choice = NOTHING_CHOSEN,
    logs: Annotated[Path, typer.Option("--logs", help="Folder of stdout, stderr and JUnit XML.")] = Path("task-run"),
    sandbox: SandboxOption = None,
    configuration: FurtherSettings = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record instead.")] = False,
) -> int:
    """Grade tasks, anew every time. Exit status 0 when all target methods are a success, 8 when not.

    testevo task run ID --dataset results/demo/package/dataset --test FooTest.java
    """
    place = require_dataset(snapshot, dataset)
    opened = open_dataset(place)
    chosen = chosen_tasks(opened.tasks, choice.selection(), place)
    tasks = named_tasks(opened.tasks, chosen, task_id, place)
    if test is not None and (len(tasks) > 1 or predictions):
        raise UsageError("--test is the file of one task. Give its id, and no --predictions.")
    files = predictions_of(predictions, choice)
    if choice.only_predicted:
        tasks = predicted_by_all(tasks, files.values())
    given = read_yaml(configuration) if configuration else {}
    config = config_for(opened, in_sandbox(given, sandbox))
    require_consent(config, f"the code of {', '.join(sorted({task.repository for task in tasks}))} in {place}")
    failed = False
    with DatasetHistories(opened) as histories:
        for task in tasks:
            opened.verify(task.slug, [task])
            target = histories.target_of(task)
            for edit in edits_of(task, target, test, files, histories):
                graded = grade(histories, config, task, edit, target, logs)
                shown = graded.line() if as_json else "\n".join(lines_of_grade(graded, logs))
                output.show(shown.split("\n"))
                failed |= not all(method.grade is Grade.SUCCESS for method in graded.methods)
    return ExitStatus.NO_SUCCESS if failed else ExitStatus.OK


def predictions_of(file: str | None, choice: Choice) -> dict[str, list[Prediction]]:
    """The predictions of the chosen systems by system.

    Raises:
        UsageError: systems are chosen and no file is given.
    """
    if file is None and (choice.system or choice.only_predicted):
        raise UsageError("--system and --only-predicted choose from the systems of --predictions FILE; give it.")
    found = systems_of_files([file], choice.system) if file else {}
    return {name: read_predictions(Path(path), name) for name, path in found.items()}


def edits_of(
    task: Task,
    target: TargetFile,
    test: Path | None,
    files: Mapping[str, Sequence[Prediction]],
    histories: DatasetHistories,
) -> list[Edit]:
    """What is to be graded on a task: the prediction of each system, else one file."""
    of_systems = [edits_for(own, name, [task], histories.target_of, False)[0] for name, own in files.items()]
    return of_systems or [edit_of(task, target, test)]


def edit_of(task: Task, target: TargetFile, test: Path | None) -> Edit:
    """The developer's file, or the one that was given."""
    try:
        content = target.gold if test is None else test.read_bytes()
    except OSError as error:
        raise UserError(f"{test} cannot be read: {error.strerror}. Give the whole file {target.path}.") from error
    system = "gold" if test is None else test.name
    return Edit(task_id=task.task_id, system=system, applied_by="files" if test else "control", **encoded(content))


def grade(
    histories: DatasetHistories, config: Config, task: Task, edit: Edit, target: TargetFile, logs: Path
) -> GradedTask:
    """Grade without looking up what was graded before."""
    with (
        histories.workspace(task.repository, config) as workspace,
        tempfile.TemporaryDirectory(prefix="testevo-") as results,
    ):
        grader = Grader(workspace, ResultStore(Path(results)), logs, histories.mutants_of)
        graded = grader.grade(task, edit, target)
        grader.close()
    return graded
