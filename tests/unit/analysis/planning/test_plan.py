"""Plans of whole snapshots: jobs, shards, limits."""

from collections import Counter
from math import ceil
from pathlib import Path

import pytest
import yaml

from testevo.analysis.planning.cost_model import read_model
from testevo.analysis.planning.limits import PROFILE_JOBS, in_one_allocation, on_cluster
from testevo.analysis.planning.plan import ORDER, Plan, configured, imagined, plan
from testevo.cli.machines.plan import SHARD_MINUTES
from testevo.config.load import load_config
from testevo.config.machine.clusters import Cluster, Limit, read_clusters
from testevo.config.machine.processes import processes_of
from testevo.config.machine.shards import Estimate, shards_of
from testevo.runtime.errors import UsageError
from testevo.runtime.files.project import PROJECT

MODEL = read_model()
CONFIG = load_config({})


def planned(repositories: int = 4, commits: int = 300, **more: float) -> Plan:
    shards = more.pop("shard_minutes", 2.0) or None
    return plan(MODEL, CONFIG, imagined(MODEL, repositories, commits), shard_minutes=shards, **more)  # type: ignore[arg-type]


def test_the_jobs_of_a_repository_follow_each_other_as_in_the_workflow() -> None:
    """Shards come between what they read and the job of the whole repository; all wait for the one checkpoint."""
    jobs = planned(1).jobs
    needs = {job.stage: {jobs[need].stage for need in job.needs} for job in jobs}
    assert needs["build_check_shard"] == {"clone", "commit_lock"}
    assert needs["build_check"] == {"clone", "commit_lock", "build_check_shard"}
    assert needs["commit_pair"] == {"build_check"}
    assert needs["triple_execute_shard"] == {"instrument", "commit_lock"}
    assert needs["refactoring_filter"] == {"triple_execute"}
    assert needs["package"] == {"search", "measure_gold"}
    assert needs["evaluate_repository"] == {"package"}
    assert set(ORDER) >= set(needs)


def test_a_repository_has_as_many_shards_as_the_workflow_cuts() -> None:
    """By the estimate that `commit_lock` makes of commits and size."""
    whole = planned(3, 300)
    counts = Counter(job.stage for job in whole.jobs)
    built = [(ceil(one.units["kept"]), one.units["java_megabytes"]) for one in whole.repositories]
    work = [Estimate(commits, MODEL.sharded_seconds(commits, size)) for commits, size in built]
    wanted = sum(len(shards_of(one, 2.0)) for one in work)
    assert counts["build_check_shard"] == counts["instrument_shard"] == counts["triple_execute_shard"] == wanted > 3


def test_without_shards_there_is_one_job_per_stage_and_no_checkpoint() -> None:
    """As on a laptop."""
    counts = Counter(job.stage for job in planned(3, shard_minutes=0).jobs)
    assert "commit_lock" not in counts and not any("shard" in stage for stage in counts)
    assert counts["build_check"] == counts["triple_execute"] == 3


def test_a_cut_costs_core_hours_and_saves_time() -> None:
    """Every further job pays its start and its fixed cost; the longest job is shorter."""
    whole, cut = planned(4, shard_minutes=0), planned(4, shard_minutes=1)
    assert cut.core_hours > whole.core_hours
    assert max(job.seconds for job in cut.jobs if "build_check" in job.stage) < max(
        job.seconds for job in whole.jobs if "build_check" in job.stage
    )


def test_larger_repositories_take_more_of_everything_but_jobs() -> None:
    """`factor` is the time and space of a commit; where work is cut, there are more jobs."""
    once, tenfold = planned(4, shard_minutes=0), planned(4, shard_minutes=0, factor=10.0)
    assert len(once.jobs) == len(tenfold.jobs)
    assert len(planned(4).jobs) < len(planned(4, factor=10.0).jobs)
    assert tenfold.core_hours > 2 * once.core_hours and tenfold.files > 5 * once.files


def test_configured_repositories_are_known_by_name() -> None:
    """The embedded histories as long as they are, releases as many as are listed."""
    demo = load_config(
        {"sources": {"worlds": ["savings"], "releases": [{"coordinates": "g:a", "versions": ["1", "2", "3"]}]}}
    )
    found = {one.name: one.units["commits"] for one in configured(MODEL, demo)}
    assert found["g/a"] == 3 and 0 < found["worlds/savings"] < 50


@pytest.mark.parametrize("name", [cluster.name for cluster in read_clusters()])
def test_every_limit_of_a_cluster_is_checked(name: str) -> None:
    """No limit of the data file is forgotten, and what is exceeded comes with a next step."""
    cluster = next(one for one in read_clusters() if one.name == name)
    found = on_cluster(planned(), cluster, running=10)
    limits = sum(getattr(cluster, key) is not None for key in type(cluster).model_fields if key != "name")
    own = sum(limit is not None for limit in (cluster.running, cluster.interval_seconds))  # kept by the simulation
    assert len(found.checks) == limits - own
    assert all(check.next_step for check in found.checks if not check.holds)


def test_a_plan_that_exceeds_a_limit_is_told_so() -> None:
    """Whole nodes, short jobs, too many files; a plan that fits is told that too."""
    tight = Cluster(
        name="tight",
        node_cores=Limit[int](value=192, page="p"),
        shortest_minutes=Limit[int](value=60, page="p"),
        scratch_files=Limit[int](value=10, page="p"),
        longest_hours=Limit[int](value=999, page="p"),
    )
    verdicts = {check.what: check for check in on_cluster(planned(), tight, running=5).checks}
    assert not verdicts["cores of a job"].holds and "pilot" in verdicts["cores of a job"].next_step
    assert not verdicts["jobs shorter than 60 min"].holds
    assert not verdicts["scratch, files"].holds
    assert verdicts["longest job"].holds


def test_the_simulation_keeps_a_sites_limit_of_running_jobs() -> None:
    """However many are wished for."""
    cluster = Cluster(name="small", running=Limit[int](value=3, page="p"))
    assert on_cluster(planned(), cluster, running=100).schedule.most_running <= 3


def test_jobs_get_the_processes_that_the_workflow_gives_them() -> None:
    """On a cluster, where the cores of a machine are not known."""
    cores = {stage.stage: stage.cores for stage in planned(2).stages}
    assert cores["build_check"] == processes_of(CONFIG, jobs=2, cores=None)
    assert cores["clone"] == 1


def test_a_misspelt_limit_is_refused(tmp_path: Path) -> None:
    """The data file is typed."""
    file = tmp_path / "clusters.yaml"
    file.write_text("version: 1\nclusters: [{name: x, jbs: {value: 1, page: p}}]\n")
    with pytest.raises(UsageError, match="jbs"):
        read_clusters(file)


def test_the_profiles_keep_to_what_is_planned() -> None:
    """Jobs at the same time and shards are those of the shipped profiles."""
    for name in ("slurm", "alliance"):
        profile = yaml.safe_load((PROJECT / "profiles" / name / "config.v9+.yaml").read_text(encoding="utf-8"))
        assert profile["jobs"] == PROFILE_JOBS
        assert f"machine={{shard_minutes: {SHARD_MINUTES:g}}}" in profile["config"]


def test_one_allocation_needs_no_queue() -> None:
    """The pilot profile runs all jobs of a snapshot on the cores that it has."""
    found = in_one_allocation(planned(3, shard_minutes=0, processes=1), 8)
    assert found.most_running <= 8 and found.makespan >= found.core_seconds / 8
