"""A repository that makes a stage fail leaves the snapshot with a record; all others stay."""

import csv
import json
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest
from opened_files import environment
from snapshots import WORLDS, Snapshot, command_line, jobs_of, one_message, warm_cache

from testevo.config.snapshot.stage_failures import failed_files
from testevo.records.base import read_records
from testevo.records.failures import StageFailure
from testevo.runtime.errors import ExitStatus

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("failed stages")]

BAD, GOOD = WORLDS
BAD_SLUG = f"worlds+{BAD}"
NOTES = "opened.jsonl"
UNDECLARED = (
    "config.json",
    "jdks.json",
    "tools.jsonl",
    "lock",
    "logs/",
    "journals/",
    "progress/",
    "profile/",
    "scratch/",
)
"""What every job may read: the configuration, whose parts are a parameter of its rule, what a run notes of the machine
when it begins, and files of its own work."""
OWN = {"clone": ("cutoff.json", ".history.bundle."), "triple_execute": ("logs",)}
"""What a rule makes beside its outputs, for itself or for its later runs."""


@dataclass(frozen=True)
class Job:
    """What the workflow noted of a job: paths relative to the snapshot."""

    inputs: frozenset[str]
    outputs: frozenset[str]


def declared(snapshot: Snapshot) -> dict[tuple[str, str], Job]:
    """The jobs of the last run by rule and repository, '' for those of the whole snapshot."""
    told = snapshot.run(snapshot.workflow("--detailed-summary"))
    assert told.returncode == 0, told.stderr
    lines = told.stdout[told.stdout.index("output_file") :].splitlines()
    jobs: dict[tuple[str, str], Job] = {}
    root = snapshot.layout.root.relative_to(snapshot.folder).as_posix()
    for row in csv.DictReader(lines, delimiter="\t"):
        output = row["output_file"].removeprefix(f"{root}/")
        slug = next((one for one in map("worlds+{}".format, WORLDS) if f"/{one}/" in output), "")
        before = jobs.get((row["rule"], slug), Job(frozenset(), frozenset()))
        inputs = {one.removeprefix(f"{root}/") for one in row["input-file(s)"].split(",")} - {"", "-"}
        jobs[row["rule"], slug] = Job(before.inputs | inputs, before.outputs | {output})
    return jobs


