"""A snapshot on paper: its jobs, what each takes, and what all of them leave (TEB-E14).

The graph is that of the workflow. What a job takes comes from the cost model; what a repository is like comes from the
repositories that the model was fitted to, taken in turn, because nothing else is known of one that is not mined yet.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from statistics import median

from testevo.analysis.planning.cost_model import SHARDED, SIZE, CostModel, Measured, scaled
from testevo.analysis.planning.schedule import Job
from testevo.analysis.planning.work_units import UNITS_OF
from testevo.config.machine.processes import SMALL_JOB_MB, memory_of, processes_of
from testevo.config.machine.shards import Estimate, shards_of
from testevo.config.model import Config
from testevo.config.systems import systems_of
from testevo.records.repository import Repository, SourceKind
from testevo.sources.candidates import candidates
from testevo.sources.embedded.worlds import load_world

SMALL = (
    "search",
    "clone",
    "commit_lock",
    "package_repository",
    "package",
    "swe_bench_report",
    "validation",
    "validate",
    "aggregate",
)
"""Rules that run no tests: one core, and memory of a small job."""
START_SECONDS = 10.0
"""Of a job on a cluster before its work begins: Snakemake starts twice (9 to 16 s measured on Slurm)."""
PILOT_START_SECONDS = 1.0
"""Assumed: of a job inside one allocation, where only Python starts."""
SECONDS_PER_REPOSITORY = 0.5
"""Assumed, not measured: of a job that reads the records of the whole snapshot, for each repository."""
LOSS_PER_PROCESS = 0.21
"""The cost of each further process of a job. 241 s with one, 147 s with two on `stateless4j/stateless4j`."""


@dataclass(frozen=True)
class PlannedRepository:
    """How much work a repository is taken to be."""

    name: str
    units: Mapping[str, float]


@dataclass(frozen=True)
class StagePlan:
    """All jobs of one rule."""

    stage: str
    seconds: tuple[float, ...]
    """Of wall time, each job in its allocation."""
    cores: int
    memory_mb: int
    """Of each job, as the workflow asks for it."""
    bytes: float
    files: float

    @property
    def core_hours(self) -> float:
        return sum(self.seconds) * self.cores / 3600

    @property
    def median_minutes(self) -> float:
        return median(self.seconds) / 60

    @property
    def longest_minutes(self) -> float:
        return max(self.seconds) / 60


@dataclass(frozen=True)
class Plan:
    """A whole snapshot."""

    repositories: tuple[PlannedRepository, ...]
    stages: tuple[StagePlan, ...]
    jobs: tuple[Job, ...]
    cache_bytes: float
    cache_files: float

    @property
    def core_hours(self) -> float:
        return sum(stage.core_hours for stage in self.stages)

    @property
    def bytes(self) -> float:
        """Of results, journals and cache on the shared file system."""
        return sum(stage.bytes for stage in self.stages) + self.cache_bytes

    @property
    def files(self) -> float:
        return sum(stage.files for stage in self.stages) + self.cache_files

    @property
    def kept_bytes(self) -> float:
        """Of what a finished snapshot keeps: the dataset and the outputs of `package`."""
        return sum(stage.bytes for stage in self.stages if stage.stage in ("package_repository", "package"))

    @property
    def kept_files(self) -> float:
        return sum(stage.files for stage in self.stages if stage.stage in ("package_repository", "package"))

    @property
    def local_bytes(self) -> float:
        """Of the node-local disk, at most, by one job: the repository's share of the cache and its history."""
        return max(self.cache_bytes / len(self.repositories), 1.0)


def imagined(model: CostModel, repositories: int, commits: int) -> list[PlannedRepository]:
    """Repositories of so many walked commits, like the measured ones in turn."""
    kinds = model.patterns
    return [_like(kinds[number % len(kinds)], f"repository-{number + 1:04}", commits) for number in range(repositories)]


def configured(model: CostModel, config: Config) -> list[PlannedRepository]:
    """The candidates of a configuration; each measured one is like itself, others are like measured ones in turn."""
    kinds = model.patterns
    itself = {kind.name: kind for kind in model.repositories}
    return [
        _like(itself.get(one.name, kinds[number % len(kinds)]), one.name, commits_of(config, one))
        for number, one in enumerate(candidates(config))
    ]


def commits_of(config: Config, repository: Repository) -> int:
    """How many commits a walk has at most."""
    if repository.source is SourceKind.WORLDS:
        return len(load_world(config.sources.worlds_place / repository.name.partition("/")[2]).commits)
    for releases in config.sources.releases:
        if releases.coordinates.replace(":", "/") == repository.name:
            return len(releases.versions)
    return config.rules.walk.limit


def _like(kind: Measured, name: str, commits: int) -> PlannedRepository:
    return PlannedRepository(name, scaled(kind.units, commits))


