"""The simulated schedule of `testevo plan`: what must hold of every run of every graph of jobs."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from testevo.analysis.planning.schedule import Job, Machine, critical_path, schedule, usable_cores
from testevo.runtime.errors import UsageError

CORES = 8


@st.composite
def graphs(draw: st.DrawFn) -> list[Job]:
    """Jobs of which each needs some of those before it."""
    jobs: list[Job] = []
    for place in range(draw(st.integers(0, 25))):
        needs = draw(st.sets(st.integers(0, place - 1), max_size=3)) if place else set()
        seconds = draw(st.integers(0, 50)) / 2
        jobs.append(Job("any", seconds, draw(st.integers(1, CORES)), tuple(sorted(needs))))
    return jobs


machines = st.builds(
    Machine,
    running=st.integers(1, 6),
    cores=st.integers(CORES, 3 * CORES),
    queue=st.integers(1, 8),
    interval=st.sampled_from([0.0, 0.5, 1.0, 7.0]),
)


@settings(deadline=None, max_examples=200)
@given(graphs(), machines)
def test_no_schedule_beats_its_graph_or_its_machine(jobs: list[Job], machine: Machine) -> None:
    """The makespan is at least the critical path, and at least the work by the cores that jobs can hold."""
    found = schedule(jobs, machine)
    assert found.makespan >= critical_path(jobs) - 1e-6
    assert found.makespan >= found.core_seconds / usable_cores(jobs, machine) - 1e-6
    assert 0 <= found.utilisation <= 1 + 1e-9


@settings(deadline=None, max_examples=200)
@given(graphs(), machines)
def test_each_job_runs_once_after_what_it_needs(jobs: list[Job], machine: Machine) -> None:
    """Handed in when all it needs has ended, started later, ended its own time later."""
    found = schedule(jobs, machine)
    for place, job in enumerate(jobs):
        assert found.submitted[place] >= max((found.ended[need] for need in job.needs), default=0.0)
        assert found.started[place] >= found.submitted[place]
        assert found.ended[place] == pytest.approx(found.started[place] + job.seconds)


@settings(deadline=None, max_examples=200)
@given(graphs(), machines)
def test_limits_of_the_machine_hold_at_every_moment(jobs: list[Job], machine: Machine) -> None:
    """Running jobs, their cores, and waiting and running jobs; two submissions are an interval apart."""
    found = schedule(jobs, machine)
    for moment in {*found.submitted, *found.started}:
        running = [place for place in range(len(jobs)) if found.started[place] <= moment < found.ended[place]]
        queued = [place for place in range(len(jobs)) if found.submitted[place] <= moment < found.ended[place]]
        assert len(running) <= min(machine.running, found.most_running)
        assert sum(jobs[place].cores for place in running) <= machine.cores
        assert len(queued) <= min(machine.queue, found.longest_queue)
    times = sorted(found.submitted)
    assert all(later - earlier >= machine.interval - 1e-6 for earlier, later in pairwise(times))


@settings(deadline=None)
@given(graphs(), machines)
def test_the_same_graph_gives_the_same_schedule(jobs: list[Job], machine: Machine) -> None:
    """Nothing is random."""
    assert schedule(jobs, machine) == schedule(jobs, machine)


def test_jobs_start_in_the_order_in_which_they_were_handed_in() -> None:
    """A job that waits for many cores is not overtaken by smaller ones for ever."""
    jobs = [Job("first", 10.0, 1), Job("wide", 5.0, 2), Job("small", 1.0, 1)]
    found = schedule(jobs, Machine(running=3, cores=2, queue=9, interval=0.0))
    assert found.started == (0.0, 10.0, 15.0)


def test_the_submission_rate_is_the_limit_of_short_jobs() -> None:
    """A hundred jobs of no length take as long as it takes to hand them in."""
    found = schedule([Job("any", 0.0)] * 100, Machine(running=50, cores=50, queue=400, interval=1.0))
    assert found.makespan == pytest.approx(99.0)


def test_a_job_that_no_machine_can_run_is_refused() -> None:
    """It would wait for ever, which a cluster would not say."""
    with pytest.raises(UsageError, match="asks for 4 cores"):
        schedule([Job("any", 1.0, 4)], Machine(running=1, cores=2, queue=1))
    with pytest.raises(UsageError, match="Nothing can run"):
        schedule([Job("any", 1.0)], Machine(running=0, cores=2, queue=1))
