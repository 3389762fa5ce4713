"""`testevo import`: import results that were mined elsewhere, so that no shipped job runs again (docs/artifact.md)."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from testevo.cli.places import DatasetOption, SnapshotOption, find_snapshot
from testevo.config.load import load_config, read_yaml
from testevo.config.resolved import differing_stages, read_resolved
from testevo.config.snapshot.layout import Layout
from testevo.packaging.dataset.dataset_folder import verify_dataset
from testevo.runtime.errors import UsageError, UserError
from testevo.runtime.files.project import PROJECT
from testevo.sources.candidates import candidates

COUNTED = re.compile(r"^(\w+) +(\d+)$", re.MULTILINE)
LAST_LINES = 12
MANY = 100_000
SNAKEMAKE = ("-m", "snakemake")
WITHOUT_PAUSES = (
    "-c",
    "from snakemake.cli import main\n"
    "from snakemake.executors.touch import Executor\n"
    "Executor.SLEEPING_TIME = 0\n"
    "main()",
)
"""Snakemake, without the 0.1 s that it sleeps before it touches the files of a job, all jobs one after the other."""


def import_results(
    configuration: Annotated[Path, typer.Option(help="Its configuration, such as config/snapshots/demo.yaml.")],
    folder: Annotated[
        Path | None, typer.Argument(help="Folder of the snapshot, such as results/demo; the same as --snapshot.")
    ] = None,
    snapshot: SnapshotOption = None,
    dataset: DatasetOption = None,
) -> None:
    """Check a snapshot that was mined elsewhere, then mark its files as up to date.

    testevo import results/demo --configuration config/snapshots/demo.yaml
    """
    layout = find_snapshot(snapshot, dataset, folder)
    place = layout.root
    wanted = load_config(read_yaml(configuration), origin=str(configuration))
    if Layout.of(wanted).root.resolve() != place.resolve():
        raise UsageError(
            f"{configuration} mines into {Layout.of(wanted).root}, not into {place}. "
            f"Move the results there, or give their own configuration."
        )
    slugs = [one.slug for one in candidates(wanted)]
    if stages := differing_stages(read_resolved(layout.config), wanted, slugs):
        raise UserError(
            f"{place} was made with another configuration: {', '.join(stages)} would run with other settings. "
            f"Give the configuration that it was made with; compare {layout.config}."
        )
    verify_dataset(layout.dataset)

    targets = targets_of(layout)
    note_as_done(configuration, targets)
    if rules := planned_jobs(_snakemake(configuration, "--dry-run", "--", *targets)).keys() - set(targets):
        raise UserError(
            f"Some results of {place} are missing: {', '.join(sorted(rules))} would still run. "
            f"Unpack all of them, or mine the rest with `snakemake --cores all --configfile {configuration}`."
        )
    print(f"{place} is up to date: nothing of {', '.join(targets)} is to be done.")


def note_as_done(configuration: Path, targets: Sequence[str]) -> None:
    """Let the workflow take all files of some targets as its own, made just now.

    What needs no input is noted too. With cores for all jobs at once, jobs that wait are looked through once for each
    stage, not once for each job.

    Raises:
        UserError: a file is missing.
    """
    _snakemake(configuration, "--touch", "--forceall", "--", *targets, program=WITHOUT_PAUSES, cores=MANY)


def targets_of(layout: Layout) -> list[str]:
    """The targets that the shipped files belong to."""
    made = {
        "all": layout.dataset / "checksums.sha256",
        "aggregate": layout.aggregate / "report.json",
        "validation": layout.validation / "verdict.json",
    }
    return [target for target, file in made.items() if file.is_file()]


def planned_jobs(said: str) -> dict[str, int]:
    """How many jobs of each rule a dry run of Snakemake counts; none when nothing is to be done."""
    table = said.partition("Job stats:\n")[2].partition("\n\n")[0]
    return {rule: int(count) for rule, count in COUNTED.findall(table) if rule not in ("job", "total")}


def _snakemake(configuration: Path, *arguments: str, program: Sequence[str] = SNAKEMAKE, cores: int = 1) -> str:
    """Snakemake's output."""
    command: Sequence[str] = [
        sys.executable,
        *program,
        "--snakefile",
        str(PROJECT / "Snakefile"),
        "--configfile",
        str(configuration),
        "--cores",
        str(cores),
        "--nocolor",
        *arguments,
    ]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    said = finished.stdout + finished.stderr
    if finished.returncode:
        raise UserError("The results cannot be imported:\n" + "\n".join(said.splitlines()[-LAST_LINES:]))
    return said
