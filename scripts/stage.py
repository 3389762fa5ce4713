"""Shared code of stage scripts for one repository: options, files, worker processes."""

import argparse
import atexit
import os
import sys
import traceback
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from testevo.config.load import rules_for
from testevo.config.machine.shards import Shard
from testevo.config.model import Config
from testevo.config.resolved import read_resolved, work_key
from testevo.config.rules import Rules
from testevo.config.snapshot.layout import Layout, RepositoryFiles
from testevo.config.snapshot.predecessor import predecessor_of
from testevo.config.snapshot.stage_failures import failure_before, recorded, write_failure, write_shard
from testevo.execution.journal import Journal
from testevo.records.base import read_records, write_records
from testevo.records.changes import CommitPair, MethodChange, PairRejection
from testevo.records.failures import StageFailure
from testevo.records.repository import Repository
from testevo.records.verdicts import BuildVerdict, SurefireReasons
from testevo.revisions.workspace import Workspace
from testevo.runtime.clock import Moment, jump_since
from testevo.runtime.errors import MachineError, NotFoundError, UserError
from testevo.runtime.machine_faults import is_machine_fault, machine_error
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.job import snapshot_parser
from testevo.runtime.processes.pool import results_of, work_off
from testevo.runtime.stopwatch import start_profile
from testevo.sources.candidates import candidates
from testevo.sources.trusted import is_trusted

Unit = TypeVar("Unit")
Result = TypeVar("Result")
Value = TypeVar("Value")


