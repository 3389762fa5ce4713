"""Shared code of stage scripts for one repository: arguments, files, worker processes."""

import argparse
import atexit
import os
import sys
import traceback
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from testevo.config.layout import Layout, RepositoryFiles
from testevo.config.load import rules_for
from testevo.config.machine.shards import Shard
from testevo.config.model import Config
from testevo.config.resolved import read_resolved
from testevo.config.rules import Rules
from testevo.config.stage_failures import (
    failure_before,
    recorded,
    write_candidate,
    write_failure,
    write_shard,
    write_success,
)
from testevo.execution.journal import Journal
from testevo.records.base import read_records
from testevo.records.changes import CommitPair, MethodChange, PairRejection
from testevo.records.failures import StageFailure
from testevo.records.repository import Repository
from testevo.revisions.workspace import Workspace
from testevo.runtime.clock import Moment, jump_since
from testevo.runtime.errors import UserError
from testevo.runtime.machine_faults import is_machine_fault, machine_error
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.pool import results_of
from testevo.runtime.processes.processes import end_with_parent
from testevo.runtime.stopwatch import start_profile
from testevo.sources.candidates import candidates
from testevo.sources.trusted import is_trusted

Unit = TypeVar("Unit")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Stage:
    """What a stage of one repository works with."""

    config: Config
    files: RepositoryFiles
    name: str
    processes: int
    shard: Shard | None = None
    """The part of the work that is to be done; None: all of it."""
    done_shards: tuple[Shard, ...] = ()
    """The parts that were done before, when this is the job of the whole repository."""

    @cached_property
    def candidate(self) -> Repository:
        """The repository as the configuration names it."""
        return next(one for one in candidates(self.config) if one.slug == self.files.slug)

    @cached_property
    def repository(self) -> Repository:
        """The repository as `clone` recorded it."""
        return read_records(self.files.repository, Repository)[0]

    @cached_property
    def rules(self) -> Rules:
        """The rules that apply to this repository."""
        return rules_for(self.config, self.repository.source)

    def offline(self, offline: bool) -> Config:
        """The configuration with builds that may not, or may, use the network."""
        build = self.config.build.model_copy(update={"offline": offline})
        return self.config.model_copy(update={"build": build})

    def workspace(self, process: int = 0, *, bundle: Path | None = None) -> Workspace:
        """Where one process of the stage works; `bundle` is the whole history when not given."""
        files = self.files
        return Workspace(
            self.repository,
            bundle or files.bundle,
            self.config,
            files.scratch,
            process=process,
            trusted=is_trusted(self.repository, self.config),
        )

    def journal(self, name: str | None = None, *, shared: bool = False) -> Journal:
        """Finished work of this stage, or of another name that it shares with other stages; shards' work included."""
        name = name or self.name
        on_cluster = "SLURM_JOB_ID" in os.environ
        return Journal(self.files.journal(name), shared=shared, known=self.files.journals(name), wait=on_cluster)

    def share(self, units: Sequence[Unit]) -> Sequence[Unit]:
        """The units that are to be done."""
        return units if self.shard is None else self.shard.share(units)

    def ends_as_shard(self, done: int) -> bool:
        """Whether only a part is done, which then is noted; its journal is all that the whole needs of it."""
        if self.shard is not None:
            write_shard(self.files, self.name, done)
        return self.shard is not None

    def failed_before(self) -> StageFailure | None:
        """Why there is nothing to work on: the failure of an earlier stage, or of a shard of this one."""
        shards = map(str, self.done_shards)
        return failure_before(self.files, self.name, offline=self.config.build.offline, shards=shards)

    def ends_as_failed(self, failure: StageFailure) -> None:
        """Write the outputs without content, and why."""
        if self.shard is not None:
            write_shard(self.files, self.name, 0, failure)
            return
        if self.name == "clone":
            write_candidate(self.files, self.candidate)
        write_failure(self.files, self.name, failure)

    def results_of(
        self,
        units: Sequence[Unit],
        opened: Callable[[int], AbstractContextManager[Callable[[Unit], Result]]],
        what: str,
        *journals: Journal,
    ) -> list[Result]:
        """The result of each unit, in their order; the processes are those of `testevo.runtime.processes.pool`.

        Args:
            opened: opens what the process of that number works with, and gives the function that does one unit.
            what: what is counted, for `testevo status`.
            journals: what `opened` may write to.
        """
        return results_of(
            units,
            opened,
            processes=self.processes,
            progress=self.files.progress(self.name),
            what=what,
            journals=journals,
        )

    def joinable_pairs(self) -> list[CommitPair]:
        """Kept pairs and those outside the gap, in walk order: a join may cross the latter."""
        pairs = read_records(self.files.pairs, CommitPair)
        return [pair for pair in pairs if pair.rejection in (None, PairRejection.OUTSIDE_GAP)]

    def changes_of_pairs(self) -> dict[tuple[str, str], list[MethodChange]]:
        """The changes of compared pairs by (old revision, new revision)."""
        changes_of: dict[tuple[str, str], list[MethodChange]] = defaultdict(list)
        for change in read_records(self.files.changes, MethodChange):
            changes_of[change.old_revision, change.new_revision].append(change)
        return changes_of


