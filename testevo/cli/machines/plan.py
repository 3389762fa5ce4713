"""`testevo plan`: what a snapshot would take, on paper, and whether the known clusters allow it."""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from testevo.analysis.planning.cost_fit import fit
from testevo.analysis.planning.cost_model import MODEL, CostModel, MeasuredOn, model_text, read_model
from testevo.analysis.planning.grading import grading_plan
from testevo.analysis.planning.limits import Simulated, in_one_allocation, on_cluster
from testevo.analysis.planning.plan import PILOT_START_SECONDS, Plan, configured, imagined, plan
from testevo.analysis.planning.schedule import Schedule
from testevo.analysis.planning.work_units import (
    MinedRepository,
    Space,
    cache_of,
    grading_space,
    mined_repositories,
    space_of,
)
from testevo.cli.machines.plan_tables import fit_text, grading_text, plan_text
from testevo.cli.options import refuse_beside, require_one_of
from testevo.config.load import load_config, read_yaml
from testevo.config.machine.clusters import Cluster, read_clusters
from testevo.config.snapshot.layout import Layout
from testevo.runtime.errors import UsageError
from testevo.runtime.files.files import write_atomically
from testevo.runtime.refused_input import reason

REPOSITORIES = 250
COMMITS = 300
SHARD_MINUTES = 60.0
RUNNING = 100
NODE = 192
SYSTEMS = 4
MOST = 100_000
"""Repositories, commits of each, and jobs at a time: beyond these a plan takes all memory."""
MOST_WORK = 1000
"""As a multiple of the measured work of a commit."""
STAGE_NUMBERS = ("cores", "memory_mb", "median_minutes", "longest_minutes", "core_hours", "bytes", "files")
BEGIN, END = "<!-- plan -->\n```text\n", "```\n<!-- end of plan -->\n"


def plan_snapshot(
    repositories: Annotated[int | None, typer.Option(min=1, max=MOST, help="Number of repositories (250).")] = None,
    commits: Annotated[
        int | None, typer.Option(min=1, max=MOST, help="Walked commits of each repository (300).")
    ] = None,
    configuration: Annotated[Path | None, typer.Option(help="Plan a configured snapshot instead.")] = None,
    shard_minutes: Annotated[
        float | None, typer.Option(min=0, help="Estimated minutes of a shard (60, or as configured); 0: no shards.")
    ] = None,
    processes: Annotated[int | None, typer.Option(min=1, help="Processes and cores of a job.")] = None,
    running: Annotated[
        int, typer.Option(min=1, max=MOST, help="Jobs that the cluster runs at the same time.")
    ] = RUNNING,
    pilot_cores: Annotated[
        int, typer.Option(min=1, max=MOST, help="Cores of one allocation, for the pilot profile.")
    ] = NODE,
    factor: Annotated[
        float,
        typer.Option(
            min=0.01, max=MOST_WORK, help="Work per commit, as a multiple of that of the measured repositories."
        ),
    ] = 1.0,
    cluster: Annotated[list[str] | None, typer.Option(help="Only this cluster; may be repeated.")] = None,
    model_file: Annotated[Path, typer.Option("--model", help="Cost model.")] = MODEL,
    fit_to: Annotated[
        list[Path] | None, typer.Option("--fit", help="Fit the cost model to this mined snapshot; may be repeated.")
    ] = None,
    tasks: Annotated[int | None, typer.Option(min=1, help="Plan only the grading of this many tasks.")] = None,
    systems: Annotated[int, typer.Option(min=1, help="Number of systems to grade on --tasks.")] = SYSTEMS,
    page: Annotated[Path | None, typer.Option(help="Put the plan into this page, between its marks.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all numbers as JSON instead.")] = False,
) -> None:
    """Estimate the jobs, hours and disk of a snapshot, and which cluster limits it would exceed.

    testevo plan --repositories 250 --commits 300
    testevo plan --tasks 1200 --systems 4
    """
    of_snapshot = {
        "--repositories": repositories,
        "--commits": commits,
        "--configuration": configuration,
        "--shard-minutes": shard_minutes is not None,
        "--processes": processes,
        "--running": running != RUNNING,
        "--pilot-cores": pilot_cores != NODE,
        "--factor": factor != 1,
        "--cluster": cluster,
        "--page": page,
    }
    if fit_to:
        refuse_beside("--fit", {**of_snapshot, "--tasks": tasks, "--systems": systems != SYSTEMS, "--json": as_json})
        model = fitted(fit_to)
        write_atomically(model_file, model_text(model).encode())
        print(fit_text(model), end="")
        return
    if tasks is not None:
        refuse_beside("--tasks", of_snapshot)
    elif systems != SYSTEMS:
        raise UsageError("--systems belongs to --tasks.")
    require_one_of({"--page": page, "--json": as_json})
    if configuration is not None and (repositories or commits):
        raise UsageError("--repositories and --commits make up a snapshot; leave them out with --configuration.")
    around = ("", "") if page is None else around_the_plan(page)
    model = read_model(model_file)
    if tasks is not None:
        graded = grading_plan(model, tasks, systems)
        print(json.dumps(asdict(graded), indent=1) if as_json else grading_text(graded, model), end="")
        return
    config = load_config(read_yaml(configuration) if configuration else {}, origin=str(configuration or "the command"))
    size = (repositories or REPOSITORIES, commits or COMMITS)
    planned = configured(model, config) if configuration else imagined(model, *size)
    by_default = config.machine.shard_minutes if configuration else SHARD_MINUTES
    shards = by_default if shard_minutes is None else shard_minutes
    whole = plan(model, config, planned, factor=factor, shard_minutes=shards or None, processes=processes)
    simulated = [on_cluster(whole, one, running) for one in chosen(cluster or [])]
    small = plan(model, config, planned, factor=factor, processes=1, start_seconds=PILOT_START_SECONDS)
    pilot = in_one_allocation(small, pilot_cores)
    if as_json:
        print(json.dumps(document(whole, simulated, pilot), indent=1))
        return
    what = str(configuration) if configuration else f"{size[0]} repositories with {size[1]} commits each"
    cut = f"shards of about {shards:g} processor minutes" if shards else "no shards"
    times = "" if factor == 1 else f", {factor:g} times the measured work for each commit"
    text = plan_text(whole, model, simulated, (pilot_cores, pilot), f"{what}, {cut}{times}.")
    if page is not None:
        write_atomically(page, text.join(around).encode())
    else:
        print(text, end="")


