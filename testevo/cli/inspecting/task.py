"""`testevo task`: list tasks and show one with its diffs, outcomes and reasons."""

import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from testevo.cli.inspecting.graded import chosen_with_grades, home_of_tasks, lines_of_grade, shown_place
from testevo.cli.inspecting.pages import content_of, open_page, write_pages
from testevo.cli.options import require_one_of
from testevo.cli.output import Line, columns, diff_lines
from testevo.cli.output import show as print_lines
from testevo.cli.places import DatasetOption, SnapshotOption, find_place, find_snapshot
from testevo.cli.selection import NEAREST, NOTHING_CHOSEN, Choice, choosing, chosen_tasks, nearest, selection_of
from testevo.config.snapshot.layout import Layout
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.history.bundle import open_bundle
from testevo.history.git import GitRepository
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.records.base import read_records
from testevo.records.evaluation.grading import Grade
from testevo.records.evidence.stability import Stability
from testevo.records.labels import Label
from testevo.records.tasks import Task
from testevo.runtime.errors import NotFoundError, UsageError, UserError

SHORT = 12
"""Characters of a revision in tables; `--json` has all."""
PATTERN = frozenset("*?[,@")
"""Signs of a pattern or a file of ids, which no id holds."""
NAMED = "Task id, or a part that only one has; for several, a shell pattern or @FILE. Options narrow the choice."

app = typer.Typer(help="List, show, check out and grade tasks.", no_args_is_help=True)


