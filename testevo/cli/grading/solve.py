"""`testevo solve`: let systems work on tasks, from a configuration to predictions; or tell what it would cost."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import reduce
from operator import add
from pathlib import Path
from typing import Annotated

import typer

from testevo.agents.gateway.prices import price_table
from testevo.agents.solving.estimate import Estimate, estimate
from testevo.cli.grading.evaluate import settings_of
from testevo.cli.mining.workflow import run_workflow, write_given
from testevo.cli.options import FurtherSettings, SandboxOption, in_sandbox
from testevo.cli.output import show
from testevo.cli.places import DatasetOption, SnapshotOption, require_dataset
from testevo.cli.selection import ANY_TASK, TaskChoice, choosing, chosen_systems, chosen_tasks
from testevo.config.load import merge, read_yaml
from testevo.config.model import Config
from testevo.config.snapshot.layout import Layout
from testevo.config.systems import solvers_by_folder
from testevo.grading.dataset.dataset_config import config_for
from testevo.grading.dataset.made_from import is_made_from, key_of_inputs
from testevo.packaging.dataset.dataset_folder import open_dataset, verify_dataset
from testevo.records.agents.runs import AgentRun, RunStatus
from testevo.records.agents.usage import Spent
from testevo.records.base import read_records, records_so_far
from testevo.records.tasks import Task
from testevo.runtime.errors import UsageError
from testevo.runtime.files.files import url_safe_name
from testevo.sandboxes.consent import require_consent


@choosing
def solve(
    dataset: DatasetOption = None,
    snapshot: SnapshotOption = None,
    configuration: FurtherSettings = None,
    system: Annotated[
        list[str], typer.Option("--system", help="Only this system of the configuration; may be repeated.")
    ] = [],  # noqa: B006 - typer copies it
    output: Annotated[
        Path | None, typer.Option("--output", help="Folder of the results; results/<snapshot>-solving if absent.")
    ] = None,
    choice: TaskChoice = ANY_TASK,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what it would cost, and run nothing.")] = False,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Jobs at the same time.")] = os.cpu_count() or 1,
    sandbox: SandboxOption = None,
) -> None:
    """Let the systems of a configuration (`solving.systems`) solve tasks. Ctrl-C is safe: no ended run is paid twice.

    testevo solve --dataset results/demo/package/dataset --configuration agents.yaml --task 'worlds_*' --dry-run
    """
    place = require_dataset(snapshot, dataset)
    opened = open_dataset(place)
    verify_dataset(place)
    selection = choice.selection()
    tasks = chosen_tasks(opened.tasks, selection, place)
    given = merge(
        {"snapshot": f"{opened.description['config']['snapshot']}-solving"},
        read_yaml(configuration) if configuration else {},
    )
    given = merge(given, {"evaluation": {**selection.model_dump(), "dataset": str(place), "controls": []}})
    config = config_for(opened, merge(in_sandbox(given, sandbox), settings_of(output)), origin="the command")
    names = chosen_solvers(config, system)
    layout = Layout.of(config)
    done = {name: runs_of(layout, name, opened.slugs, tasks) for name in names}
    if dry_run:
        prices = price_table(datetime.now(UTC).date())
        show(table([estimate(name, config.solving, prices, len(tasks), done[name]) for name in names]))
        return
    require_consent(config, f"the code of {place}, and what a model writes for it,")
    solved = [layout.of_system(url_safe_name(name), "").predictions for name in names]
    run_workflow(
        write_given(config, layout),
        layout,
        cores=workers,
        again=files_to_make_again(config, layout, names, place, sorted({task.slug for task in tasks})),
        targets=solved,
        doing="solving",
    )
    for name, file in zip(names, solved, strict=True):
        show(summary(name, runs_of(layout, name, opened.slugs, tasks), file))
    files = " ".join(f"--predictions {file}" for file in solved)
    show([f"Grade them: testevo evaluate --dataset {place} {files}"])


def chosen_solvers(config: Config, wanted: Sequence[str]) -> list[str]:
    """The systems that are asked for.

    Raises:
        UsageError: none is configured, or a name cannot be one.
        NotFoundError: one is not configured.
    """
    if not config.solving.systems:
        raise UsageError("no system is configured: give --configuration with solving.systems (docs/agents.md).")
    return chosen_systems(wanted, solvers_by_folder(config.solving).values())


def runs_of(layout: Layout, name: str, slugs: Sequence[str], tasks: Sequence[Task]) -> list[AgentRun]:
    """The runs of a system on some tasks that earlier commands have made."""
    chosen = {(task.task_id, task.track) for task in tasks}
    files = [layout.of_system(url_safe_name(name), slug).runs for slug in slugs]
    return [run for file in files for run in records_so_far(file, AgentRun) if (run.task_id, run.track) in chosen]


def files_to_make_again(
    config: Config, layout: Layout, names: Sequence[str], dataset: Path, slugs: Sequence[str]
) -> list[Path]:
    """Files of runs that were made with other settings or tasks, and of those with a run that says nothing of its
    system: worth another try. What has ended is in the journal, and is not paid again.
    """
    key = key_of_inputs(config, "solve", dataset)
    of_all = [layout.of_system(url_safe_name(name), slug) for name in names for slug in slugs]
    return [
        files.runs
        for files in of_all
        if files.runs.is_file()
        and (
            not is_made_from(files.runs_made_from, key)
            or any(run.status is RunStatus.INFRASTRUCTURE for run in read_records(files.runs, AgentRun))
        )
    ]


def table(estimates: Sequence[Estimate]) -> list[str]:
    """What is expected of each system, and of all."""
    lines = ["system  model  runs left  done  USD each  USD  USD at most  hours, one at a time  from"]
    for one in estimates:
        numbers = (dollars(one.cost_each), dollars(one.cost), dollars(one.most), f"{one.hours:.1f}")
        lines.append("  ".join((one.system, one.model, str(one.runs), str(one.finished), *numbers, one.source)))
    costs = [one.cost for one in estimates]
    known = [cost for cost in costs if cost is not None]
    unknown = f"; {len(costs) - len(known)} have no price" if len(known) < len(costs) else ""
    hours = sum(one.hours for one in estimates)
    return [*lines, f"all: {dollars(sum(known))} US dollars{unknown}; {hours:.1f} hours, one run at a time"]


def dollars(amount: float | None) -> str:
    return "?" if amount is None else f"{amount:.2f}"


def summary(name: str, runs: Sequence[AgentRun], file: Path) -> list[str]:
    """How the runs of a system ended."""
    counts = {status: sum(run.status is status for run in runs) for status in RunStatus}
    ended = ", ".join(f"{count} {status.value}" for status, count in counts.items() if count) or "none"
    spent = reduce(add, (run.spent for run in runs), Spent())
    spoiled = reduce(add, (run.spoiled for run in runs), Spent())
    known = [cost for run in runs if (cost := run.spent.usage.cost_usd) is not None]
    tokens = spent.usage.input_tokens + spent.usage.output_tokens
    hours = f"{spent.wall_s / 3600:.2f} hours"
    took = f"{dollars(sum(known))} US dollars, {tokens} tokens, {hours} of all {spent.tries} tries"
    if len(known) < len(runs):
        took += f"; {len(runs) - len(known)} runs have no price"
    if spoiled.tries:
        lost = spoiled.usage.input_tokens + spoiled.usage.output_tokens
        took += f"; of them in spoiled tries {dollars(spoiled.usage.cost_usd)} US dollars, {lost} tokens, "
        took += f"{spoiled.wall_s / 3600:.2f} hours of {spoiled.tries}"
    found = sum(bool(run.findings) for run in runs)
    return [f"{name}: {ended}; {took}; {found} runs with findings; {file}"]
