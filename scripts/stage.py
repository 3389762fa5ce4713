"""What every stage of one repository has in common: its arguments, its files, the processes that do its work."""

import argparse
import atexit
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from testevo.config.layout import Layout, RepositoryFiles
from testevo.config.load import rules_for
from testevo.config.model import Config
from testevo.config.resolved import read_resolved
from testevo.config.rules import Rules
from testevo.config.shards import Shard
from testevo.evolution.workspace import Workspace
from testevo.execution.journal import Journal
from testevo.ground.clock import Moment, jump_since
from testevo.ground.files import write_atomically
from testevo.ground.pool import results_of
from testevo.ground.processes import end_with_parent
from testevo.ground.stopwatch import start_profile
from testevo.records.base import read_records
from testevo.records.changes import CommitPair, MethodChange, PairRejection
from testevo.records.repository import Repository

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
        return Workspace(self.repository, bundle or files.bundle, self.config, files.scratch, process=process)

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
            write_atomically(self.files.finished_shard(self.name), f'{{"done":{done}}}\n'.encode())
        return self.shard is not None

    def results_of(
        self,
        units: Sequence[Unit],
        opened: Callable[[int], AbstractContextManager[Callable[[Unit], Result]]],
        what: str,
        *journals: Journal,
    ) -> list[Result]:
        """The result of each unit, in their order, by the processes of this stage; see `testevo.ground.pool`.

        Args:
            opened: opens what the process of that number works with, and gives the function that does one unit.
            what: what is counted, for `testevo status`.
            journals: what `opened` may write to.
        """
        return results_of(
            units, opened, processes=self.processes, progress=self.files.progress(self.name), what=what,
            journals=journals,
        )  # fmt: skip

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


def say_jump(begun: Moment) -> None:
    """Name a jump of the clock since then."""
    if warning := jump_since(begun):
        print(warning, file=sys.stderr)


def stage_arguments(description: str | None) -> Stage:
    """Read the command line of a stage of one repository, and begin to measure it."""
    parser = repository_parser(description)
    parser.add_argument("--shard", type=Shard.named, help="do a part alone, such as 3of10")
    options = parser.parse_args()
    config = read_resolved(options.config)
    files = Layout.of(config).of_repository(options.repository)
    if options.shard is not None:
        files = files.of_shard(str(options.shard))
    name = Path(sys.argv[0]).stem
    say_where(files.scratch)
    atexit.register(say_jump, Moment())
    start_profile(files.profile(name))
    return Stage(config, files, name, options.processes, options.shard)
