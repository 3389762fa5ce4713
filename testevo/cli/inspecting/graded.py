"""Tasks with what systems reached on them, where a grading run is looked at; and the grade of a method in words."""

from collections.abc import Sequence
from pathlib import Path

from testevo.analysis.reporting.run_folder import recorded_systems
from testevo.cli.places import dataset_of_run, is_dataset
from testevo.cli.selection import Choice, chosen_systems, chosen_tasks
from testevo.config.model import Selection
from testevo.config.resolved import read_resolved
from testevo.config.snapshot.layout import Layout
from testevo.grading.dataset.voided_results import void_impossible
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.records.evaluation.grading import GradedTask, MethodResult
from testevo.records.tasks import Task
from testevo.runtime.errors import UsageError

SHOWN_MESSAGE_LINES = 12


def home_of_tasks(place: Layout | Path) -> Layout | Path:
    """Where the tasks of a place lie: those of a grading run in the dataset that it was made with."""
    if isinstance(place, Layout) and (config := read_resolved(place.config)).evaluation.dataset is not None:
        return dataset_of_run(config, place)
    return place


def shown_place(place: Layout | Path) -> Path:
    return place.root if isinstance(place, Layout) else place


def chosen_with_grades(
    place: Layout | Path, known: Sequence[Task], choice: Choice
) -> tuple[list[Task], list[GradedTask]]:
    """The chosen tasks, and the grades of the chosen systems on them; none where no system is asked for.

    As in reports, a grade that cannot be is a failure of the harness with its reason.

    Raises:
        UsageError: systems are asked for and the place is no grading run, or nothing is left.
        NotFoundError: no task or system has a name that is asked for.
    """
    selection = choice.selection()
    tasks = chosen_tasks(known, selection, shown_place(place)) if known or selection != Selection() else []
    if not choice.system and not choice.only_predicted:
        return tasks, []
    graded = possible_grades(place) if isinstance(place, Layout) else []
    if not graded:
        raise UsageError(f"{shown_place(place)} holds no grades of systems. Give the --output of `testevo evaluate`.")
    systems = chosen_systems(choice.system, {one.system for one in graded})
    own = [one for one in graded if one.system in systems]
    missing = {(one.task_id, one.track) for one in own if one.is_missing} if choice.only_predicted else set()
    kept = {(one.task_id, one.track) for one in own} - missing
    left = [task for task in tasks if (task.task_id, task.track) in kept]
    if not left:
        raise UsageError(f"No chosen task has a {'prediction' if missing else 'grade'} of {', '.join(systems)}.")
    ids = {(task.task_id, task.track) for task in left}
    return left, [one for one in own if (one.task_id, one.track) in ids]


def possible_grades(run: Layout) -> list[GradedTask]:
    """The grades of a run; where its dataset is still there, without those that contradict it or themselves."""
    graded = recorded_systems(run)
    folder = dataset_of_run(read_resolved(run.config), run)
    if not graded or not is_dataset(folder):
        return graded
    dataset = open_dataset(folder)
    return void_impossible(dataset, graded, dataset.tasks).graded


def lines_of_grade(graded: GradedTask, logs: Path) -> list[str]:
    """The grade of every target method with all that is known of it."""
    lines = [f"{graded.task_id} (track {graded.track.value}), edited file from {graded.system}"]
    lines += [f"quarantined: {graded.quarantined}"] if graded.quarantined else []
    lines += [f"the harness failed: {graded.infrastructure}"] if graded.infrastructure else []
    lines += [f"{defect.kind.value}: {defect.message}" for defect in graded.defects]
    for method in graded.methods:
        lines += ["", *of_method(method, logs)]
    return lines


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
        + (f", {found.not_believed} not believed" if found.not_believed else "")
    )
