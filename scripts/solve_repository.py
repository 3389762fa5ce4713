"""solve_repository: let one system work on the tasks of one repository.

Reads the dataset, writes one `AgentRun` per selected task and attempt (TEB-A05, A06). A run that has ended is in the
journal, and is never made again; one that the machine or the model's address spoiled is.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from system_job import SystemJob, job_of, system_parser

from testevo.agents.gateway.prices import price_table
from testevo.agents.gateway.rate import RateLimit
from testevo.agents.solving.proof import prove
from testevo.agents.solving.solver import Solver, Unit
from testevo.agents.systems.systems import system_named
from testevo.config.systems import solvers_by_folder
from testevo.execution.journal import Journal
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.grading.dataset.made_from import key_of_inputs, note_inputs
from testevo.records.agents.runs import AgentRun, RunStatus
from testevo.records.base import write_records
from testevo.records.tasks import Task
from testevo.runtime.processes.handler import run_main
from testevo.sandboxes.sandboxes import sandbox_of


def main() -> None:
    parser = system_parser(__doc__)
    parser.add_argument("--runs", type=Path, required=True, help="is written")
    job = job_of(parser.parse_args())
    tasks = job.tasks()
    made_from = key_of_inputs(job.config, "solve", job.dataset.folder)
    job.work.runs_made_from.unlink(missing_ok=True)
    write_records(job.files.runs, solve(job, tasks) if tasks else [])
    note_inputs(job.work.runs_made_from, made_from)


def solve(job: SystemJob, tasks: Sequence[Task]) -> list[AgentRun]:
    """A run of every task and attempt; those that ended before come from the journal."""
    job.dataset.verify(job.work.slug, tasks)
    units = [Unit(task, attempt) for task in tasks for attempt in range(1, job.config.solving.attempts + 1)]
    scratch = job.work.scratch.with_name(f"solve-{job.work.scratch.name}")
    with DatasetHistories(job.dataset, scratch) as histories, Journal(job.work.runs_journal) as journal:
        opened = partial(solving, job, histories, journal)
        return job.results_of(units, opened, "runs ended", job.work.runs_progress, journal)


@contextmanager
def solving(
    job: SystemJob, histories: DatasetHistories, journal: Journal, process: int
) -> Iterator[Callable[[Unit], AgentRun]]:
    """Make runs; each process has one solver. What a model writes is untrusted, whatever the history."""
    asked = job.config.solving
    system, rate = solvers_by_folder(asked)[job.work.system], asked.calls_per_minute
    own = asked.systems[system]
    with histories.workspace(job.repository.name, job.config, process=process) as revisions:
        sandbox, scratch = sandbox_of(revisions.config.execution), revisions.scratch / "solve"
        prove(sandbox, job.dataset.folder, scratch)
        solver = Solver(
            name=system,
            system=system_named(own.program, Path(asked.programs), own.command),
            asked=own,
            solving=asked,
            sandbox=sandbox,
            revisions=revisions,
            prices=price_table(datetime.now(UTC).date()),
            rate=RateLimit(job.layout.model_rate, rate) if rate else None,
            runs=job.work.trajectories,
            scratch=scratch,
        )

        def solved(unit: Unit) -> AgentRun:
            return journal.remembered(
                solver.key(unit),
                AgentRun,
                lambda: solver.solve(unit, histories.target_of(unit.task)),
                lambda run: run.status is not RunStatus.INFRASTRUCTURE,
            )

        yield solved


if __name__ == "__main__":
    run_main(main)
