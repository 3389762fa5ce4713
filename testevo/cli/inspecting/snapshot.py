"""`testevo snapshot`: dated snapshots of one series, each locked, sealed, and comparable with the one before."""

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml

from testevo.cli.inspecting.profile import profiles, totals
from testevo.cli.mining.failed import print_failures
from testevo.cli.mining.import_results import note_as_done
from testevo.cli.mining.workflow import run_workflow, write_given
from testevo.cli.options import SandboxOption, in_sandbox
from testevo.cli.output import columns, show
from testevo.config.load import load_config, merge, read_yaml
from testevo.config.model import Config
from testevo.config.snapshot.layout import Layout
from testevo.config.snapshot.stage_failures import failures_of
from testevo.history.bundle import open_bundle
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.packaging.series.comparison import differences_between
from testevo.packaging.series.lock_files import LockFolder
from testevo.packaging.series.task_states import MinedRepository, states_of
from testevo.packaging.series.unchanged import copy_unchanged
from testevo.records.base import read_records, records_so_far
from testevo.records.labels import Label
from testevo.records.repository import Commit, Repository, slug_of
from testevo.records.snapshots.snapshot import LockedRepository, TaskState
from testevo.runtime.errors import ExitStatus, NotFoundError, UsageError
from testevo.runtime.files.archive_files import restore_archive
from testevo.runtime.files.files import write_atomically
from testevo.runtime.files.jars import JARS
from testevo.sandboxes.consent import require_consent_to_mine
from testevo.sources.candidates import candidates
from testevo.sources.github.candidates import is_searched
from testevo.sources.pins import pins

app = typer.Typer(no_args_is_help=True, help="Make, list, compare and check dated snapshots (docs/snapshots.md).")

DateArgument = Annotated[str, typer.Argument(help="Day of the snapshot (YYYY-MM-DD): its name and its cutoff.")]
FolderOption = Annotated[Path, typer.Option(help="Folder of configurations and lock files.")]
ResultsOption = Annotated[Path | None, typer.Option(help="Folder of results, instead of the configured one.")]
CoresOption = Annotated[int, typer.Option(min=1, help="Jobs at the same time.")]
FOLDER = Path("config/snapshots")
CORES = os.cpu_count() or 1


@app.command("new")
def new(
    date: DateArgument,
    base: Annotated[
        Path | None, typer.Option("--from", help="Configuration to begin with; else the newest earlier snapshot.")
    ] = None,
    folder: FolderOption = FOLDER,
    cores: CoresOption = CORES,
    profile: Annotated[str | None, typer.Option(help="Profile of Snakemake, such as slurm.")] = None,
    sandbox: SandboxOption = None,
) -> int:
    """Configure, lock, mine and seal a snapshot, then say what it changed. The same command resumes it.

    testevo snapshot new 2026-02-01
    """
    path = folder / f"{date}.yaml"
    if not path.is_file():
        write_configuration(path, base or newest_before(folder, date), date)
    config = load_config(in_sandbox(read_yaml(path), sandbox), origin=str(path))
    lock, layout = lock_of(config, path), Layout.of(config)
    if not is_searched(config):
        searching = write_given(config, layout)
        run_workflow(searching, layout, cores=cores, targets=["search"], doing="searching GitHub", profile=profile)
    slugs = [one.slug for one in candidates(config)]
    require_consent_to_mine(config, candidates(config))
    given = write_given(config, layout)
    if pins(config) is None:
        clones = [layout.of_repository(slug).commits for slug in slugs]
        run_workflow(given, layout, cores=cores, targets=clones, doing="cloning", profile=profile)
        lock.pin(layout, slugs)
        if config.predecessor:
            take_over(config, given, slugs)
    run_workflow(given, layout, cores=cores, profile=profile)
    before = LockFolder(folder / f"{config.predecessor}.lock") if config.predecessor else None
    earlier = before.tasks if before else []
    known = {one.name: one for one in before.repositories} if before else {}
    heads = {one.name: one.head for one in lock.repositories}
    mined = {
        name: mined_repository(layout, name, one, heads.get(name))
        for name, one in known.items()
        if slug_of(name) in slugs
    }
    lock.seal(layout, states_of(config.snapshot, open_dataset(layout.dataset).tasks, earlier, mined))
    if before:
        show_differences(before, lock)
    print_cost(layout)
    return print_failures([layout.of_repository(slug) for slug in slugs])


@app.command("list")
def show_all(folder: FolderOption = FOLDER) -> None:
    """One row for each snapshot that has lock files."""
    rows = []
    for path in sorted(folder.glob("*.lock")):
        lock, config = LockFolder(path), load_config(read_yaml(path.with_suffix(".yaml")))
        counts = [sum(one.state is state for one in lock.tasks) for state in TaskState]
        state = "sealed" if lock.is_sealed else "locked"
        rows.append((path.stem, state, config.predecessor or "", *map(str, (len(lock.repositories), *counts))))
    headings = ("snapshot", "state", "predecessor", "repositories", *(state.value for state in TaskState))
    show(columns(headings, rows, right=range(3, 7)))


@app.command("diff")
def diff(before: DateArgument, after: DateArgument, folder: FolderOption = FOLDER) -> None:
    """Repositories and tasks that are new, lost, changed or quarantined in the second snapshot, with reasons."""
    show_differences(*(sealed(folder, date) for date in (before, after)))


@app.command("verify")
def verify(date: DateArgument, folder: FolderOption = FOLDER, results: ResultsOption = None) -> int:
    """Compare clones and dataset with the lock files; status 8 where they differ."""
    lock, config = sealed(folder, date), configured(folder, date, {"results": str(results)} if results else {})
    layout = Layout.of(config)
    apart = [*lock.other_clones(layout, [one.slug for one in candidates(config)]), *lock.differences(layout.dataset)]
    return verdict(layout, apart)


