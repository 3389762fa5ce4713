"""When each job of a snapshot would run: list scheduling on paper, for `testevo plan`.

Jobs are submitted as they become ready, in their order and not faster than the submission rate, as long as the queue
has room; they start in the order in which they were submitted. Nothing is random.
"""

import heapq
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from testevo.runtime.errors import UsageError


@dataclass(frozen=True)
class Job:
    """One job of the workflow."""

    stage: str
    seconds: float
    """Of wall time in its allocation."""
    cores: int = 1
    needs: tuple[int, ...] = ()
    """Places in the list of jobs that end before this one begins."""


@dataclass(frozen=True)
class Machine:
    """The machine that runs the jobs."""

    running: int
    """Jobs that run at the same time."""
    cores: int
    """Cores of all running jobs together."""
    queue: int
    """Jobs that may wait and run at the same time; the head process keeps the others back."""
    interval: float = 1.0
    """Least seconds between two submissions."""


@dataclass(frozen=True)
class Schedule:
    """Seconds since the first submission, by place in the list of jobs."""

    submitted: tuple[float, ...]
    started: tuple[float, ...]
    ended: tuple[float, ...]
    makespan: float
    core_seconds: float
    """Of all jobs."""
    utilisation: float
    """Share of the machine's core-seconds until the end that jobs held."""
    longest_queue: int
    """Most jobs that waited and ran at one time."""
    most_running: int


@dataclass
class _State:
    jobs: Sequence[Job]
    machine: Machine
    now: float = 0.0
    next_submission: float = 0.0
    free_cores: int = 0
    unmet: list[int] = field(default_factory=list)
    followers: list[list[int]] = field(default_factory=list)
    ready: list[int] = field(default_factory=list)
    waiting: deque[int] = field(default_factory=deque)
    running: list[tuple[float, int]] = field(default_factory=list)
    submitted: dict[int, float] = field(default_factory=dict)
    started: dict[int, float] = field(default_factory=dict)
    ended: dict[int, float] = field(default_factory=dict)
    longest_queue: int = 0
    most_running: int = 0

    @property
    def queued(self) -> int:
        return len(self.waiting) + len(self.running)

    def submit(self) -> None:
        while self.ready and self.queued < self.machine.queue and self.next_submission <= self.now:
            place = heapq.heappop(self.ready)
            self.waiting.append(place)
            self.submitted[place] = self.now
            self.next_submission = self.now + self.machine.interval
            self.longest_queue = max(self.longest_queue, self.queued)

    def start(self) -> None:
        while self.waiting and len(self.running) < self.machine.running:
            job = self.jobs[self.waiting[0]]
            if job.cores > self.free_cores:
                return
            place = self.waiting.popleft()
            self.free_cores -= job.cores
            self.started[place] = self.now
            heapq.heappush(self.running, (self.now + job.seconds, place))
            self.most_running = max(self.most_running, len(self.running))

    def advance(self) -> None:
        """To the next moment at which something can change, and end what ends there."""
        moments = [self.running[0][0]] if self.running else []
        if self.ready and self.queued < self.machine.queue:
            moments.append(self.next_submission)
        self.now = min(moments)
        while self.running and self.running[0][0] <= self.now:
            end, place = heapq.heappop(self.running)
            self.ended[place] = end
            self.free_cores += self.jobs[place].cores
            for follower in self.followers[place]:
                self.unmet[follower] -= 1
                if self.unmet[follower] == 0:
                    heapq.heappush(self.ready, follower)


def schedule(jobs: Sequence[Job], machine: Machine) -> Schedule:
    """Simulate a run.

    Args:
        jobs: each after those that it needs.

    Raises:
        UsageError: a job is larger than the machine, or the machine runs nothing.
    """
    _check(jobs, machine)
    state = _State(jobs, machine, free_cores=machine.cores)
    state.unmet = [len(set(job.needs)) for job in jobs]
    state.followers = [[] for _ in jobs]
    for place, job in enumerate(jobs):
        for need in set(job.needs):
            state.followers[need].append(place)
    state.ready = [place for place, count in enumerate(state.unmet) if count == 0]
    while len(state.ended) < len(jobs):
        # A submission every interval: jobs that end or start between two of them must not be overlooked.
        state.submit()
        state.start()
        state.advance()
    places = range(len(jobs))
    makespan = max(state.ended.values(), default=0.0)
    core_seconds = sum(job.seconds * job.cores for job in jobs)
    return Schedule(
        submitted=tuple(state.submitted[place] for place in places),
        started=tuple(state.started[place] for place in places),
        ended=tuple(state.ended[place] for place in places),
        makespan=makespan,
        core_seconds=core_seconds,
        utilisation=core_seconds / (makespan * usable_cores(jobs, machine)) if makespan else 0.0,
        longest_queue=state.longest_queue,
        most_running=state.most_running,
    )


def usable_cores(jobs: Sequence[Job], machine: Machine) -> int:
    """Cores that jobs can hold at all: those of the machine, or those of as many of the largest jobs as may run."""
    return min(machine.cores, machine.running * max((job.cores for job in jobs), default=1))


def critical_path(jobs: Sequence[Job]) -> float:
    """Seconds of the longest chain of jobs: no machine is faster."""
    ends: list[float] = []
    for job in jobs:
        ends.append(job.seconds + max((ends[need] for need in job.needs), default=0.0))
    return max(ends, default=0.0)


def _check(jobs: Sequence[Job], machine: Machine) -> None:
    if machine.running < 1 or machine.queue < 1:
        raise UsageError("Nothing can run with no running job or no place in the queue. Give at least one of each.")
    largest = max((job.cores for job in jobs), default=0)
    if largest > machine.cores:
        raise UsageError(
            f"A job asks for {largest} cores, and all together have {machine.cores}. "
            f"Give more cores, or set machine.processes lower."
        )
    for place, job in enumerate(jobs):
        if any(not 0 <= need < place for need in job.needs):
            raise ValueError(f"job {place} needs jobs {job.needs}, which do not all come before it")