@app.command("list")
@choosing
def list_tasks(
    snapshot: SnapshotOption = None,
    dataset: DatasetOption = None,
    choice: Choice = NOTHING_CHOSEN,
    dropped: Annotated[bool, typer.Option(help="List dropped candidates with their reasons instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List tasks or dropped candidates; in a grading run, --system adds the outcome of each task."""
    if dropped:
        if choice != NOTHING_CHOSEN:
            raise UsageError("--dropped lists candidates, which are no tasks: it takes no option that selects tasks.")
        list_dropped(find_snapshot(snapshot, dataset), as_json)
        return
    place = find_place(snapshot, dataset)
    tasks, graded = chosen_with_grades(place, tasks_of(home_of_tasks(place)), choice)
    if as_json:
        print(json.dumps([one.model_dump(mode="json") for one in tasks], indent=1))
        return
    systems = sorted({one.system for one in graded})
    shares = {(one.system, one.task_id, one.track): f"{100 * one.share(Grade.SUCCESS):.0f} %" for one in graded}
    rows = []
    for one in tasks:
        counts = (len(one.tests), len(one.dependencies), "-" if one.mutants is None else one.mutants)
        reached = [shares.get((system, one.task_id, one.track), "-") for system in systems]
        state = ("quarantined",) if one.quarantined else ()
        rows.append((one.task_id, one.track.value, *map(str, counts), *reached, *state))
    headings = ("task", "track", "tests", "dependencies", "mutants", *systems)
    print_lines(columns(headings, rows, right=range(2, len(headings))))


def list_dropped(layout: Layout, as_json: bool) -> None:
    labels = [
        label
        for file in sorted((layout.root / "package").glob("*/labels.jsonl"))
        for label in read_records(file, Label)
        if label.reason is not None
    ]
    if as_json:
        print(json.dumps([label.model_dump(mode="json") for label in labels], indent=1))
        return
    rows = []
    for label in labels:
        pair = f"{label.old_revision[:SHORT]}..{label.new_revision[:SHORT]}"
        reason = label.reason.value if label.reason else ""
        rows.append((label.repository, pair, label.test.short, label.label.value, reason, label.detail or ""))
    print_lines(columns(("repository", "pair", "test", "label", "reason", "detail"), rows))


@app.command("show")
@choosing
def show_task(
    task_id: Annotated[str, typer.Argument(help=NAMED)],
    snapshot: SnapshotOption = None,
    dataset: DatasetOption = None,
    choice: Choice = NOTHING_CHOSEN,
    diff: Annotated[bool, typer.Option("--diff", help="Print the diff alone, for `git apply`.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record instead.")] = False,
    open_it: Annotated[bool, typer.Option("--open", help="Show it as a page in a browser instead.")] = False,
) -> None:
    """Show the change of a task, the outcome of each run, and why it has its label; --system adds its outcome."""
    require_one_of({"--diff": diff, "--json": as_json, "--open": open_it})
    place = find_place(snapshot, dataset)
    home = home_of_tasks(place)
    known = tasks_of(home)
    tasks, graded = chosen_with_grades(place, known, choice)
    shown = named_tasks(known, tasks, task_id, shown_place(place))
    if open_it:
        show_pages(place, shown)
        return
    for task in shown:
        own = [one for one in graded if (one.task_id, one.track) == (task.task_id, task.track)]
        if as_json:
            print(json.dumps(task.model_dump(mode="json"), indent=1))
        else:
            show(task, home, [line for one in own for line in (*lines_of_grade(one, place_of_logs(place)), "")], diff)


def show_pages(place: Layout | Path, tasks: Sequence[Task]) -> None:
    """Show the page of a task, or the list of several, in a temporary site of them alone."""
    from testevo.site.task_pages import page_of

    content = content_of(place)
    wanted = {(task.task_id, task.track) for task in tasks}
    graded = [one for one in content.graded if (one.task_id, one.track) in wanted]
    kept = [task for task in content.tasks if (task.task_id, task.track) in wanted]
    folder = Path(tempfile.mkdtemp(prefix="testevo-site-"))
    shown = replace(content, tasks=kept, graded=graded)
    print_lines([write_pages(shown, folder)])
    open_page(folder / (page_of(shown, kept[0]) if len(kept) == 1 else "tasks.html"))


def place_of_logs(place: Layout | Path) -> Path:
    return place.evaluation if isinstance(place, Layout) else place


def show(task: Task, home: Layout | Path, more: Sequence[str], diff_only: bool) -> None:
    """Print a task with its diffs from the histories of where it lies."""
    if not isinstance(home, Layout):
        with DatasetHistories(home) as histories:
            print_task(task, histories.git(task.repository), more, diff_only)
        return
    files = home.of_repository(task.slug)
    logs = f"logs: {files.packed_runs}" + ("" if files.packed_runs.is_file() else " (removed)")
    print_task(task, open_bundle(files.bundle, files.scratch / "history"), [logs, "", *more], diff_only)


def print_task(task: Task, git: GitRepository, more: Sequence[str], diff_only: bool) -> None:
    print_lines(diffs(task, git) if diff_only else (*heading(task), *evidence(task), *more, *diffs(task, git)))


def tasks_of(place: Layout | Path) -> list[Task]:
    """The tasks of a dataset, or of a snapshot, whether or not its developers' tests are measured already."""
    if not isinstance(place, Layout):
        return open_dataset(place).tasks
    files = [place.of_repository(file.parent.name) for file in (place.root / "package").glob("*/tasks.jsonl")]
    if not files:
        raise UserError(f"{place.root} has no packaged tasks. Run `testevo mine` first, or give --snapshot FOLDER.")
    latest = [one.measured if one.measured.is_file() else one.tasks for one in files]
    return [task for file in sorted(latest) for task in read_records(file, Task)]


def named_tasks(known: Sequence[Task], left: Sequence[Task], wanted: str, place: Path) -> list[Task]:
    """The tasks that an argument names and that the options leave.

    Args:
        known: all tasks.
        left: those that the options leave.
        wanted: an id or a part of one, a pattern, or a file of ids.
        place: where they were looked for.

    Raises:
        NotFoundError: it names none, or without a sign of a pattern several.
        UsageError: it is a file that cannot be read, or the options leave none of those that it names.
    """
    if not PATTERN & set(wanted):
        return [pick_task(left, wanted, place)]
    named = chosen_tasks(known, selection_of([wanted], None, None, None), place)
    kept = {(one.task_id, one.track) for one in left}
    both = [one for one in named if (one.task_id, one.track) in kept]
    if not both:
        raise UsageError(f"The options leave none of the {len(named)} tasks of {place} that {wanted!r} names.")
    return both


def pick_task(tasks: Sequence[Task], wanted: str, place: Path) -> Task:
    """The task with that id, or the only one with that part in its id; `place` is where they were looked for.

    Raises:
        NotFoundError: none or several; the message names the nearest ids.
    """
    found = [task for task in tasks if task.task_id == wanted] or [task for task in tasks if wanted in task.task_id]
    if len(found) == 1:
        return found[0]
    if found:
        listed = ", ".join(task.task_id for task in found[:NEAREST])
        raise NotFoundError(f"{wanted!r} names {len(found)} tasks of {place}. Give one id, such as {listed}.")
    if not tasks:
        raise NotFoundError(f"{place} has no task at all. `testevo builds` and `testevo task list --dropped` say why.")
    raise NotFoundError(
        f"No task of {place} is called {wanted!r}. {nearest(wanted, [task.task_id for task in tasks])} "
        f"`testevo task list` names all {len(tasks)}."
    )


def heading(task: Task) -> list[str]:
    return [
        f"{task.task_id}",
        f"track {task.track.value}; {task.repository} {task.old_revision[:12]} -> {task.new_revision[:12]}; "
        f"module {task.module or '.'}; Java {task.java_level} on JDK {task.jdk}",
        *([f"quarantined: {task.quarantined}"] if task.quarantined else []),
        "",
        "changed methods the tests call:",
        *(f"  {one.kind.value:9} {one.method}  {one.path}:{one.span.first_line}" for one in task.dependencies),
        "",
    ]


def evidence(task: Task) -> list[str]:
    lines = []
    for test in task.tests:
        lines.append(f"{test.test.short}: {test.change.value}, {test.label.value}; focal method {test.focal or '-'}")
        lines += [f"  {combination:22} {outcome.value}" for combination, outcome in sorted(test.outcomes.items())]
        if coverage := test.gold_coverage:
            lines.append(f"  covers {coverage.covered} of {coverage.executable_lines} executable lines of them")
        if score := test.gold_mutation:
            lines.append(f"  kills {score.killed} of {score.mutants} mutants")
        lines += [f"  {stability_line(one)}" for one in test.stability]
    return [*lines, ""]


def stability_line(one: Stability) -> str:
    axes = ", ".join(one.axes)
    if one.interval is None:
        return f"{axes} not varied: {one.unavailable}"
    low, high = one.interval
    return f"fails in {one.failures} of {one.runs} runs that vary {axes} (95 %: {100 * low:.0f} to {100 * high:.0f} %)"


def diffs(task: Task, git: GitRepository) -> list[Line]:
    """The test file and the files of the changed methods, old against new."""
    paths = {task.test_file, task.old_test_file or task.test_file, *(one.path for one in task.dependencies)}
    return diff_lines(git.diff(task.old_revision, task.new_revision, sorted(paths)))
