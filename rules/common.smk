# Configuration and paths shared by all stages. Without --configfile the embedded default is mined. With
# `evaluation.dataset` that dataset is graded: nothing is mined, and nothing in its folder is written.
import sys
from pathlib import Path

from testevo.analysis.statistics.output_names import TABLES_PAGE
from testevo.builds.project.run_jdks import note_jdks
from testevo.config.layout import Layout
from testevo.config.load import read_yaml
from testevo.config.lock import lock_snapshot
from testevo.config.machine.processes import SMALL_JOB_MB, memory_of, minutes_of, processes_of
from testevo.config.resolved import stage_key, write_resolved
from testevo.config.machine.shards import read_commit_lock, shards_of
from testevo.config.systems import files_by_folder
from testevo.deployment.stages import container_address, read_table
from testevo.grading.dataset.dataset_config import read_configuration
from testevo.runtime.clock import files_of_the_future
from testevo.runtime.errors import UsageError, UserError
from testevo.runtime.files.project import is_checkout
from testevo.sources.candidates import candidates
from testevo.packaging.dataset.dataset_folder import open_dataset

PROJECT = Path(workflow.basedir)
FIGURE_LABELS = {
    "figures/tasks_per_half_year.svg": "Tasks by half-year",
    "figures/cost_cdf.svg": "Cost per task",
    "figures/success_over_time_update.svg": "Success over time, update",
    "figures/success_over_time_generation.svg": "Success over time, generation",
}
DEPLOYED = {str(one) for one in workflow.deployment_settings.deployment_method}

try:
    if DEPLOYED & {"apptainer", "conda"} and not is_checkout():
        raise UsageError(
            "jobs in images or conda environments need a checkout of testevo, which they are given as it stands; an "
            "installed package mixes with theirs. Run this in a checkout, or leave out --sdm."
        )
    CONFIG = read_configuration(config or read_yaml(PROJECT / "config/snapshots/demo.yaml"))
    LAYOUT = Layout.of(CONFIG)
    FILES = LAYOUT.of_repository("{slug}")
    PART = FILES.of_shard("{shard}")
    MINING = CONFIG.evaluation.dataset is None
    DATASET = LAYOUT.dataset if MINING else Path(CONFIG.evaluation.dataset)
    SLUGS = sorted(one.slug for one in candidates(CONFIG)) if MINING else open_dataset(DATASET).slugs
    SYSTEMS = files_by_folder(CONFIG.evaluation)
    ENVIRONMENTS = read_table(PROJECT).stages
    CONTAINERS = {stage: container_address(PROJECT, stage) for stage in ENVIRONMENTS if "apptainer" in DEPLOYED}
    CORES = workflow.resource_settings.cores
    if workflow.is_main_process and (warning := files_of_the_future(LAYOUT.root.glob("profile/*/*"))):
        print(warning, file=sys.stderr)
except UserError as error:
    # Snakemake would add the places in our code, which help nobody.
    print(f"error: {error}", file=sys.stderr)
    sys.exit(int(error.status))


# Snakemake calls this in the process that is about to run jobs, after it has planned them: not for a dry run, `--lint`
# or a list of rules, and not in the processes that it starts for jobs. Nothing before it writes below the results
# folder, so that none of those disturbs a workflow that runs.
onstart:
    try:
        # The kernel releases this lock with the process, so that a killed run is resumed by the same command.
        lock_snapshot(LAYOUT)
        # Jobs of containers, of other environments and on other machines have JDKs of their own.
        LAYOUT.jdks.unlink(missing_ok=True)
        if workflow.local_exec and not DEPLOYED:
            note_jdks(LAYOUT.jdks, CONFIG.build.java_homes)
        write_resolved(CONFIG, LAYOUT.config)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(int(error.status))


wildcard_constraints:
    slug=r"[^/]+\+[^/@]+",
    shard=r"\d+of\d+",
    system=r"[^/]+",


def processes(jobs):
    """Processes of each of so many jobs; a job that was sent to another machine must find what it was sent with."""
    here = workflow.is_main_process and workflow.local_exec
    return processes_of(CONFIG, jobs=jobs, cores=CORES if here else None)


PROCESSES = processes(len(SLUGS))


def container_of(stage):
    """The image of a stage's jobs; none where containers are not asked for."""
    return CONTAINERS.get(stage)


def modules_of(stage):
    """The environment modules of a stage's jobs."""
    return ENVIRONMENTS[stage].modules


def python():
    """The interpreter of a stage: this one, or that of its image or conda environment, which does not hold our code."""
    deployed = DEPLOYED & {"apptainer", "conda"}
    return f"PYTHONPATH='{PROJECT}' exec python3" if deployed else f"exec '{sys.executable}'"


def stage_call(stage):
    """The command line of a stage's script; its files follow from the snapshot's layout."""
    return f"{python()} '{PROJECT}/scripts/{stage}.py' --config '{LAYOUT.config}'"


def repository_call(stage, *more):
    """The same for a stage that works on one repository, by as many processes as its rule has threads."""
    words = [stage_call(stage), "--repository {wildcards.slug:q} --processes {threads}", *more, "2> {log:q}"]
    return " ".join(words)


def without_network(call):
    """The same command where no network interface is but loopback."""
    return call.replace("exec ", "exec unshare --net --map-root-user ", 1)


def memory(wildcards, threads, attempt):
    """MiB that a job may need whose processes build and run tests; more when it has failed, maybe for want of it."""
    return attempt * memory_of(CONFIG, threads)


def shown(file, caption, category, label):
    """An output that `snakemake --report` shows, under a heading and with the text of report/<caption>.rst."""
    return report(file, caption=f"../report/{caption}.rst", category=category, labels={"what": label})


def aggregated(name):
    """An output of the rule; a reader of the report sees the page of all tables and the figures."""
    file = LAYOUT.aggregate / name
    if name in FIGURE_LABELS:
        return shown(file, "figures", "Grading", FIGURE_LABELS[name])
    return shown(file, "tables", "Grading", "All tables") if name == TABLES_PAGE else file


def small(wildcards, attempt):
    """MiB of a job that runs no tests."""
    return attempt * SMALL_JOB_MB


def minutes(stage, shard=False):
    """How long a job of a stage may take; more when it has failed, maybe for want of time."""
    return lambda wildcards, attempt: attempt * minutes_of(stage, shard=shard)
