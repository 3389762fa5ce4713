"""`testevo status`: how far a running or stopped snapshot is."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from testevo.cli.inspecting.grading_costs import show_costs
from testevo.cli.inspecting.profile import show_profile
from testevo.cli.mined_records import files_of, served_lines, why_few
from testevo.cli.mining.failed import print_failures
from testevo.cli.mining.rejected import rejected_file
from testevo.cli.options import require_one_of
from testevo.cli.output import columns, show
from testevo.cli.places import DatasetOption, SnapshotOption, dataset_of_run, find_snapshot
from testevo.config.model import Config
from testevo.config.resolved import read_resolved
from testevo.config.snapshot.layout import STAGES, Layout, RepositoryFiles
from testevo.config.systems import systems_of
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.records.base import records_so_far
from testevo.records.failures import StageFailure
from testevo.records.repository import slug_of
from testevo.runtime.errors import UsageError
from testevo.runtime.files.files import url_safe_name
from testevo.runtime.processes.progress import read_progress
from testevo.sources.candidates import candidates

RESULT_OF = {
    "clone": "commits",
    "build_check": "suites",
    "commit_pair": "changes",
    "instrument": "calls",
    "triple_execute": "joined_changes",
    "refactoring_filter": "refactorings",
    "package": "measured",
}
RULES_OF = {"package": ("package", "measure_gold")}
"""Rules of a stage that say how far they are, where that is not the stage itself."""
JOBS_OF = {
    "build_check": ("warm_up", "prove_offline", "build_check"),
    "package": ("package_repository", "measure_gold"),
}
"""Rules whose failure is one of the stage; the last one knows of all."""
ALL = "all"
"""The heading of stages of the whole snapshot."""


@dataclass(frozen=True)
class StageState:
    """How far one stage of one repository is: `done`, `waiting`, `failed`, `skipped`, `rejected`, or a count."""

    repository: str
    stage: str
    state: str


def stage_states(files: RepositoryFiles, repository: str) -> list[StageState]:
    """The state of every stage of one repository."""
    not_begun = "rejected" if rejected_file(files) else "waiting"
    return [StageState(repository, stage, state_of(files, stage) or not_begun) for stage in STAGES]


def state_of(files: RepositoryFiles, stage: str) -> str | None:
    """The state of a stage; None when nothing of it has begun."""
    jobs = JOBS_OF.get(stage, (stage,))
    for failure in records_so_far(files.failure(jobs[-1]), StageFailure):
        return "failed" if failure.stage in jobs else "skipped"
    result: Path = getattr(files, RESULT_OF[stage])
    if result.is_file():
        return "done"
    noted = [noted_progress(files, rule) for rule in RULES_OF.get(stage, (stage,))]
    return next((counted(progress) for progress in reversed(noted) if progress is not None), None)


def noted_progress(files: RepositoryFiles, rule: str) -> tuple[str, int, int] | None:
    """How far a rule is; before its job for the whole repository begins, how far those for its parts are together."""
    whole = read_progress(files.progress(rule))
    parts = [part for part in map(read_progress, files.shards_progress(rule)) if part is not None]
    if whole is not None or not parts:
        return whole
    return parts[-1][0], sum(done for _, done, _ in parts), sum(total for _, _, total in parts)


def evaluation_state(layout: Layout, systems: Sequence[str], slug: str) -> str:
    """How many systems are graded on a repository, and how far those are that are not."""
    files = [layout.of_system(url_safe_name(system), slug) for system in systems]
    graded = [one.graded.is_file() for one in files]
    if files and all(graded):
        return "done"
    noted = [read_progress(one.progress) for one, done in zip(files, graded, strict=True) if not done]
    begun = [counted(progress) for progress in noted if progress is not None]
    if not any(graded) and not begun:
        return "waiting"
    return ", ".join([f"{sum(graded)} of {len(files)} systems", *begun])


def counted(progress: tuple[str, int, int]) -> str:
    return f"{progress[1]} of {progress[2]} {progress[0]}"


def states_of(config: Config, layout: Layout) -> list[StageState]:
    """Every stage of every repository; when a dataset from elsewhere is graded, only what grading does."""
    dataset, systems = config.evaluation.dataset, list(systems_of(config.evaluation))
    if dataset is None:
        slugs = {one.slug: one.name for one in candidates(config)}
    else:
        slugs = {slug: slug.replace("+", "/") for slug in open_dataset(dataset_of_run(config, layout)).slugs}
    states = []
    for slug, name in slugs.items():
        states += stage_states(layout.of_repository(slug), name) if dataset is None else []
        states.append(StageState(name, "evaluate", evaluation_state(layout, systems, slug)))
    done = (layout.aggregate / "report.json").is_file()
    return [*states, StageState(ALL, "aggregate", "done" if done else "waiting")]


def status(
    folder: Annotated[
        Path | None, typer.Argument(help="Folder of the snapshot, such as results/demo; the same as --snapshot.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    profile: Annotated[bool, typer.Option("--profile", help="Show where the time went instead.")] = False,
    costs: Annotated[bool, typer.Option("--costs", help="Show what grading each system took instead.")] = False,
    watts: Annotated[
        float | None, typer.Option("--watts", min=0, help="What a busy core draws; adds energy to --costs.")
    ] = None,
    snapshot: SnapshotOption = None,
    dataset: DatasetOption = None,
) -> None:
    """Show, per repository and stage, what is done and what is left, where the time went, or what grading took."""
    if watts is not None and not costs:
        raise UsageError("--watts belongs to --costs.")
    require_one_of({"--costs": costs, "--profile": profile})
    layout = find_snapshot(snapshot, dataset, folder)
    if costs:
        show_costs(layout, watts, as_json=as_json)
        return
    if profile:
        show_profile(layout, as_json=as_json)
        return
    config = read_resolved(layout.config)
    states = states_of(config, layout)
    if as_json:
        print(json.dumps([asdict(state) for state in states], indent=1))
        return
    stages = list(dict.fromkeys(state.stage for state in states))
    rows = []
    for name in sorted({state.repository for state in states}, key=lambda name: (name == ALL, name)):
        state_at = {state.stage: state.state for state in states if state.repository == name}
        rows.append([name, *(state_at.get(stage, "") for stage in stages)])
    more = []
    if config.evaluation.dataset is None:
        more = [*served_lines(config, files_of(config, layout)), *why_few(config, layout)]
    show([*columns(("repository", *stages), rows), *([""] if more else []), *more])
    print_failures([layout.of_repository(slug) for slug in sorted({slug_of(state.repository) for state in states})])
