"""Paths of the files of a snapshot: the table by which commands and working folders find what rules name.

The rules (`rules/*.smk`) state the paths of their inputs and outputs themselves; a test holds both together
(`tests/workflow/test_paths_of_rules.py`).
"""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from testevo.config.model import Config
from testevo.runtime.files.files import url_safe_name

STAGES = ("clone", "build_check", "commit_pair", "instrument", "triple_execute", "refactoring_filter", "package")
"""The stages that work on one repository, in order; `evaluate` and `aggregate` follow."""


STAGE_OF_RULE = {"prove_offline": "warm_up", "package_repository": "package", "measure_gold": "package"}
"""The folder of a rule's outputs, where it is not called after the rule."""


class Place:
    """A file or folder of a snapshot, relative to its root; `{slug}` and the like are attributes of its owner."""

    def __init__(self, pattern: str, *, declared: bool = True) -> None:
        """Describe it; `declared` says whether it is an output of a rule or holds outputs of one."""
        self.pattern = pattern
        self.declared = declared

    def __get__(self, owner: Any, kind: type | None = None) -> Path:
        return Path(owner.root / self.pattern.format_map(vars(owner)))


@dataclass(frozen=True)
class RepositoryFiles:
    """The files of one repository."""

    root: Path
    slug: str
    shard: str = ""
    """Part of its work (`testevo.config.machine.shards`) whose journal, progress, log and scratch folder these are."""

    repository = Place("clone/{slug}/repository.jsonl")
    commits = Place("clone/{slug}/commits.jsonl")
    bundle = Place("clone/{slug}/history.bundle")
    cutoff = Place("clone/{slug}/cutoff.json", declared=False)
    """How many commits lie on or after the cutoff; no stage reads it."""
    fetched = Place("warm_up/{slug}/fetched.jsonl")
    """Downloads that the builds of the repository need, by build fingerprint."""
    proofs = Place("warm_up/{slug}/proofs.jsonl")
    """How the same builds end without any network."""
    builds = Place("build_check/{slug}/builds.jsonl")
    suites = Place("build_check/{slug}/suites.jsonl")
    certificates = Place("build_check/{slug}/certificates.jsonl")
    """Of each way of building, whether `direct` was shown to end as Maven."""
    pairs = Place("commit_pair/{slug}/pairs.jsonl")
    changes = Place("commit_pair/{slug}/changes.jsonl")
    calls = Place("instrument/{slug}/calls.jsonl")
    executions = Place("triple_execute/{slug}/executions.jsonl")
    first_labels = Place("triple_execute/{slug}/labels.jsonl")
    """Labels before the refactoring filter."""
    joined_pairs = Place("triple_execute/{slug}/joined_pairs.jsonl")
    joined_changes = Place("triple_execute/{slug}/joined_changes.jsonl")
    runs = Place("triple_execute/{slug}/logs", declared=False)
    """Folder with the output of every run, while the stage runs (TEB-X04)."""
    packed_runs = Place("triple_execute/{slug}/logs.zip", declared=False)
    """The same as one file, when it is done."""
    refactorings = Place("refactoring_filter/{slug}/refactorings.jsonl")
    labels = Place("package/{slug}/labels.jsonl")
    """Final labels."""
    tasks = Place("package/{slug}/tasks.jsonl")
    task_history = Place("package/{slug}/history.bundle")
    """Both ends of every task."""
    measured = Place("package/{slug}/measured.jsonl")
    """Tasks with what was measured of their developer's tests."""
    mutants = Place("package/{slug}/mutants.jsonl")
    mutant_archives = Place("package/{slug}/mutants.zip")
    """One archive per task."""

    def failure(self, rule: str) -> Path:
        """Empty, or why the job of a rule or of one before it failed; beside the outputs of the rule."""
        return self.root / STAGE_OF_RULE.get(rule, rule) / self.slug / f"{rule}_failure.jsonl"

    @property
    def _part(self) -> str:
        return f"{self.slug}@{self.shard}" if self.shard else self.slug

    def of_shard(self, shard: str) -> "RepositoryFiles":
        """The files of a part of the work."""
        return replace(self, shard=shard)

    def finished_shard(self, stage: str) -> Path:
        """Written when a shard has done its part of a stage."""
        return self.root / "shards" / stage / f"{self._part}.json"

    def finished_shards(self, stage: str) -> list[Path]:
        """`finished_shard` of each shard that has ended, however the work was cut."""
        return sorted((self.root / "shards" / stage).glob(f"{self.slug}@*.json"))

    @property
    def scratch(self) -> Path:
        return scratch_of(self.root) / url_safe_name(self._part)

    def journal(self, stage: str) -> Path:
        return self.root / "journals" / stage / f"{self._part}.jsonl"

    def journals(self, stage: str) -> list[Path]:
        """The journals of the stage that are there: of the whole repository, and of shards however it was cut."""
        folder = self.root / "journals" / stage
        return [*folder.glob(f"{self.slug}.jsonl"), *sorted(folder.glob(f"{self.slug}@*.jsonl"))]

    def kept(self, stage: str) -> Path:
        """Folder beside a stage's journal, for finished work that is too large for a line."""
        return self.root / "journals" / stage / self.slug

    def progress(self, stage: str) -> Path:
        return self.root / "progress" / stage / f"{self._part}.json"

    def shards_progress(self, stage: str) -> list[Path]:
        """`progress` of each shard that has begun."""
        return sorted((self.root / "progress" / stage).glob(f"{self.slug}@*.json"))

    def profile(self, stage: str) -> Path:
        return self.root / "profile" / stage / f"{self._part}.jsonl"

    def log(self, stage: str) -> Path:
        return self.root / "logs" / stage / f"{self._part}.log"


