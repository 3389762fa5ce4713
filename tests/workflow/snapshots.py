"""Snapshots that the workflow tests mine, each in a folder of its own, and what can be asked about them."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import yaml

from testevo.cli.mining.import_results import planned_jobs
from testevo.config.snapshot.layout import STAGES, Layout, RepositoryFiles
from testevo.records.repository import slug_of
from testevo.sandboxes.sandbox import bubblewrap_works

PROJECT = Path(__file__).resolve().parents[2]
WORLDS = ("orchard", "savings")
LONGEST_RUN = 3600
"""Seconds after which a run counts as one that hangs; the slowest one takes minutes on a busy machine."""
CONSENT = "auto" if bubblewrap_works() else "none"
"""The sandbox for histories and tests that are not trusted: the yes to run them where nothing isolates files."""


@dataclass(frozen=True)
class Snapshot:
    """A snapshot's configuration in `folder`; its results come to lie in `folder/results/small`."""

    folder: Path

    @classmethod
    def made(cls, folder: Path, cache: Path, sources: Mapping[str, Any], **sections: Any) -> "Snapshot":
        """Write the configuration into `folder`; `sections` are further sections of it."""
        given: dict[str, Any] = {"snapshot": "small", "sources": dict(sources), **sections}
        given["build"] = {"cache": str(cache), **sections.get("build", {})}
        consent = {"sandbox": CONSENT} if "repositories" in sources else {}
        given["execution"] = {"method_seconds": 20, "suite_seconds": 120, **consent, **sections.get("execution", {})}
        given["evaluation"] = {"gold_runs": 2, **sections.get("evaluation", {})}
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "snapshot.yaml").write_text(yaml.safe_dump(given))
        return cls(folder)

    @property
    def layout(self) -> Layout:
        return Layout(self.folder / "results" / "small")

    def files(self, slug: str) -> RepositoryFiles:
        return self.layout.of_repository(slug)

    def workflow(self, *more: str, cores: int = 1) -> list[str]:
        """The command of a user who runs Snakemake."""
        command = [sys.executable, "-m", "snakemake", "--snakefile", str(PROJECT / "Snakefile"), "--nocolor"]
        return [*command, "--configfile", "snapshot.yaml", "--cores", str(cores), *more]

    def mine(self, *more: str, cores: int = 1) -> list[str]:
        """The command of a user who runs `testevo mine`."""
        return command_line("mine", "--configuration", "snapshot.yaml", "--cores", str(cores), *more)

    def run(
        self, command: list[str], env: Mapping[str, str] | None = None, seconds: float = LONGEST_RUN
    ) -> "subprocess.CompletedProcess[str]":
        """Run a command in the snapshot's folder to its end, whatever it is."""
        return subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, timeout=seconds, check=False, env=env
        )

    def start(self, command: list[str]) -> "subprocess.Popen[str]":
        """Start a command in a process group of its own; it hears Ctrl-C also where the tests run in the background."""
        return subprocess.Popen(
            command,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=_hear_interrupts,  # noqa: PLW1509 - no threads here
        )

    def outputs(self) -> dict[str, str]:
        """The digest of every file that a rule declares, and of the whole dataset folder, by path."""
        stages = ["search", *STAGES]
        files = [file for stage in stages for file in (self.layout.root / stage).rglob("*") if file.is_file()]
        return {
            file.relative_to(self.layout.root).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in sorted(files)
            if not {"logs", "logs.zip"} & {*file.relative_to(self.layout.root).parts}
        }

    def outputs_of(self, slug: str) -> dict[str, str]:
        """The digest of every file of one repository, by path; those of the dataset that hold all are left out."""
        return {path: digest for path, digest in self.outputs().items() if f"/{slug}/" in path or f"/{slug}." in path}

    def tasks_of(self, slug: str) -> list[str]:
        """The lines of the dataset's tasks that are of one repository, sorted."""
        files = (self.layout.dataset / "tasks").glob("*.jsonl")
        lines = [line for file in files for line in file.read_text().splitlines()]
        return sorted(line for line in lines if slug_of(json.loads(line)["repository"]) == slug)

    def journal_keys(self, stage: str, slug: str = "*") -> list[str]:
        """The keys of the finished items of a stage, sorted, of one repository or of all; a key that is there twice was
        worked on twice."""
        lines = [
            line
            for file in (self.layout.root / "journals" / stage).glob(f"{slug}.jsonl")
            for line in file.read_bytes().splitlines()
            if line.endswith(b"}")
        ]
        return sorted(json.loads(line)["key"] for line in lines)

    def states(self) -> dict[tuple[str, str], str]:
        """What `testevo status` says, by (repository, stage)."""
        finished = self.run(command_line("status", "results/small", "--json"))
        assert finished.returncode == 0, finished.stderr
        return {(one["repository"], one["stage"]): one["state"] for one in json.loads(finished.stdout)}

    def processes(self) -> list[psutil.Process]:
        """Processes that work in or on this snapshot's folder."""
        found = []
        for process in psutil.process_iter():
            try:
                mentions = any(str(self.folder) in word for word in [process.cwd(), *process.cmdline()])
                if mentions and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
            except psutil.Error:
                continue
        return found


def command_line(*arguments: str) -> list[str]:
    """The command line of `testevo`."""
    return [sys.executable, "-m", "testevo.cli.main", *arguments]


def jobs_of(said: str) -> list[str]:
    """The rules of which Snakemake planned jobs, each as often as it did; none when there is nothing to do."""
    return [rule for rule, count in planned_jobs(said).items() for _ in range(count)]


def wait_until(condition: Callable[[], bool], child: "subprocess.Popen[str]") -> None:
    """Wait for what a running command is about to do; its end without it is a failure."""
    while not condition():
        assert child.poll() is None, f"it ended before: {child.communicate()}"
        time.sleep(0.01)


def signal_group(child: "subprocess.Popen[str]", number: signal.Signals) -> None:
    """Send a signal to a command and all processes of its group."""
    os.killpg(child.pid, number)
    child.communicate(timeout=LONGEST_RUN)


def nothing_runs(snapshot: Snapshot) -> bool:
    """Whether all processes of a snapshot are gone; the kernel takes a moment."""
    for _ in range(300):
        if not snapshot.processes():
            return True
        time.sleep(0.1)
    return False


def has_lines(file: Path, count: int) -> Callable[[], bool]:
    """Whether a journal has at least so many whole lines."""
    return lambda: file.is_file() and file.read_bytes().count(b"\n") >= count


def warm_cache(shared: Path, folder: Path, *more: str) -> Path:
    """A cache with no class trees whose local Maven repositories and archives of JUnit's class data, and `more` parts,
    are those of `shared`."""
    folder.mkdir(parents=True)
    for part in ("maven", "archives", *more):
        (shared / part).mkdir(parents=True, exist_ok=True)
        (folder / part).symlink_to(shared / part)
    return folder


def one_message(finished: "subprocess.CompletedProcess[str]", status: int) -> str:
    """The one error message of a command that ended with `status`, and nothing that looks like a bug."""
    said = finished.stderr
    assert finished.returncode == status, said + finished.stdout
    assert "Traceback" not in said + finished.stdout
    assert said.count("error: ") == 1, said
    return said[said.index("error: ") :]


def without(program: str) -> bool:
    """Whether a program of the system is missing."""
    return shutil.which(program) is None


def _hear_interrupts() -> None:
    """A shell starts background commands with SIGINT ignored, and Python keeps it so."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