@dataclass
class _Graph:
    model: CostModel
    config: Config
    processes: int
    factor: float
    start: float
    jobs: list[Job] = field(default_factory=list)
    bytes: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    files: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, rule: str, work: float, needs: Sequence[int]) -> int:
        """A job, `work` in processor seconds."""
        cores = 1 if rule in SMALL else self.processes
        speed = cores / (1 + LOSS_PER_PROCESS * (cores - 1))
        self.jobs.append(Job(rule, self.start + work / speed, cores, tuple(sorted(set(needs)))))
        return len(self.jobs) - 1

    def stage(self, stage: str, units: Mapping[str, float], needs: Sequence[int], parts: int = 0) -> int:
        """The jobs of a stage on one repository: its shards, if any, and the job that all others wait for."""
        model = self.model.stages[stage]
        fixed, work = model.seconds.fixed, model.seconds.work(units) * self.factor
        self.bytes[stage] += model.bytes.fixed + model.bytes.work(units) * self.factor
        self.files[stage] += model.files.fixed + model.files.work(units) * self.factor
        if not parts:
            return self.add(stage, fixed + work, needs)
        shards = [self.add(f"{stage}_shard", fixed + work / parts, needs) for _ in range(parts)]
        return self.add(stage, fixed, [*needs, *shards])


def plan(
    model: CostModel,
    config: Config,
    repositories: Sequence[PlannedRepository],
    *,
    factor: float = 1.0,
    shard_minutes: float | None = None,
    processes: int | None = None,
    start_seconds: float = START_SECONDS,
) -> Plan:
    """All jobs of a snapshot, graded and aggregated.

    Args:
        factor: how many times the time and space of a measured repository each commit takes.
        shard_minutes: `machine.shard_minutes`; None: one job per stage and repository.
        processes: of each job; those of the configuration on a cluster when None.
        start_seconds: of each job, before its work begins.
    """
    count = processes or processes_of(config, jobs=len(repositories), cores=None)
    graph = _Graph(model, config, count, factor, start_seconds)
    whole = SECONDS_PER_REPOSITORY * len(repositories)
    search = graph.add("search", 0.0, ())
    clones = [graph.stage("clone", one.units, ()) for one in repositories]
    lock = [graph.add("commit_lock", 0.0, clones)] if shard_minutes else []
    measured = [
        _mined(graph, one.units, clone, lock, shard_minutes) for one, clone in zip(repositories, clones, strict=True)
    ]
    package = graph.add("package", whole, [search, *measured])
    _graded(graph, repositories, package, whole)
    for kind in (graph.bytes, graph.files):
        kind["package"] = kind["package_repository"]  # the dataset holds what the repositories' folders hold
    commits = sum(one.units["kept"] for one in repositories) * factor
    return Plan(
        repositories=tuple(repositories),
        stages=tuple(_stage_plans(graph)),
        jobs=tuple(graph.jobs),
        cache_bytes=commits * model.cache_bytes_per_commit,
        cache_files=commits * model.cache_files_per_commit,
    )


def _mined(graph: _Graph, units: Mapping[str, float], clone: int, lock: list[int], shard_minutes: float | None) -> int:
    """All jobs of one repository after its clone; the last of them."""
    built = ceil(units["kept"])
    work = Estimate(built, graph.model.sharded_seconds(built, units[SIZE]) * graph.factor)
    parts = len(shards_of(work, shard_minutes))
    last = clone
    for stage in MINED[1:]:
        sharded = stage in SHARDED
        last = graph.stage(stage, units, [last, *(lock if sharded else ())], parts if sharded else 0)
    return last


def _graded(graph: _Graph, repositories: Sequence[PlannedRepository], package: int, whole: float) -> None:
    """The jobs after the dataset: grades of all systems, reports, validation, tables."""
    model, graded = graph.model, list[int]()
    cost = model.stages["evaluate"].seconds
    for _ in systems_of(graph.config.evaluation):
        by_system = []
        for one in repositories:
            work = cost.fixed + cost.work(one.units) * graph.factor
            by_system.append(graph.add("evaluate_repository", work, [package]))
            grades = one.units["tasks"] * graph.factor
            graph.bytes["evaluate_repository"] += grades * model.grading_bytes_per_grade
            graph.files["evaluate_repository"] += grades * model.grading_files_per_grade
        graph.add("swe_bench_report", whole, by_system)
        graded += by_system
    validation = graph.add("validation", whole, graded)
    graph.add("validate", 0.0, [validation])
    graph.add("aggregate", whole, graded)


def _stage_plans(graph: _Graph) -> list[StagePlan]:
    memory = memory_of(graph.config, graph.processes)
    plans = []
    for rule in dict.fromkeys(job.stage for job in graph.jobs):
        jobs = [job for job in graph.jobs if job.stage == rule]
        plans.append(
            StagePlan(
                stage=rule,
                seconds=tuple(job.seconds for job in jobs),
                cores=jobs[0].cores,
                memory_mb=SMALL_JOB_MB if rule in SMALL else memory,
                bytes=graph.bytes[rule],
                files=graph.files[rule],
            )
        )
    return sorted(plans, key=lambda plan: ORDER.index(plan.stage))


MINED = tuple(stage for stage in UNITS_OF if stage != "evaluate")
"""The stages of one repository, in order."""
ORDER = (
    "search",
    "clone",
    "commit_lock",
    *(rule for stage in MINED[1:] for rule in ((f"{stage}_shard", stage) if stage in SHARDED else (stage,))),
    "package",
    "evaluate_repository",
    "swe_bench_report",
    "validation",
    "validate",
    "aggregate",
)
"""Rules as they are listed."""