@dataclass(frozen=True)
class SystemFiles:
    """The files of one system on the tasks of one repository."""

    root: Path
    system: str
    """Its folder: its name made safe for URLs."""
    slug: str

    runs = Place("solve/{system}/{slug}.jsonl")
    """Runs of a system that solves tasks."""
    findings = Place("solve/{system}/findings.csv")
    """What the scanner of trajectories found."""
    usage = Place("solve/{system}/usage.csv")
    """What the runs have used."""
    predictions = Place("solve/{system}/predictions.jsonl")
    """What the runs come down to, for grading."""
    graded = Place("evaluate/{system}/{slug}.jsonl")
    opinions = Place("second_opinion/{system}/{slug}.jsonl")
    """PIT's results for the tests that passed."""
    report = Place("evaluate/{system}/report.json")
    """Run report of the system over all repositories, in the shape of SWE-bench's."""
    instances = Place("evaluate/{system}/instances.json")
    """Instance reports of the system by task, in the same shape."""
    progress = Place("progress/evaluate/{slug}@{system}.json", declared=False)
    profile = Place("profile/evaluate/{slug}@{system}.jsonl", declared=False)
    made_from = Place("made_from/evaluate/{slug}@{system}", declared=False)
    """A key of what the grades were made from."""
    runs_made_from = Place("made_from/solve/{slug}@{system}", declared=False)
    """The same of the runs."""
    runs_journal = Place("journals/solve/{slug}@{system}.jsonl", declared=False)
    runs_progress = Place("progress/solve/{slug}@{system}.json", declared=False)
    trajectories = Place("solve/{system}/runs", declared=False)
    opinions_journal = Place("journals/second_opinion/{slug}@{system}.jsonl", declared=False)
    opinions_progress = Place("progress/second_opinion/{slug}@{system}.json", declared=False)

    @property
    def scratch(self) -> Path:
        """Of all repositories of the system; each has its own folder below."""
        return scratch_of(self.root) / "evaluate" / url_safe_name(self.system)


def scratch_of(root: Path) -> Path:
    """Below `TESTEVO_SCRATCH`, else below the folder that Slurm makes on the node for a job, else in the snapshot."""
    local = os.environ.get("TESTEVO_SCRATCH") or os.environ.get("SLURM_TMPDIR")
    return Path(local) / url_safe_name(root.name) if local else root / "scratch"


@dataclass(frozen=True)
class Layout:
    """The files of a snapshot."""

    root: Path

    config = Place("config.json", declared=False)
    jdks = Place("jdks.json", declared=False)
    """The JDKs that the run began with, where its jobs are on this machine and outside of containers."""
    tools = Place("tools.jsonl", declared=False)
    """The tools of each run of the snapshot (`config.predecessor`)."""
    repositories = Place("search/repositories.jsonl")
    found = Place("search/found.jsonl")
    """All that the search of GitHub found; empty where none is configured."""
    github_lock = Place("search/github.jsonl", declared=False)
    """The lock file of that search, unless the configuration names another place to commit it."""
    github_answers = Place("search/answers", declared=False)
    """Folder of GitHub's answers, as they came."""
    commit_lock = Place("clone/commit_lock.json")
    """How many commits of each repository are built; the jobs of a cluster are cut by it."""
    dataset = Place("package/dataset")
    pages = Place("package/pages")
    """Folder of HTML pages about the dataset; beside it, since they are not part of what is published."""
    evaluation = Place("evaluate", declared=False)
    """Folder of the stage `evaluate`; logs of runs lie below it, by content."""
    model_rate = Place("journals/solve/rate.json", declared=False)
    """When models were called last, for the rate that all runs share."""
    graded = Place("graded", declared=False)
    """Results by content; not declared by any rule, so that a killed run goes on."""
    validation = Place("validate")
    """Folder of what the control submissions say of the snapshot."""
    aggregate = Place("aggregate")
    """Folder of tables, figures and `report.json`."""
    site = Place("site")
    """Folder of the static site."""
    reproduction = Place("reproduction")
    """Folder of the paper's tables and figures, rebuilt from its released files."""

    @classmethod
    def of(cls, config: Config) -> "Layout":
        """The files of the snapshot of a configuration."""
        return cls(Path(config.results) / config.snapshot)

    def of_repository(self, slug: str) -> RepositoryFiles:
        return RepositoryFiles(self.root, slug)

    def of_system(self, system: str, slug: str) -> SystemFiles:
        return SystemFiles(self.root, system, slug)
