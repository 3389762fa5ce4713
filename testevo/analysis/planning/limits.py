"""A plan against the published limits of clusters: what fits, what does not, and what to do about it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil

from testevo.analysis.planning.plan import START_SECONDS, Plan
from testevo.analysis.planning.schedule import Machine, Schedule, schedule
from testevo.config.machine.clusters import Cluster, Limit

PROFILE_JOBS = 400
"""Jobs that the profiles let wait and run at the same time."""
SHORT_SHARE = 0.05
"""A site that asks for longer jobs puts up with so many short ones."""
LEAST_FREE_SHARE = 0.2
"""Of a disk; beyond that a plan that rests on few repositories is not a plan."""
KEEP_ARCHIVES = "keep archives of the dataset only"


@dataclass(frozen=True)
class Check:
    """One limit of one cluster."""

    what: str
    planned: str
    limit: str
    page: str
    """The operator's page that says so."""
    holds: bool
    next_step: str = ""
    """The next step when it does not hold, or the condition under which it holds."""


@dataclass(frozen=True)
class Simulated:
    """A plan on one cluster."""

    cluster: Cluster
    machine: Machine
    schedule: Schedule
    checks: tuple[Check, ...]


def on_cluster(plan: Plan, cluster: Cluster, running: int) -> Simulated:
    """Simulate a plan and check it against what is published.

    Args:
        running: how many jobs the site is taken to run at the same time; no page promises any number.
    """
    if cluster.running is not None:
        running = min(running, cluster.running.value)
    queue = min(PROFILE_JOBS, cluster.jobs.value) if cluster.jobs else PROFILE_JOBS
    cores = max(job.cores for job in plan.jobs) * running
    interval = cluster.interval_seconds.value if cluster.interval_seconds else 1.0
    machine = Machine(running=running, cores=cores, queue=queue, interval=interval)
    found = schedule(plan.jobs, machine)
    return Simulated(cluster, machine, found, tuple(checks(plan, found, cluster)))


def in_one_allocation(plan: Plan, cores: int) -> Schedule:
    """Simulate a plan as the pilot profile runs it: no queue, nothing is submitted."""
    return schedule(plan.jobs, Machine(running=cores, cores=cores, queue=len(plan.jobs), interval=0.0))


def checks(plan: Plan, found: Schedule, cluster: Cluster) -> Iterator[Check]:
    """One for each limit that is published."""
    for check in CHECKS:
        made = check(plan, found, cluster)
        if made is not None:
            yield made


def _check(what: str, planned: str, limit: str, page: str, *, fits: bool, step: str) -> Check:
    """A check that asks for a step only where it does not hold."""
    return Check(what, planned, limit, page, fits, "" if fits else step)


def queue_slots(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    if (limit := cluster.jobs) is None:
        return None
    longest, step = found.longest_queue, f"set `jobs` of the profile to {limit.value} or less"
    fits = longest <= limit.value
    return _check("jobs waiting and running", f"{longest}", f"{limit.value}", limit.page, fits=fits, step=step)


def whole_nodes(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    if (limit := cluster.node_cores) is None:
        return None
    cores, most = max(stage.cores for stage in plan.stages), f"whole nodes of {limit.value}"
    fits = cores >= limit.value
    return _check("cores of a job", f"{cores}", most, limit.page, fits=fits, step="use the pilot profile")


def short_jobs(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    if (limit := cluster.shortest_minutes) is None:
        return None
    seconds = [job.seconds for job in plan.jobs]
    share = sum(one < 60 * limit.value for one in seconds) / len(seconds)
    what, step = f"jobs shorter than {limit.value} min", f"use the pilot profile{_larger_shards(plan, limit.value)}"
    return _check(what, f"{share:.1%}", "few", limit.page, fits=share <= SHORT_SHARE, step=step)


def _larger_shards(plan: Plan, minutes: int) -> str:
    """A hint when the shards are what is too short."""
    shards = [job.seconds - START_SECONDS for job in plan.jobs if job.stage == "build_check_shard"]
    if sum(shards) <= 0:
        return ""
    times = 60 * minutes / (sum(shards) / len(shards))
    if times > len(shards) / len(plan.repositories):
        return "; even one job for a whole repository would be short"
    return f"; shards of {ceil(times)} times the work would last that long" if times > 1 else ""


def long_jobs(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    return _length("longest job", plan, cluster.longest_hours, "set machine.shard_minutes lower")


def early_jobs(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    step = "set machine.shard_minutes lower, or let the long ones wait for a longer class"
    return _length("longest job, to start early", plan, cluster.early_hours, step)


def _length(what: str, plan: Plan, limit: Limit[int] | None, step: str) -> Check | None:
    if limit is None:
        return None
    longest = max(job.seconds for job in plan.jobs) / 3600
    return _check(what, f"{longest:.2f} h", f"{limit.value} h", limit.page, fits=longest <= limit.value, step=step)


def scratch_space(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    step = "mine in parts: one snapshot for some of the repositories at a time"
    return _amount("scratch, GB", plan.bytes / 1e9, cluster.scratch_gb, step, usable=1 - LEAST_FREE_SHARE)


def scratch_files(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    step = f"{_most_files(plan)}; keep `build.cache` on node-local disks, or mine in parts"
    return _amount("scratch, files", plan.files, cluster.scratch_files, step, usable=1 - LEAST_FREE_SHARE)


def _most_files(plan: Plan) -> str:
    by_name = {stage.stage: stage.files for stage in plan.stages} | {"the cache": plan.cache_files}
    name = max(by_name, key=lambda one: by_name[one])
    return f"{by_name[name] / max(plan.files, 1):.0%} are of {name}"


def kept_space(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    return _amount("dataset in project space, GB", plan.kept_bytes / 1e9, cluster.project_gb, KEEP_ARCHIVES, digits=1)


def kept_files(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    return _amount("dataset in project space, files", plan.kept_files, cluster.project_files, KEEP_ARCHIVES)


def local_space(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    what, step = "node-local disk of a job, GB", "unset TESTEVO_SCRATCH"
    return _amount(what, plan.local_bytes / 1e9, cluster.local_gb, step, digits=1)


def _amount(
    what: str, planned: float, limit: Limit[int] | None, step: str, *, usable: float = 1, digits: int = 0
) -> Check | None:
    """Bytes or files against a quota, of which a plan may use a share."""
    if limit is None:
        return None
    fits = planned <= limit.value * usable
    return _check(what, f"{planned:,.{digits}f}", f"{limit.value:,}", limit.page, fits=fits, step=step)


def purge(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    if (limit := cluster.purge_days) is None:
        return None
    days = found.makespan / 86400
    fits = days <= limit.value
    step = "copy the dataset to project space" if fits else "mine in parts"
    return Check("days until the dataset", f"{days:.1f}", f"{limit.value}", limit.page, fits, step)


def network(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    if (limit := cluster.network) is None:
        return None
    there = "there" if limit.value else "none"
    step = "" if limit.value else "first the online half on a login node"
    return Check("network on compute nodes", "not needed", there, limit.page, True, step)


CHECKS: tuple[Callable[[Plan, Schedule, Cluster], Check | None], ...] = (
    queue_slots,
    whole_nodes,
    short_jobs,
    long_jobs,
    early_jobs,
    scratch_space,
    scratch_files,
    kept_space,
    kept_files,
    local_space,
    purge,
    network,
)
