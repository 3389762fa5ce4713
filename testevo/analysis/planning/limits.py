"""A plan against the published limits of clusters: what fits, what does not, and what to do about it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil

from testevo.analysis.planning.plan import START_SECONDS, Plan
from testevo.analysis.planning.schedule import Machine, Schedule, schedule
from testevo.config.machine.clusters import Cluster

PROFILE_JOBS = 400
"""What the profiles let wait and run at the same time."""
SHORT_SHARE = 0.05
"""A site that asks for longer jobs puts up with so many short ones."""
LEAST_FREE_SHARE = 0.2
"""Of a disk; beyond that a plan that rests on few repositories is not a plan."""


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
    """What to do when it does not hold, or what it holds only with."""


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


def queue_slots(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    if (limit := cluster.jobs) is None:
        return None
    fits = found.longest_queue <= limit.value
    return Check(
        "jobs waiting and running",
        f"{found.longest_queue}",
        f"{limit.value}",
        limit.page,
        fits,
        "" if fits else f"set `jobs` of the profile to {limit.value} or less",
    )


def whole_nodes(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    if (limit := cluster.node_cores) is None:
        return None
    cores = max(stage.cores for stage in plan.stages)
    fits = cores >= limit.value
    return Check(
        "cores of a job",
        f"{cores}",
        f"whole nodes of {limit.value}",
        limit.page,
        fits,
        "" if fits else "use the pilot profile",
    )


def short_jobs(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    if (limit := cluster.shortest_minutes) is None:
        return None
    seconds = [job.seconds for job in plan.jobs]
    share = sum(one < 60 * limit.value for one in seconds) / len(seconds)
    fits = share <= SHORT_SHARE
    return Check(
        f"jobs shorter than {limit.value} min",
        f"{share:.1%}",
        "few",
        limit.page,
        fits,
        "" if fits else f"use the pilot profile{_larger_shards(plan, limit.value)}",
    )


def _larger_shards(plan: Plan, minutes: int) -> str:
    """A hint when the shards are what is too short."""
    shards = [job.seconds - START_SECONDS for job in plan.jobs if job.stage == "build_check_shard"]
    if not shards:
        return ""
    times = 60 * minutes / (sum(shards) / len(shards))
    if times > len(shards) / len(plan.repositories):
        return "; even one job for a whole repository would be short"
    return f"; shards of {ceil(times)} times the work would last that long" if times > 1 else ""


def long_jobs(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    if (limit := cluster.longest_hours) is None:
        return None
    return _length("longest job", plan, limit.value, limit.page, "set machine.shard_minutes lower")


def early_jobs(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    if (limit := cluster.early_hours) is None:
        return None
    return _length(
        "longest job, to start early",
        plan,
        limit.value,
        limit.page,
        "set machine.shard_minutes lower, or let the long ones wait for a longer class",
    )


def _length(what: str, plan: Plan, hours: int, page: str, step: str) -> Check:
    longest = max(job.seconds for job in plan.jobs) / 3600
    fits = longest <= hours
    return Check(what, f"{longest:.2f} h", f"{hours} h", page, fits, "" if fits else step)


def scratch_space(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    if (limit := cluster.scratch_gb) is None:
        return None
    planned = plan.bytes / 1e9
    fits = planned <= limit.value * (1 - LEAST_FREE_SHARE)
    return Check(
        "scratch, GB",
        f"{planned:,.0f}",
        f"{limit.value:,}",
        limit.page,
        fits,
        "" if fits else "mine in parts: one snapshot for some of the repositories at a time",
    )


def scratch_files(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    if (limit := cluster.scratch_files) is None:
        return None
    fits = plan.files <= limit.value * (1 - LEAST_FREE_SHARE)
    step = "" if fits else f"{_most_files(plan)}; keep `build.cache` on node-local disks, or mine in parts"
    return Check("scratch, files", f"{plan.files:,.0f}", f"{limit.value:,}", limit.page, fits, step)


def _most_files(plan: Plan) -> str:
    by_name = {stage.stage: stage.files for stage in plan.stages} | {"the cache": plan.cache_files}
    name = max(by_name, key=lambda one: by_name[one])
    return f"{by_name[name] / plan.files:.0%} are of {name}"


def kept_space(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    if (limit := cluster.project_gb) is None:
        return None
    planned = plan.kept_bytes / 1e9
    fits = planned <= limit.value
    return Check(
        "dataset in project space, GB",
        f"{planned:,.1f}",
        f"{limit.value:,}",
        limit.page,
        fits,
        "" if fits else "keep archives of the dataset only",
    )


def kept_files(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    if (limit := cluster.project_files) is None:
        return None
    fits = plan.kept_files <= limit.value
    return Check(
        "dataset in project space, files",
        f"{plan.kept_files:,.0f}",
        f"{limit.value:,}",
        limit.page,
        fits,
        "" if fits else "keep archives of the dataset only",
    )


def local_space(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    if (limit := cluster.local_gb) is None:
        return None
    planned = plan.local_bytes / 1e9
    return Check(
        "node-local disk of a job, GB",
        f"{planned:,.1f}",
        f"{limit.value:,}",
        limit.page,
        planned <= limit.value,
        "" if planned <= limit.value else "unset TESTEVO_SCRATCH",
    )


def purge(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    if (limit := cluster.purge_days) is None:
        return None
    days = found.makespan / 86400
    fits = days <= limit.value
    return Check(
        "days until the dataset",
        f"{days:.1f}",
        f"{limit.value}",
        limit.page,
        fits,
        "copy the dataset to project space" if fits else "mine in parts",
    )


def network(plan: Plan, found: Schedule, cluster: Cluster) -> Check | None:
    if (limit := cluster.network) is None:
        return None
    return Check(
        "network on compute nodes",
        "not needed",
        "there" if limit.value else "none",
        limit.page,
        True,
        "" if limit.value else "first the online half on a login node",
    )


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