def chosen(names: Sequence[str]) -> list[Cluster]:
    """The clusters of these names, all of them when there are none."""
    known = {one.name: one for one in read_clusters()}
    for name in names:
        if name not in known:
            raise UsageError(f"There is no cluster {name!r} in config/clusters.yaml. Known ones: {', '.join(known)}.")
    return [known[name] for name in names or known]


def fitted(roots: Sequence[Path]) -> CostModel:
    """The model of these snapshots; of a repository that is in several, each mining counts."""
    mined_in = {root: mined_repositories(root) for root in roots}
    mined = list(chain.from_iterable(mined_in.values()))
    return fit(
        mined,
        measured_on_here(sorted({jdk for one in mined for jdk in one.jdks})),
        caches(mined_in),
        [grading_space(Layout(root)) for root in roots],
    )


def caches(mined_in: Mapping[Path, Sequence[MinedRepository]]) -> list[tuple[Space, float]]:
    """The size of each cache of real repositories that still exists, and the commits that were built with it."""
    commits: dict[Path, float] = {}
    for root, mined in mined_in.items():
        if any(one.real for one in mined):
            commits[cache_of(root)] = commits.get(cache_of(root), 0.0) + sum(one.units["kept"] for one in mined)
    return [(space_of(cache), count) for cache, count in sorted(commits.items()) if cache.is_dir()]


def measured_on_here(jdks: Sequence[int]) -> MeasuredOn:
    """This machine, today: snapshots are fitted where they were mined."""
    cores = os.cpu_count() or 1
    return MeasuredOn(cores=cores, processor=processor(), jdks=tuple(jdks), date=datetime.now(UTC).strftime("%Y-%m-%d"))


def processor() -> str:
    """The processor's name of itself."""
    described = Path("/proc/cpuinfo")
    lines = described.read_text(encoding="utf-8").splitlines() if described.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def around_the_plan(page: Path) -> tuple[str, str]:
    """What stands in a page before and behind the place of the plan, marks included."""
    if page.exists() and not (page.is_file() or page.is_dir()):
        raise UsageError(f"{page} cannot be read (it is no file). Give a page in UTF-8 with its marks.")
    try:
        content = page.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{page} cannot be read ({reason(error)}). Give a page in UTF-8 with its marks.") from error
    before, begun, rest = content.partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not (begun and ended):
        raise UsageError(f"{page} has no place for a plan. Put {BEGIN.splitlines()[0]} and the other marks into it.")
    return f"{before}{begun}", f"{ended}{after}"


def document(whole: Plan, simulated: Sequence[Simulated], pilot: Schedule) -> dict[str, Any]:
    return {
        "repositories": len(whole.repositories),
        "jobs": len(whole.jobs),
        "core_hours": whole.core_hours,
        "bytes": whole.bytes,
        "files": whole.files,
        "stages": [
            {"stage": stage.stage, "jobs": len(stage.seconds), **{name: getattr(stage, name) for name in STAGE_NUMBERS}}
            for stage in whole.stages
        ],
        "pilot": {"makespan_hours": pilot.makespan / 3600, "utilisation": pilot.utilisation},
        "clusters": [
            {
                "name": one.cluster.name,
                "makespan_hours": one.schedule.makespan / 3600,
                "utilisation": one.schedule.utilisation,
                "longest_queue": one.schedule.longest_queue,
                "checks": [asdict(check) for check in one.checks],
            }
            for one in simulated
        ],
    }
