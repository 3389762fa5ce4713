"""`snakemake --profile slurm` on a real Slurm of two nodes (TEB-E14)."""

import contextlib
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
import yaml
from scripted_agent import configuration, developers_scripts, environment
from slurm_cluster import Cluster, missing_for_slurm
from snapshots import CONSENT, PROJECT, Snapshot, has_lines, jobs_of, wait_until, warm_cache

from testevo.analysis.planning.cost_model import read_model
from testevo.config.machine.shards import Shard
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.records.agents.runs import AgentRun, RunStatus
from testevo.records.base import read_records
from testevo.records.tasks import Track
from tests.model_server.server import ModelServer, serving

pytestmark = [
    pytest.mark.maven,
    pytest.mark.slurm,
    pytest.mark.xdist_group("slurm"),
    pytest.mark.skipif(missing_for_slurm() != "", reason=missing_for_slurm()),
]

SLUG = "worlds+savings"
QUICK = ("--slurm-init-seconds-before-status-checks", "1", "--latency-wait", "5", "--jobs", "8")
ESTIMATED_MINUTES = read_model().sharded_seconds(commits=3, java_megabytes=0.0) / 60
MACHINE = f"machine={{shard_minutes: {0.6 * ESTIMATED_MINUTES:.5f}, processes: 1}}"
FIRST, SECOND = Shard(1, 2), Shard(2, 2)
"""The three commits of the world, cut in two."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    running = Cluster.started(tmp_path_factory.mktemp("cluster"))
    yield running
    running.stop()


@pytest.fixture
def snapshot(tmp_path: Path, shared_cache: Path) -> Snapshot:
    """A snapshot of one world that is not mined yet."""
    return Snapshot.made(tmp_path, warm_cache(shared_cache, tmp_path / "cache"), {"worlds": ["savings"]})


def workflow(cluster: Cluster, snapshot: Snapshot, *more: str) -> list[str]:
    """The command of a user of the cluster; its polls are quicker here."""
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(PROJECT / "Snakefile"), "--nocolor"]
    profile = ["--profile", str(PROJECT / "slurm"), "--configfile", "snapshot.yaml", "--config", MACHINE]
    return cluster.inside([*command, *profile, *QUICK, *more], snapshot.folder)


def finish(cluster: Cluster, snapshot: Snapshot, *more: str) -> str:
    """Run the workflow to its end, which is a good one; what it says."""
    finished = snapshot.run(workflow(cluster, snapshot, *more))
    said = finished.stdout + finished.stderr
    assert finished.returncode == 0, said[-4000:]
    return said


def outputs(snapshot: Snapshot, stage: str) -> dict[str, str]:
    """The outputs of a stage of the one world."""
    return {path: digest for path, digest in snapshot.outputs().items() if path.startswith(f"{stage}/{SLUG}/")}


def assert_built_as(snapshot: Snapshot, mined: Snapshot) -> None:
    """Builds and suites have the bytes of the local run, and no work was done twice within a journal."""
    assert outputs(snapshot, "build_check") == outputs(mined, "build_check") != {}
    for file in (snapshot.layout.root / "journals" / "build_check").glob(f"{SLUG}@*.jsonl"):
        keys = Counter(line.split(b'"')[3] for line in file.read_bytes().splitlines())
        assert max(keys.values()) == 1, file.name


def soon(condition: Callable[[], bool], seconds: float = 60) -> bool:
    """Whether it comes true within a bounded number of looks."""
    for _ in range(int(seconds * 5)):
        if condition():
            return True
        time.sleep(0.2)
    return False


def job_of_shard(snapshot: Snapshot, shard: Shard) -> list[psutil.Process]:
    """The processes of the build of a shard, wherever they run."""
    found = []
    for process in snapshot.processes():
        with contextlib.suppress(psutil.NoSuchProcess):  # it ended since it was listed
            words = process.cmdline()
            found += [process] if "--shard" in words and str(shard) in words else []
    return found


def test_the_cluster_gives_the_bytes_of_a_local_run(cluster: Cluster, snapshot: Snapshot, mined: Snapshot) -> None:
    """A world, cut into shards, from nothing to the dataset; nothing of it is left in the queue."""
    said = finish(cluster, snapshot)
    assert "submitted with SLURM jobid" in said
    assert snapshot.outputs_of(SLUG).items() >= mined.outputs_of(SLUG).items() > set()
    assert snapshot.tasks_of(SLUG) == mined.tasks_of(SLUG) != []
    for stage in ("build_check", "instrument", "triple_execute"):
        assert (snapshot.layout.root / "shards" / stage / f"{SLUG}@{SECOND}.json").is_file(), stage
    assert cluster.jobs() == []
    again = snapshot.run(workflow(cluster, snapshot))
    assert again.returncode == 0 and jobs_of(again.stdout + again.stderr) == []


def test_a_system_solves_a_task_on_the_cluster(
    cluster: Cluster, mined: Snapshot, shared_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As docs/agents.md says it; the scripted model listens on this machine, which both nodes are."""
    dataset = mined.layout.dataset
    task = next(one for one in open_dataset(dataset).tasks if one.track is Track.UPDATE)
    [(name, value)] = environment().items()
    monkeypatch.setenv(name, value)
    with serving(ModelServer(developers_scripts(dataset, [task]))) as model:
        given = configuration(model.address, shared_cache, CONSENT) | {
            "snapshot": "small",
            "evaluation": {"dataset": str(dataset), "tasks": task.task_id},
        }
        (tmp_path / "snapshot.yaml").write_text(yaml.safe_dump(given))
        sent = Snapshot(tmp_path)
        said = finish(cluster, sent, "solve")
    assert "submitted with SLURM jobid" in said
    [run] = [
        one for file in (sent.layout.root / "solve/scripted").glob("*+*.jsonl") for one in read_records(file, AgentRun)
    ]
    assert (run.task_id, run.status, run.usage.calls) == (task.task_id, RunStatus.FINISHED, 2), run.reason
    assert run.patch is not None and (sent.layout.root / "solve/scripted/predictions.jsonl").is_file()


