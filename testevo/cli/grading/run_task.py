"""`testevo task run`: grade one task with the developer's test or a file of your own, and show everything about it."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from testevo.cli import output
from testevo.cli.inspecting.task import pick_task
from testevo.cli.options import FurtherSettings, SandboxOption, in_sandbox
from testevo.cli.places import DatasetOption, SnapshotOption, require_dataset
from testevo.config.load import read_yaml
from testevo.config.model import Config
from testevo.grading.dataset.dataset_config import config_for
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.grading.grader import Grader
from testevo.grading.result_store import ResultStore
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.packaging.start_states.start_state import TargetFile
from testevo.records.evaluation.grading import Grade, GradedTask, MethodResult
from testevo.records.evaluation.predictions import Edit, encoded
from testevo.records.tasks import Task
from testevo.runtime.errors import ExitStatus, UserError
from testevo.sandboxes.consent import require_consent

SHOWN_MESSAGE_LINES = 12


def run_task(
    task_id: Annotated[str, typer.Argument(help="Task id, or a part of it that only one task has.")],
    dataset: DatasetOption = None,
    snapshot: SnapshotOption = None,
    test: Annotated[
        Path | None, typer.Option("--test", help="The whole target file to grade; the developer's if absent.")
    ] = None,
    logs: Annotated[Path, typer.Option("--logs", help="Folder of stdout, stderr and JUnit XML.")] = Path("task-run"),
    sandbox: SandboxOption = None,
    configuration: FurtherSettings = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record instead.")] = False,
) -> int:
    """Grade one task, anew every time. Exit status 0 when all target methods are a success, 8 when not.

    testevo task run ID --dataset results/demo/package/dataset --test FooTest.java
    """
    place = require_dataset(snapshot, dataset)
    opened = open_dataset(place)
    given = read_yaml(configuration) if configuration else {}
    config = config_for(opened, in_sandbox(given, sandbox))
    task = pick_task(opened.tasks, task_id, place)
    require_consent(config, f"the code of {task.repository} in {place}")
    opened.verify(task.slug, [task])
    with DatasetHistories(opened) as histories:
        target = histories.target_of(task)
        graded = grade(histories, config, task, edit_of(task, target, test), target, logs)
    if as_json:
        print(graded.line())
    else:
        show(graded, logs)
    return ExitStatus.OK if all(method.grade is Grade.SUCCESS for method in graded.methods) else ExitStatus.NO_SUCCESS


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
        grader = Grader(workspace, workspace.config, ResultStore(Path(results)), logs, histories.mutants_of)
        graded = grader.grade(task, edit, target)
        grader.close()
    return graded


def show(graded: GradedTask, logs: Path) -> None:
    """Print the grade of every target method with all that is known of it."""
    lines = [f"{graded.task_id} (track {graded.track.value}), edited file from {graded.system}"]
    lines += [f"quarantined: {graded.quarantined}"] if graded.quarantined else []
    lines += [f"the harness failed: {graded.infrastructure}"] if graded.infrastructure else []
    lines += [f"{defect.kind.value}: {defect.message}" for defect in graded.defects]
    for method in graded.methods:
        lines += ["", *of_method(method, logs)]
    output.show(line for text in lines for line in text.split("\n"))


def of_method(method: MethodResult, logs: Path) -> list[str]:
    lines = [f"{method.test.short}: {method.grade.value} ({method.grade.doc})"]
    lines += [f"  on new code   {method.new_run.value} ({method.new_run.doc})"] if method.new_run else []
    if method.old_run and method.discrimination:
        lines.append(f"  on old code   {method.old_run.value}: {method.discrimination.doc}")
    lines += [f"  coverage      {coverage_of(method)}", f"  mutants       {mutation_of(method)}"]
    lines += [f"  weakened      {weakening.doc}" for weakening in method.weakening]
    message = (f"{method.exception}: " if method.exception else "") + (method.message or "")
    lines += [f"  | {line}" for line in message.splitlines()[:SHOWN_MESSAGE_LINES]]
    lines += [f"  {one.path}:{one.line}: {one.message}" for one in method.diagnostics]
    lines += [f"  logs          {logs / method.logs}"] if method.logs else []
    return lines


def coverage_of(method: MethodResult) -> str:
    found = method.coverage
    if found is None:
        return f"not measured: {method.coverage_undefined.doc}" if method.coverage_undefined else "not measured"
    return (
        f"{found.covered} of {found.executable_lines} executable lines of the focal methods "
        f"({found.raw_lines} lines in all)"
    )


def mutation_of(method: MethodResult) -> str:
    found = method.mutation
    if found is None:
        return f"not measured: {method.mutation_undefined.doc}" if method.mutation_undefined else "not measured"
    return (
        f"{found.killed} of {found.mutants} killed ({found.killed_by_assertion} by assertion, "
        f"{found.killed_by_exception} by exception, {found.timed_out} timed out, {found.harness} harness); "
        f"{found.survived} survived, {found.not_covered} not covered"
    )
