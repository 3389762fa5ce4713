"""Resources of a job of a stage: processes and memory (docs/performance.md). Its time stands in its rule."""

from math import ceil

import psutil

from testevo.config.model import Config

HELPERS_MB = 1024
"""Of one process beside Maven and tests: the compiler, Python and the smaller helpers."""
JOB_MB = 1024
"""Of a job whatever its processes: the parent, and what of the limits above is not heap."""
SMALL_JOB_MB = 1024
"""Of a job that runs no tests; about 250 MiB of it are Snakemake's, which a cluster's job starts twice."""
ON_CLUSTER = 4
"""`auto` where no number of cores is known, because jobs are sent to other machines."""


def processes_of(config: Config, *, jobs: int, cores: int | None) -> int:
    """Processes of each of a stage's jobs; the workflow cuts it to the cores it has.

    A second process in one repository is worth less than a second repository: their caches warm up one by one. With
    few repositories, though, the largest is mined when the others are done and cores lie idle. So `auto` shares out
    twice the cores.

    Args:
        jobs: how many there are of the stage.
        cores: of this run, None when it is not this machine that works.
    """
    asked = config.machine.processes
    if asked != "auto":
        return asked
    if cores is None:
        return ON_CLUSTER
    fitting = (psutil.virtual_memory().total // 2**20 - JOB_MB) // memory_of_process(config)
    return max(1, min(cores, ceil(2 * cores / max(1, jobs)), fitting))


def memory_of_process(config: Config) -> int:
    """MiB that one process and its JVMs may take."""
    return HELPERS_MB + config.build.memory_mb + config.execution.memory_mb


def memory_of(config: Config, processes: int) -> int:
    """MiB that a job may take."""
    return JOB_MB + processes * memory_of_process(config)