def test_ctrl_c_leaves_no_job_behind(cluster: Cluster, snapshot: Snapshot) -> None:
    """An interrupted head process cancels what it has sent."""
    child = snapshot.start(workflow(cluster, snapshot, "builds"))
    wait_until(lambda: len(cluster.jobs()) > 0, child)
    head = next(one for one in psutil.Process(child.pid).children(recursive=True) if "snakemake" in one.cmdline())
    head.send_signal(signal.SIGINT)
    child.communicate(timeout=300)
    assert soon(lambda: cluster.jobs() == []), cluster.jobs()
    assert soon(lambda: snapshot.processes() == []), snapshot.processes()


def test_a_killed_head_process_is_resumed_while_its_jobs_still_run(
    cluster: Cluster, snapshot: Snapshot, mined: Snapshot
) -> None:
    """The same command again: jobs of the second run wait for those of the first, and take over their work."""
    child = snapshot.start(workflow(cluster, snapshot, "builds"))
    wait_until(has_lines(snapshot.files(SLUG).of_shard(str(FIRST)).journal("build_check"), 1), child)
    for process in [*psutil.Process(child.pid).children(recursive=True), psutil.Process(child.pid)]:
        process.kill()
    child.communicate(timeout=60)
    finish(cluster, snapshot, "builds")
    assert_built_as(snapshot, mined)


def test_the_partition_of_the_environment_is_asked_for(
    cluster: Cluster, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not the default one of the cluster."""
    monkeypatch.setenv("SBATCH_PARTITION", "absent")
    refused = snapshot.run(workflow(cluster, snapshot, "builds"))
    assert refused.returncode == 1
    assert "invalid partition specified: absent" in refused.stdout + refused.stderr
    assert cluster.jobs() == []


def test_a_cancelled_job_of_a_day_is_sent_again_where_no_job_may_be_longer(
    cluster: Cluster, snapshot: Snapshot, mined: Snapshot
) -> None:
    """The partition has a limit of 24 hours; a job that asks for more would wait for ever."""
    child = snapshot.start(workflow(cluster, snapshot, "builds", "--config", "machine={processes: 1}"))
    wait_until(lambda: any("RUNNING rule_build_check_wildcards_" in one for one in cluster.jobs()), child)
    number = next(one.split()[0] for one in cluster.jobs() if "RUNNING rule_build_check_wildcards_" in one)
    cluster.ask("scancel", number)
    said = "".join(child.communicate(timeout=400))
    assert child.returncode == 0 and "CANCELLED" in said, said[-4000:]
    assert_built_as(snapshot, mined)


def test_a_shard_killed_for_its_time_is_sent_again(cluster: Cluster, snapshot: Snapshot, mined: Snapshot) -> None:
    """It hangs, Slurm ends it after its minute, and the next attempt has two."""
    minutes = ("--set-resources", "build_check_shard:runtime=attempt")
    child = snapshot.start(workflow(cluster, snapshot, "builds", *minutes))
    wait_until(lambda: job_of_shard(snapshot, FIRST) != [], child)
    for process in job_of_shard(snapshot, FIRST):
        process.suspend()
    said = "".join(child.communicate(timeout=600))
    assert child.returncode == 0, said[-4000:]
    assert "TIMEOUT" in said
    assert_built_as(snapshot, mined)


def test_a_shard_killed_for_its_memory_is_sent_again_with_more(
    cluster: Cluster, snapshot: Snapshot, mined: Snapshot
) -> None:
    """The first attempt has less quota than the workflow system itself takes."""
    said = finish(cluster, snapshot, "builds", "--set-resources", "build_check_shard:mem_mb=attempt ** 3 * 150")
    assert "Error in rule build_check_shard" in said and "Trying to restart job" in said
    assert_built_as(snapshot, mined)


def test_a_shard_on_a_node_that_is_lost_runs_on_another(cluster: Cluster, snapshot: Snapshot, mined: Snapshot) -> None:
    """A power cut takes the node with everything on it. Comes last: the node stays away."""
    child = snapshot.start(workflow(cluster, snapshot, "builds"))
    wait_until(has_lines(snapshot.files(SLUG).of_shard(str(FIRST)).journal("build_check"), 1), child)
    cluster.kill_node("n1")
    said = "".join(child.communicate(timeout=800))
    assert child.returncode == 0, said[-4000:]
    assert cluster.idle_nodes() == 1
    assert_built_as(snapshot, mined)