@app.command("regenerate")
def regenerate(
    date: DateArgument,
    folder: FolderOption = FOLDER,
    results: Annotated[Path, typer.Option(help="Folder to mine into.")] = Path("results/regenerated"),
    bundle: Annotated[
        Path | None, typer.Option(help="File of `testevo bundle create`, to mine from without a network.")
    ] = None,
    cores: CoresOption = CORES,
    sandbox: SandboxOption = None,
) -> int:
    """Mine a sealed snapshot again from its lock files, and compare the dataset; status 8 where bytes differ."""
    own: dict[str, Any] = {"results": str(results)}
    if bundle:
        own["build"] = {"offline": True, "cache": str(results / "cache")}
    lock, config = sealed(folder, date), configured(folder, date, own, sandbox)
    layout = Layout.of(config)
    given = write_given(config, layout)
    if bundle:
        restore_archive(bundle, {"snapshot": layout.root, "cache": results / "cache", "tools": JARS})
        note_as_done(given, ["online"])
    require_consent_to_mine(config, candidates(config))
    run_workflow(given, layout, cores=cores, doing="regenerating")
    return verdict(layout, lock.differences(layout.dataset))


def write_configuration(path: Path, base: Path, date: str) -> None:
    """The configuration of a snapshot: as the base, with its own name, cutoff, lock files and predecessor."""
    given = read_yaml(base)
    lock = path.with_suffix(".lock")
    own: dict[str, Any] = {"snapshot": date, "lock": str(lock), "rules": {"walk": {"cutoff": date}}}
    if LockFolder(base.with_suffix(".lock")).is_sealed:
        own["predecessor"] = base.stem
    if (given.get("sources") or {}).get("github") is not None:
        own["sources"] = {"github": {"lock": str(lock / "github.jsonl")}}
    load_config(merge(given, own), origin=str(base))
    write_atomically(path, yaml.safe_dump(merge(given, own), sort_keys=False).encode())


def newest_before(folder: Path, date: str) -> Path:
    """The newest sealed snapshot of an earlier date.

    Raises:
        UsageError: there is none.
    """
    earlier = [path for path in sorted(folder.glob("*.lock")) if path.stem < date and LockFolder(path).is_sealed]
    if not earlier:
        raise UsageError(f"{folder} has no sealed snapshot before {date}. Give --from with a configuration.")
    return earlier[-1].with_suffix(".yaml")


def take_over(config: Config, given: Path, slugs: Sequence[str]) -> None:
    """Let the workflow take the outputs of repositories with nothing new from the predecessor."""
    if copied := copy_unchanged(config, slugs):
        note_as_done(given, [str(files.measured) for files in copied])
    print(f"{len(copied)} of {len(slugs)} repositories are as they were in {config.predecessor}.")


def lock_of(config: Config, path: Path) -> LockFolder:
    """The lock files of a configuration.

    Raises:
        UsageError: it names none.
    """
    if config.lock is None:
        raise UsageError(f"{path} is not of a dated snapshot: it has no `lock`. Remove it, or give another date.")
    return LockFolder(Path(config.lock))


def sealed(folder: Path, date: str) -> LockFolder:
    """The lock files of a snapshot that is mined.

    Raises:
        NotFoundError: there is no such snapshot.
    """
    lock = LockFolder(folder / f"{date}.lock")
    if not lock.is_sealed:
        raise NotFoundError(f"{lock.folder} holds no sealed snapshot. `testevo snapshot list` names those that are.")
    return lock


def configured(folder: Path, date: str, own: Mapping[str, Any], sandbox: str | None = None) -> Config:
    """The configuration of a sealed snapshot with other settings; other results know nothing of a predecessor."""
    path = folder / f"{date}.yaml"
    given = in_sandbox(read_yaml(path), sandbox)
    return load_config(merge(given, own), origin=str(path))


def mined_repository(layout: Layout, name: str, before: LockedRepository, head: str | None) -> MinedRepository:
    """What the snapshot knows of a repository of the one before; `head` is where its walk starts now."""
    files = layout.of_repository(slug_of(name))
    failures = failures_of([files])
    rewritten = None
    if before.head != head and before.head and files.bundle.stat().st_size:
        with tempfile.TemporaryDirectory() as folder:
            held = open_bundle(files.bundle, Path(folder)).has(before.head)
        rewritten = None if held else before.head
    return MinedRepository(
        repository=read_records(files.repository, Repository)[0],
        walked=frozenset(one.revision for one in read_records(files.commits, Commit)),
        rewritten=rewritten,
        labels=records_so_far(files.labels, Label),
        failure=f"{failures[0].stage}: {failures[0].reason}" if failures else None,
    )


def show_differences(before: LockFolder, after: LockFolder) -> None:
    rows = differences_between(before, after)
    show(columns(("what", "name", "reason"), rows) if rows else ["The same repositories and tasks."])


def print_cost(layout: Layout) -> None:
    wall, processor, jvms, maven = totals([one.profile for one in profiles(layout)])
    print(f"Cost: {processor} s of processor time in {wall} s of jobs, {jvms} test JVMs, {maven} Maven runs.")


def verdict(layout: Layout, apart: list[str]) -> int:
    """Say what differs, and the status."""
    for line in apart:
        print(line)
    if not apart:
        print(f"{layout.dataset} is as it was sealed.")
    return ExitStatus.NO_SUCCESS if apart else ExitStatus.OK