@dataclass(frozen=True)
class Stage:
    """The inputs and tools of a stage of one repository."""

    config: Config
    files: Any
    """The inputs and outputs that the options name, each as an attribute: `commits` for `--commits`."""
    work: RepositoryFiles
    """Where the stage keeps what is neither input nor output: journal, progress, scratch folder."""
    name: str
    processes: int
    writes: tuple[str, ...] = ()
    """The outputs among `files`, but for the failure."""
    shard: Shard | None = None
    """The part of the work that is to be done; None: all of it."""

    @cached_property
    def candidate(self) -> Repository:
        """The repository as the configuration names it.

        Raises:
            NotFoundError: it names none of this slug.
        """
        known = {one.slug: one for one in candidates(self.config)}
        return named(self.work.slug, known, f"The configuration has no repository {self.work.slug!r}.")

    @cached_property
    def repository(self) -> Repository:
        """The repository as `clone` recorded it."""
        return read_records(self.files.repository, Repository)[0]

    @cached_property
    def rules(self) -> Rules:
        """The rules that apply to this repository."""
        return rules_for(self.config, self.repository.source)

    @cached_property
    def work_key(self) -> str:
        """Of what decides the result of this stage's work on a given revision."""
        return work_key(self.config, self.name, self.work.slug)

    @cached_property
    def earlier(self) -> RepositoryFiles | None:
        """The files of the repository in the snapshot whose finished work counts here too."""
        before = predecessor_of(self.config)
        return before.of_repository(self.work.slug) if before else None

    def config_with(self, *, offline: bool) -> Config:
        """The configuration with builds that may not, or may, use the network."""
        build = self.config.build.model_copy(update={"offline": offline})
        return self.config.model_copy(update={"build": build})

    @cached_property
    def surefire(self) -> dict[str, SurefireReasons]:
        """By revision, why only Surefire runs the tests of modules as Maven does, as `build_check` recorded it."""
        builds = read_records(self.files.builds, BuildVerdict)
        return {one.revision: one.surefire for one in builds if one.surefire}

    def workspace(
        self, process: int = 0, *, bundle: Path | None = None, surefire: Mapping[str, SurefireReasons] | None = None
    ) -> Workspace:
        """Where one process of the stage works; `bundle` is the whole history when not given, `surefire` what the
        record says."""
        return Workspace(
            self.repository,
            bundle or self.files.bundle,
            self.config,
            self.work.scratch,
            process=process,
            trusted=is_trusted(self.repository, self.config),
            own_tests=True,
            surefire=self.surefire if surefire is None else surefire,
        )

    def journal(
        self,
        name: str | None = None,
        *,
        shared: bool = False,
        taken_over: Callable[[dict[str, Any]], bool] = lambda value: True,
    ) -> Journal:
        """Finished work of this stage, or of another name that it shares with other stages.

        It knows the work of shards, and of an earlier snapshot as far as `taken_over` says.
        """
        name = name or self.name
        on_cluster = "SLURM_JOB_ID" in os.environ
        return Journal(
            self.work.journal(name),
            shared=shared,
            known=self.work.journals(name),
            earlier=self.earlier.journals(name) if self.earlier else (),
            taken_over=taken_over,
            wait=on_cluster,
        )

    def share(self, units: Sequence[Unit]) -> Sequence[Unit]:
        """The units that are to be done."""
        return units if self.shard is None else self.shard.share(units)

    def note_shard(self, done: int) -> bool:
        """Note the end of a shard, whose journal is all that the whole needs of it; False when this job is none."""
        if self.shard is not None:
            write_shard(self.files.finished, done)
        return self.shard is not None

    def failed_before(self) -> StageFailure | None:
        """Why there is nothing to work on: the failure of an earlier stage, or of a shard of this one."""
        given = vars(self.files)
        return failure_before(given.get("failure_before"), given.get("shards", ()))

    def write_failure(self, failure: StageFailure) -> None:
        """Write the outputs without content, and why; a repository without a clone is known by its candidate."""
        if self.shard is not None:
            write_shard(self.files.finished, 0, failure)
            return
        write_failure([getattr(self.files, name) for name in self.writes], self.files.failure, failure)
        if self.name == "clone":
            write_records(self.files.repository, [self.candidate])

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
            progress=self.work.progress(self.name),
            what=what,
            journals=journals,
        )

    def work_off(
        self,
        units: Sequence[Unit],
        opened: Callable[[int], AbstractContextManager[Callable[[Unit], Result]]],
        take: Callable[[int, Result], None],
        what: str,
        *journals: Journal,
    ) -> None:
        """The same for results that fit into no memory together: `take` is given each with the number of its unit, in
        the order in which units are done."""
        work_off(
            units,
            opened,
            take,
            processes=self.processes,
            progress=self.work.progress(self.name),
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


def named(name: str, known: Mapping[str, Value], refusal: str) -> Value:
    """What a name stands for.

    Raises:
        NotFoundError: nothing; the message is `refusal`, and the known names.
    """
    if name not in known:
        raise NotFoundError(f"{refusal} Known ones: {', '.join(known)}.")
    return known[name]


def repository_parser(description: str | None) -> argparse.ArgumentParser:
    """The command line of a job on one repository."""
    parser = snapshot_parser(description)
    parser.add_argument("--slug", required=True, help="of the repository: owner+name")
    parser.add_argument("--processes", type=int, default=1, help="how many processes do the work")
    return parser


def say_where(scratch: Path) -> None:
    """Print the scratch folder: its disk decides speed and free space.

    Raises:
        MachineError: it has no place on this machine, which would be taken for a failure of the repository.
    """
    print(f"working in {scratch}", file=sys.stderr, flush=True)
    try:
        scratch.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MachineError(
            f"The scratch folder {scratch} cannot be made: {error.strerror or error}. Set TESTEVO_SCRATCH (or, where "
            "it is not set, SLURM_TMPDIR) to a folder that can be written, then run again."
        ) from error


def log_clock_jump(begun: Moment) -> None:
    """Name a jump of the clock since then."""
    if warning := jump_since(begun):
        print(warning, file=sys.stderr)


def run_stage(
    main: Callable[[Stage], None],
    description: str | None,
    *,
    reads: Sequence[str] = (),
    writes: Sequence[str],
    is_cut: bool = False,
) -> None:
    """Run a job on one repository, and leave the process with its status.

    What the repository makes fail becomes a `StageFailure` and outputs without content, and the job ends well: the
    snapshot goes on without this repository. A fault of the machine fails the job, as does Ctrl-C.

    Args:
        main: does the work and writes the outputs.
        description: of the stage, for `--help`.
        reads: the inputs, each an option with a path and an attribute of `Stage.files`; `failure_before` besides.
        writes: the outputs, likewise; `failure` besides.
        is_cut: whether shards of the work are jobs of their own.
    """
    run_main(lambda: _guarded(main, stage_options(description, reads, writes, is_cut=is_cut)))


def _guarded(main: Callable[[Stage], None], stage: Stage) -> None:
    before = stage.failed_before()
    if before is not None:
        print(f"nothing to do: {before.stage} failed ({before.error}: {before.reason})", file=sys.stderr)
        stage.write_failure(before)
        return
    try:
        main(stage)
    except Exception as error:
        if isinstance(error, UserError | OSError) and is_machine_fault(error):
            raise
        if is_machine_fault(error):
            raise machine_error(error) from error
        name = stage.candidate.name  # one that nothing has is no failure of a repository
        traceback.print_exc()
        stage.write_failure(recorded(error, stage.work, stage.name, name))
        return
    if stage.shard is None:
        write_records(stage.files.failure, [])


def stage_options(description: str | None, reads: Sequence[str], writes: Sequence[str], *, is_cut: bool) -> Stage:
    """Read the command line of a stage of one repository, and begin to measure it."""
    parser = repository_parser(description)
    for name in (*reads, "failure_before") if reads else ():
        parser.add_argument(option_of(name), type=Path, required=True, metavar="PATH", help="is read")
    if is_cut:
        parser.add_argument("--shards", type=Path, nargs="*", default=[], metavar="PATH", help="parts that have ended")
        parser.add_argument("--shard", type=Shard.named, help="do a part alone, such as 3of10")
        parser.add_argument("--finished", type=Path, metavar="PATH", help="is written when the part is done")
    is_whole = not is_cut or "--shard" not in sys.argv
    for name in (*writes, "failure"):
        parser.add_argument(option_of(name), type=Path, required=is_whole, metavar="PATH", help="is written")
    options = parser.parse_args()
    config = read_resolved(options.config)
    shard = options.shard if is_cut else None
    work = Layout.of(config).of_repository(options.slug)
    if shard is not None:
        work = work.of_shard(str(shard))
    name = Path(sys.argv[0]).stem
    say_where(work.scratch)
    atexit.register(log_clock_jump, Moment())
    start_profile(work.profile(name))
    return Stage(config, options, work, name, options.processes, tuple(writes), shard)


def option_of(name: str) -> str:
    """The option that names a file: `--first-labels` for `first_labels`."""
    return f"--{name.replace('_', '-')}"