def repository_parser(description: str | None) -> argparse.ArgumentParser:
    """The command line of a job on one repository; from here on the job ends with the workflow that started it."""
    end_with_parent()
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--config", type=Path, required=True, help="resolved configuration of the snapshot")
    parser.add_argument("--repository", required=True, help="slug of the repository: owner+name")
    parser.add_argument("--processes", type=int, default=1, help="how many processes do the work")
    return parser


def say_where(scratch: Path) -> None:
    """Which disk fills up and how fast it is depends on it."""
    print(f"working in {scratch}", file=sys.stderr, flush=True)


def log_clock_jump(begun: Moment) -> None:
    """Name a jump of the clock since then."""
    if warning := jump_since(begun):
        print(warning, file=sys.stderr)


def run_stage(main: Callable[[Stage], None], description: str | None) -> None:
    """Run a job on one repository, and leave the process with its status.

    What the repository makes fail becomes a `StageFailure` and outputs without content, and the job ends well: the
    snapshot goes on without this repository. A fault of the machine fails the job, as does Ctrl-C.

    Args:
        main: does the work and writes the outputs.
        description: of the stage, for `--help`.
    """
    run_main(lambda: _guarded(main, stage_arguments(description)))


def _guarded(main: Callable[[Stage], None], stage: Stage) -> None:
    before = stage.failed_before()
    if before is not None:
        print(f"nothing to do: {before.stage} failed ({before.error}: {before.reason})", file=sys.stderr)
        stage.ends_as_failed(before)
        return
    try:
        main(stage)
    except Exception as error:
        if isinstance(error, UserError | OSError) and is_machine_fault(error):
            raise
        if is_machine_fault(error):
            raise machine_error(error) from error
        traceback.print_exc()
        stage.ends_as_failed(recorded(error, stage.files, stage.name, stage.candidate.name))
        return
    if stage.shard is None:
        write_success(stage.files, stage.name)


def stage_arguments(description: str | None) -> Stage:
    """Read the command line of a stage of one repository, and begin to measure it."""
    parser = repository_parser(description)
    parser.add_argument("--shard", type=Shard.named, help="do a part alone, such as 3of10")
    parser.add_argument("--done-shards", type=Shard.named, nargs="*", default=[], help="parts that have ended")
    options = parser.parse_args()
    config = read_resolved(options.config)
    files = Layout.of(config).of_repository(options.repository)
    if options.shard is not None:
        files = files.of_shard(str(options.shard))
    name = Path(sys.argv[0]).stem
    say_where(files.scratch)
    atexit.register(log_clock_jump, Moment())
    start_profile(files.profile(name))
    return Stage(config, files, name, options.processes, options.shard, tuple(options.done_shards))
