"""solve_repository: let one system work on the tasks of one repository.

Reads the dataset, writes one `AgentRun` per selected task and attempt (TEB-A05, A06). A run that has ended is in the
journal, and is never made again; one that the machine or the model's address spoiled is.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from stage import repository_parser

from testevo.agents.gateway.prices import price_table
from testevo.agents.gateway.rate import RateLimit
from testevo.agents.solving.solver import Solver, Unit
from testevo.agents.systems.systems import system_named
from testevo.config.layout import Layout, SystemFiles
from testevo.config.model import Config
from testevo.config.resolved import read_resolved
from testevo.config.systems import solvers_by_folder
from testevo.execution.journal import Journal
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.grading.submissions.selection import selected
from testevo.packaging.dataset.dataset_folder import DatasetFolder, open_dataset
from testevo.records.agents.runs import AgentRun, RunStatus
from testevo.records.base import write_records
from testevo.records.tasks import Task
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.pool import results_of
from testevo.sandboxes.sandboxes import sandbox_of


@dataclass(frozen=True)
class Job:
    """One system on one repository."""

    config: Config
    system: str
    layout: Layout
    work: SystemFiles
    dataset: DatasetFolder
    processes: int


def main() -> None:
    options = parser().parse_args()
    config = read_resolved(options.config)
    layout = Layout.of(config)
    work = layout.of_system(options.system, options.slug)
    system = solvers_by_folder(config.solving)[options.system]
    job = Job(config, system, layout, work, open_dataset(options.dataset.parent), options.processes)
    tasks = [task for task in job.dataset.tasks if task.slug == options.slug]
    chosen = selected(tasks, config.evaluation)
    write_records(options.runs, solve(job, chosen) if chosen else [])


def solve(job: Job, tasks: Sequence[Task]) -> list[AgentRun]:
    """A run of every task and attempt; those that ended before come from the journal."""
    job.dataset.verify(job.work.slug, tasks)
    units = [Unit(task, attempt) for task in tasks for attempt in range(1, job.config.solving.attempts + 1)]
    scratch = job.work.scratch.with_name(f"solve-{job.work.scratch.name}")
    with DatasetHistories(job.dataset, scratch) as histories, Journal(job.work.runs_journal) as journal:
        return results_of(
            units,
            partial(solving, job, histories, tasks[0].repository, journal),
            processes=job.processes,
            progress=job.work.runs_progress,
            what="runs ended",
            journals=[journal],
        )


@contextmanager
def solving(
    job: Job, histories: DatasetHistories, repository: str, journal: Journal, process: int
) -> Iterator[Callable[[Unit], AgentRun]]:
    """Make runs; each process has one solver. What a model writes is untrusted, whatever the history."""
    asked = job.config.solving
    own, rate = asked.systems[job.system], asked.calls_per_minute
    with histories.workspace(repository, job.config, process=process) as revisions:
        solver = Solver(
            name=job.system,
            system=system_named(own.program, Path(asked.programs), own.command),
            asked=own,
            solving=asked,
            sandbox=sandbox_of(revisions.config.execution),
            revisions=revisions,
            prices=price_table(datetime.now(UTC).date()),
            rate=RateLimit(job.layout.model_rate, rate) if rate else None,
            runs=job.work.trajectories,
            scratch=revisions.scratch / "solve",
        )

        def solved(unit: Unit) -> AgentRun:
            return journal.remembered(
                solver.key(unit),
                AgentRun,
                lambda: solver.solve(unit, histories.target_of(unit.task)),
                lambda run: run.status is not RunStatus.INFRASTRUCTURE,
            )

        yield solved


def parser() -> argparse.ArgumentParser:
    """The command line of the job."""
    made = repository_parser(__doc__)
    made.add_argument("--system", required=True, help="folder of the system")
    made.add_argument("--dataset", type=Path, required=True, help="checksums of the dataset, which lie in its folder")
    made.add_argument("--runs", type=Path, required=True, help="is written")
    return made


if __name__ == "__main__":
    run_main(main)
