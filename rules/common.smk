# What all rules share: the configuration, whose repositories there are, and what a job may take. With
# `evaluation.dataset` that dataset is graded: nothing is mined, and nothing in its folder is written.
import sys
from pathlib import Path

from testevo.builds.project.run_jdks import note_jdks
from testevo.config.snapshot.layout import Layout
from testevo.config.snapshot.lock import lock_snapshot, use_cache
from testevo.config.machine.processes import SMALL_JOB_MB, memory_of, processes_of
from testevo.config.snapshot.predecessor import note_tools, predecessor_of, replaced_tools
from testevo.config.resolved import stage_key, write_resolved
from testevo.config.machine.shards import read_commit_lock, shards_of
from testevo.config.systems import files_by_folder, solvers_by_folder
from testevo.deployment.stages import container_address, read_table
from testevo.grading.dataset.dataset_config import read_configuration
from testevo.grading.submissions.selection import selected_slugs
from testevo.runtime.clock import files_of_the_future
from testevo.runtime.errors import UsageError, UserError
from testevo.runtime.files.project import is_checkout
from testevo.sources.candidates import candidates
from testevo.sources.github.candidates import is_searched
from testevo.packaging.dataset.dataset_folder import open_dataset

PROJECT = Path(workflow.basedir)
DEPLOYED = {str(one) for one in workflow.deployment_settings.deployment_method}

try:
    if DEPLOYED & {"apptainer", "conda"} and not is_checkout():
        raise UsageError(
            "jobs in images or conda environments need a checkout of testevo, which they are given as it stands; an "
            "installed package mixes with theirs. Run this in a checkout, or leave out --sdm."
        )
    CONFIG = read_configuration(config)
    LAYOUT = Layout.of(CONFIG)
    MINING = CONFIG.evaluation.dataset is None
    DATASET = LAYOUT.dataset if MINING else Path(CONFIG.evaluation.dataset)
    SEARCHED = not MINING or is_searched(CONFIG)
    if not MINING:
        SLUGS = open_dataset(DATASET).slugs
    elif SEARCHED:
        SLUGS = sorted(one.slug for one in candidates(CONFIG))
    else:
        SLUGS = []
    SYSTEMS = files_by_folder(CONFIG.evaluation)
    SOLVERS = solvers_by_folder(CONFIG.solving)
    # Which tasks a mining will have is known when it has ended, so that it solves those of all repositories.
    known = SOLVERS and not MINING
    SOLVED = selected_slugs(open_dataset(DATASET).tasks, CONFIG.evaluation) if known else SLUGS
    ENVIRONMENTS = read_table(PROJECT).stages
    CONTAINERS = {stage: container_address(PROJECT, stage) for stage in ENVIRONMENTS if "apptainer" in DEPLOYED}
    CORES = workflow.resource_settings.cores
    if CORES is not None and CORES < 1:  # Snakemake would wait for ever
        raise UsageError(f"--cores {CORES} lets no job run. Give 1 or more.")
    if workflow.is_main_process and not SEARCHED:
        print(
            "GitHub has not been searched yet: `search` is the only target now. Then run this again.", file=sys.stderr
        )
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
        use_cache(Path(CONFIG.build.cache))
        # Jobs of containers, of other environments and on other machines have JDKs of their own.
        LAYOUT.jdks.unlink(missing_ok=True)
        if workflow.local_exec and not DEPLOYED:
            note_jdks(LAYOUT.jdks, CONFIG.build.java_homes)
        write_resolved(CONFIG, LAYOUT.config)
        if MINING:
            from testevo.deployment.tools import tools_of_run

            TOOLS = tools_of_run(CONFIG.build.java_homes, CONTAINERS)
            if replaced := replaced_tools(LAYOUT, TOOLS):
                print(
                    f"{LAYOUT.root} was made with {', '.join(replaced)}. What is finished stays; to make it all anew, "
                    "give another folder of results.",
                    file=sys.stderr,
                )
            note_tools(LAYOUT, TOOLS)
            if CONFIG.predecessor and predecessor_of(CONFIG) is None:
                print(
                    f"{LAYOUT.root.parent / CONFIG.predecessor} is missing, or other tools worked on it than on "
                    f"{LAYOUT.root}: nothing is taken over. Compare their tools.jsonl.",
                    file=sys.stderr,
                )
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(int(error.status))


wildcard_constraints:
    slug=r"[^/]+\+[^/@]+",
    shard=r"\d+of\d+",
    system=r"[^/]+",
    program=r"[^/]+",


def processes(jobs):
    """Processes of each of so many jobs; a job that was sent to another machine must find what it was sent with."""
    here = workflow.is_main_process and workflow.local_exec
    return processes_of(CONFIG, jobs=jobs, cores=CORES if here else None)


PROCESSES = processes(len(SLUGS))

# The interpreter of a job: this one, or that of its image or conda environment, which does not hold our code.
PYTHON = f"env PYTHONPATH='{PROJECT}' python3" if DEPLOYED & {"apptainer", "conda"} else f"'{sys.executable}'"
SCRIPTS = PROJECT / "scripts"
CONFIG_FILE = LAYOUT.config


def container_of(stage):
    """The image of a stage's jobs; none where containers are not asked for."""
    return CONTAINERS.get(stage)


def modules_of(stage):
    """The environment modules of a stage's jobs."""
    return ENVIRONMENTS[stage].modules


def memory(wildcards, threads, attempt):
    """MiB that a job may need whose processes build and run tests; more when it has failed, maybe for lack of it."""
    return attempt * memory_of(CONFIG, threads)


def small(wildcards, attempt):
    """MiB of a job that runs no tests."""
    return attempt * SMALL_JOB_MB


def default_target(wildcards):
    """The search where it is still to be done, else the dataset, or the grades of one from elsewhere."""
    if not SEARCHED:
        return rules.search.output.repositories
    return rules.package.output.checksums if MINING else rules.evaluate.input