def opened(snapshot: Snapshot) -> dict[tuple[str, str], set[str]]:
    """What scripts read below the snapshot, by script and repository; what is only written is left out."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for line in (snapshot.folder / NOTES).read_text().splitlines():
        command, path, writes = json.loads(line)
        script, _, arguments = command.partition(" ")
        if "/scripts/" in script and not writes:
            slug = re.search(r"--slug (\S+)", arguments)
            name = Path(path).relative_to(snapshot.layout.root).as_posix()
            found[Path(script).stem, slug[1] if slug else ""].add(name)
    return found


def is_own(rule: str, path: str) -> bool:
    """Whether a file is one that each job, or this rule, keeps for itself."""
    inner = path.split("/", 2)[2] if path.count("/") > 1 else ""
    return path.startswith(UNDECLARED) or inner.startswith(OWN.get(rule, ("\0",)))


def funnel(snapshot: Snapshot) -> dict[str, dict[str, int]]:
    """What became of repositories, by stage and reason."""
    stages = json.loads((snapshot.layout.dataset / "funnel.json").read_bytes())
    return {
        one["stage"]: {part["reason"]: part["count"] for part in one["left"]}
        for one in stages
        if one["unit"] == "repositories"
    }


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory, shared_cache: Path) -> tuple[Snapshot, str]:
    """Two worlds, of which one makes `commit_pair` fail with a bug, and what `testevo mine` said."""
    folder = tmp_path_factory.mktemp("broken")
    snapshot = Snapshot.made(folder, warm_cache(shared_cache, folder / "cache"), {"worlds": list(WORLDS)})
    hook = environment(
        folder / "hook",
        recorded=snapshot.layout.root,
        notes=folder / NOTES,
        failing=(("commit_pair.py", f"{BAD_SLUG}/builds.jsonl"),),
    )
    finished = snapshot.run(snapshot.mine(), env=hook)
    assert finished.returncode == ExitStatus.PARTIAL, finished.stdout + finished.stderr
    return snapshot, finished.stdout


def test_what_a_job_reads_is_declared_and_what_is_declared_is_read(broken: tuple[Snapshot, str]) -> None:
    """A file that a rule does not name would not make it run again; one that is not read would, for nothing."""
    snapshot, _ = broken
    jobs, read = declared(snapshot), opened(snapshot)
    assert {rule for rule, _ in jobs} >= {"clone", "commit_pair", "measure_gold", "package", "search"}
    undeclared = {
        f"{rule} {slug}: {path}"
        for (rule, slug), job in jobs.items()
        for path in read[rule, slug] - job.inputs - job.outputs
        if not is_own(rule, path)
    }
    unread = {
        f"{rule} {slug}: {path}"
        for (rule, slug), job in jobs.items()
        if slug != BAD_SLUG
        for path in job.inputs - read[rule, slug]
        if BAD_SLUG not in path
    }
    assert undeclared == set()
    assert unread == set()


def test_the_dataset_is_that_of_all_other_repositories(broken: tuple[Snapshot, str], mined: Snapshot) -> None:
    """Tasks of the good world are as if it had been mined beside a good one; the bad one is in the funnel."""
    snapshot, _ = broken
    own = f"records/worlds+{GOOD}.jsonl"
    assert (snapshot.layout.dataset / own).read_bytes() == (mined.layout.dataset / own).read_bytes()
    assert (snapshot.layout.dataset / f"records/{BAD_SLUG}.jsonl").read_bytes() == b""
    assert not (snapshot.layout.dataset / f"histories/{BAD_SLUG}.bundle").exists()
    assert (snapshot.layout.dataset / f"histories/worlds+{GOOD}.bundle").is_file()
    assert funnel(snapshot) == {"clone": {"": 2}, "commit_pair": {"": 1, "stage_failed": 1}, "package": {"": 1}}


def test_the_failure_is_a_record_without_places_of_the_machine(broken: tuple[Snapshot, str]) -> None:
    snapshot, _ = broken
    record = read_records(snapshot.layout.dataset / "failures.jsonl", StageFailure)
    assert record == read_records(snapshot.files(BAD_SLUG).failure("commit_pair"), StageFailure)
    assert [(one.repository, one.stage, one.error) for one in record] == [(f"worlds/{BAD}", "commit_pair", "KeyError")]
    assert record[0].log[-1].startswith("KeyError: 'poisoned at ")
    assert any("scripts/commit_pair.py" in line for line in record[0].log)
    assert str(snapshot.folder) not in record[0].line() and "/work" not in record[0].line()


def test_the_summary_and_the_status_name_stage_reason_log_and_next_step(broken: tuple[Snapshot, str]) -> None:
    snapshot, said = broken
    shown = snapshot.run(command_line("status", "results/small")).stdout
    log = f"results/small/logs/commit_pair/{BAD_SLUG}.log"
    for text in (said, shown):
        assert f"worlds/{BAD}: commit_pair failed with KeyError" in text and log in text and "--retry" in text
    assert "Traceback" in (snapshot.folder / log).read_text()
    states = snapshot.states()
    assert states[f"worlds/{BAD}", "build_check"] == "done"
    assert states[f"worlds/{BAD}", "commit_pair"] == "failed"
    assert states[f"worlds/{BAD}", "package"] == "skipped"
    assert states[f"worlds/{GOOD}", "package"] == "done"


def test_a_retry_runs_the_failed_stage_and_what_follows(broken: tuple[Snapshot, str], mined: Snapshot) -> None:
    """Without --retry nothing is done again; with it the snapshot becomes the one that never failed."""
    snapshot, _ = broken
    again = snapshot.run(snapshot.mine())
    assert again.returncode == ExitStatus.PARTIAL and not jobs_of(again.stdout + again.stderr)
    fixed = snapshot.run(snapshot.mine("--retry"))
    assert fixed.returncode == ExitStatus.OK, fixed.stdout + fixed.stderr
    found, wanted = snapshot.outputs(), mined.outputs()
    assert sorted(name for name in found.keys() | wanted.keys() if found.get(name) != wanted.get(name)) == []


def test_a_failed_shard_is_the_failure_of_its_repository(tmp_path: Path) -> None:
    """The job of the whole repository does not begin what made a part of it fail."""
    snapshot = Snapshot.made(tmp_path, tmp_path / "cache", {"worlds": [BAD]}, machine={"shard_minutes": 0.001})
    hook = environment(tmp_path / "hook", failing=(("build_check.py", f"{BAD_SLUG}/commits.jsonl"),))
    files = snapshot.files(BAD_SLUG)
    finished = snapshot.run(snapshot.workflow(str(files.builds.relative_to(tmp_path))), env=hook)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    record = read_records(files.failure("build_check"), StageFailure)[0]
    assert record.shard.startswith("1of") and record.error == "KeyError"
    assert files.builds.read_bytes() == b"" and files.suites.read_bytes() == b""
    assert files.of_shard(record.shard).finished_shard("build_check") in failed_files(files)


def test_a_fault_of_the_machine_fails_the_job_and_is_no_record(tmp_path: Path) -> None:
    snapshot = Snapshot.made(tmp_path, tmp_path / "cache", {"worlds": [BAD]})
    hook = environment(tmp_path / "hook", failing=(("build_check.py", f"{BAD_SLUG}/commits.jsonl"),), error=MemoryError)
    finished = snapshot.run(snapshot.mine(), env=hook)
    assert "MemoryError" in one_message(finished, ExitStatus.MACHINE)
    assert not snapshot.files(BAD_SLUG).failure("build_check").exists()
