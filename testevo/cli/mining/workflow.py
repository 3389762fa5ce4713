"""Driving the Snakemake workflow from the command line: start it, follow it, end it, explain how it failed."""

import os
import re
import selectors
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import yaml

from testevo.cli.mining.display import Display
from testevo.config.load import read_yaml
from testevo.config.model import Config
from testevo.config.resolved import write_resolved
from testevo.config.snapshot.layout import Layout
from testevo.config.snapshot.lock import held_snapshot
from testevo.grading.dataset.dataset_config import read_configuration
from testevo.runtime.errors import ExitStatus, MachineError, UserError
from testevo.runtime.files.files import content_key, write_atomically
from testevo.runtime.files.project import PROJECT
from testevo.runtime.processes.processes import end_with_parent, kill_group

TOTAL = re.compile(r"^total\s+(\d+)$")
STEPS = re.compile(r"^(\d+) of (\d+) steps")
WARNING = "WARNING: "
FAILED_RULE = re.compile(r"^Error in rule (\w+):", re.MULTILINE)
FAILED_LOG = re.compile(r"^\s+log: (.+?)(?: \(check log file\(s\).*)?$", re.MULTILINE)
FAILED_STATUS = re.compile(r"returned non-zero exit status (\d+)")
MESSAGE = re.compile(r"^error: (.+)", re.MULTILINE | re.DOTALL)
ERROR_LINES = 12
GIVEN = "given.yaml"
"""The configuration as a command gave it, in the folder of the snapshot."""
LOOKS_PER_SECOND = 2.0
SECONDS_TO_END = 30


def run_workflow(
    config_file: Path,
    layout: Layout,
    *,
    cores: int,
    again: Sequence[Path] = (),
    first: Sequence[Path] = (),
    targets: Sequence[Path | str] = (),
    only: Sequence[str] = (),
    doing: str = "mining",
    profile: str | None = None,
) -> None:
    """Run `snakemake` on a configuration to its end, showing how far it is.

    Interrupting it leaves finished work in place and no process behind; the same command resumes. Files named by
    `again` are made again although they are there. Jobs that `first` needs go before all others. With `targets` the
    workflow ends with those files and rules, with `only` no rule but those runs. `doing` is what the display calls it,
    `profile` one of Snakemake's.

    Raises:
        UserError: a job failed; the message is the one of its log, the status the one of the job.
        MachineError: Snakemake could not start here.
    """
    if refused := refused_cache():
        raise refused
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(PROJECT / "Snakefile"), "--cores", str(cores)]
    command += ["--nocolor", "--configfile", str(config_file)]
    command += ["--profile", profile] if profile else []
    command += ["--forcerun", *map(str, again)] if again else []
    command += ["--prioritize", *map(str, first)] if first else []
    command += ["--allowed-rules", *only, *map(str, targets)] if only else []
    command += ["--", *map(str, targets)] if targets else []
    lines: deque[str] = deque(maxlen=1000)
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=partial(end_with_parent, os.getpid()),  # noqa: PLW1509 - no threads yet
    ) as child:
        try:
            follow(child, layout, lines, doing)
        except BaseException:
            end(child)
            raise
        status = child.wait()
    if status != 0:
        raise failure(status, "\n".join(lines))
    with held_snapshot(layout):  # a workflow that had nothing to do has not written it
        write_resolved(read_configuration(read_yaml(config_file)), layout.config)


def refused_cache() -> MachineError | None:
    """Why Snakemake cannot keep files of its own on this machine: where HOME is read-only, it ends with a traceback."""
    own = os.path.expanduser("~/.cache")  # noqa: PTH111 - `Path` raises where a user has no home
    cache = Path(os.environ.get("XDG_CACHE_HOME") or own)
    nearest = next(place for place in (cache, *cache.absolute().parents) if place.exists())
    if nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK):
        return None
    return MachineError(
        f"{nearest} cannot be written, where Snakemake keeps files of its own ({cache}). Set XDG_CACHE_HOME to a "
        "folder that can be written."
    )


def write_given(config: Config, layout: Layout) -> Path:
    """The configuration file that `run_workflow` hands to Snakemake.

    It is named by its content: jobs of a workflow that runs already read theirs again and again. The last one lies
    under `GIVEN` too.
    """
    content = yaml.safe_dump(config.model_dump(mode="json"), sort_keys=True)
    write_atomically(layout.root / GIVEN, content.encode())
    path = layout.root / "given" / f"{content_key(content)[:16]}.yaml"
    if not path.is_file():
        write_atomically(path, content.encode())
    return path


def end(child: "subprocess.Popen[bytes]") -> None:
    """Ask the workflow and its jobs to end; kill what is left after a while. Their children end with them."""
    os.killpg(child.pid, signal.SIGTERM)
    try:
        child.wait(timeout=SECONDS_TO_END)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        pass
    finally:
        kill_group(child.pid)


def follow(child: "subprocess.Popen[bytes]", layout: Layout, lines: deque[str], doing: str = "mining") -> None:
    """Show Snakemake's own step count, and the item counts that running stages leave behind."""
    with Display(layout, time.time(), doing) as display:
        for line in spoken(child):
            if line is not None:
                lines.append(line)
                if total := TOTAL.match(line):
                    display.steps(0, int(total[1]))
                elif steps := STEPS.match(line):
                    display.steps(int(steps[1]), int(steps[2]))
                elif line.startswith(WARNING):
                    display.warn(line)
            display.look()


def spoken(child: "subprocess.Popen[bytes]") -> Iterator[str | None]:
    """The lines of the child as they come; None when it has been silent for a moment."""
    if child.stdout is None:
        return
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        while True:
            if not selector.select(1 / LOOKS_PER_SECOND):
                yield None
                continue
            data = os.read(child.stdout.fileno(), 2**16)
            *whole, rest = (rest + data).split(b"\n")
            yield from (line.decode("utf-8", "replace").rstrip() for line in whole)
            if not data:
                yield rest.decode("utf-8", "replace")
                return


def failure(status: int, said: str) -> UserError:
    """The failed job's own message and status; Snakemake's last words when no job failed."""
    rules, logs = FAILED_RULE.findall(said), FAILED_LOG.findall(said.partition("Error in rule")[2])
    log = next((Path(log) for log in logs if Path(log).is_file()), None)
    if rules and log is not None:
        return job_failure(rules[0], log, [int(number) for number in FAILED_STATUS.findall(said)])
    own = MESSAGE.search(said)
    if own:
        return of_status(status, own[1].strip())
    return MachineError("the workflow failed:\n" + "\n".join(said.splitlines()[-ERROR_LINES:]))


def job_failure(stage: str, log: Path, statuses: list[int]) -> UserError:
    written = log.read_text("utf-8", "replace").strip()
    own = MESSAGE.search(written)
    name = f"{stage} of {log.stem.replace('+', '/')}" if log.stem != stage else stage
    if own:
        return of_status(statuses[0] if statuses else ExitStatus.MACHINE, f"{name}: {own[1]}\nIts log is {log}.")
    tail = "\n".join(written.splitlines()[-ERROR_LINES:]) or "(nothing)"
    return MachineError(
        f"{name} failed. Fix the cause and run the same command again; finished work is kept. "
        f"Its log {log} ends with:\n{tail}"
    )


def of_status(status: int, message: str) -> UserError:
    """An error with the exit status that the failed process had."""
    error = UserError(message)
    error.status = ExitStatus(status) if status in tuple(ExitStatus) else ExitStatus.MACHINE
    return error
