"""The graph of a large snapshot, and how fast jobs start: what Snakemake itself costs.

`python -m tests.bench.workflow_scale` makes a snapshot of 250 repositories whose histories are cloned already and that
are cut into ten shards each, and plans it by a dry run; then it runs jobs that do nothing, with the profile of this
project.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from testevo.cli.mining.import_results import planned_jobs
from testevo.config.machine.shards import Estimate, write_commit_lock
from testevo.config.snapshot.layout import Layout
from testevo.runtime.files.files import write_atomically
from testevo.runtime.files.project import PROJECT

REPOSITORIES, SHARDS, NOTHINGS = 250, 10, 600
MINUTES = 60.0
NOTHING = """rule all:
    input: expand("done/{{number}}", number=range({count}))

rule nothing:
    output: "done/{{number}}"
    shell: "touch {{output}}"
"""


@dataclass(frozen=True)
class Took:
    """A run of Snakemake."""

    seconds: float
    memory_mb: float
    """The most that it or a child of it had at one moment."""
    said: str


def snakemake(folder: Path, *arguments: str) -> Took:
    """Run it in a process of its own, so that its memory is known."""
    command = [sys.executable, "-m", "snakemake", "--nocolor", *arguments]
    program = (
        "import json, resource, subprocess, sys, time\n"
        "began = time.monotonic()\n"
        "done = subprocess.run(sys.argv[1:], capture_output=True, text=True)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(json.dumps([done.returncode, time.monotonic() - began, used.ru_maxrss, done.stdout + done.stderr]))\n"
    )
    measured = subprocess.run(
        [sys.executable, "-c", program, *command], cwd=folder, capture_output=True, text=True, check=True
    )
    status, seconds, kibibytes, said = json.loads(measured.stdout)
    assert status == 0, said[-3000:]
    return Took(seconds, kibibytes / 1024, said)


def dry_run(folder: Path, repositories: int = REPOSITORIES, shards: int = SHARDS) -> Took:
    """Plan a snapshot whose histories are cloned."""
    listed = [{"name": f"owner/name-{number:04}", "address": f"/nowhere/{number}"} for number in range(repositories)]
    given = {
        "snapshot": "large",
        "results": "results",
        "sources": {"repositories": listed},
        "machine": {"shard_minutes": MINUTES},
    }
    (folder / "large.yaml").write_text(yaml.safe_dump(given))
    layout = Layout(folder / "results" / "large")
    slugs = [one["name"].replace("/", "+") for one in listed]
    for slug in slugs:
        files = layout.of_repository(slug)
        for file in (files.repository, files.commits, files.bundle):
            write_atomically(file, b"")
    write_commit_lock(layout.commit_lock, dict.fromkeys(slugs, Estimate(300, shards * MINUTES * 60)))
    return snakemake(
        folder,
        "--snakefile",
        str(PROJECT / "Snakefile"),
        "--configfile",
        "large.yaml",
        "--cores",
        "2",
        "--dry-run",
        "--quiet",
        "rules",
        "--rerun-triggers",
        "mtime",
        "--",
        "all",
    )


def nothings(folder: Path, count: int = NOTHINGS) -> Took:
    """Run so many jobs that do nothing."""
    folder.mkdir()
    (folder / "Snakefile").write_text(NOTHING.format(count=count))
    profile = str(PROJECT / "profiles" / "default")
    return snakemake(folder, "--workflow-profile", profile, "--cores", "2", "--quiet", "all")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.workflow_scale", description=__doc__)
    parser.add_argument("--repositories", type=int, default=REPOSITORIES)
    parser.add_argument("--shards", type=int, default=SHARDS)
    parser.add_argument("--jobs", type=int, default=NOTHINGS, help="jobs that do nothing")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="testevo-scale-") as name:
        planned = dry_run(Path(name), options.repositories, options.shards)
        jobs = sum(planned_jobs(planned.said).values())
        print(
            f"dry run of {options.repositories} repositories with {options.shards} shards, {jobs} jobs: "
            f"{planned.seconds:.1f} s, {planned.memory_mb:.0f} MiB",
            flush=True,
        )
        few, many = nothings(Path(name) / "few", 2), nothings(Path(name) / "many", options.jobs)
        rate = (options.jobs - 2) / (many.seconds - few.seconds)
        print(f"{options.jobs} jobs that do nothing: {rate:.0f} jobs a second, {many.memory_mb:.0f} MiB", flush=True)


if __name__ == "__main__":
    main()
