"""Paths of the files of a snapshot: the one place that rules, stages and commands take them from.

results/<snapshot>/
  config.json                            the resolved configuration
  lock                                   held while the workflow runs
  jdks.json                              undeclared: the JDKs that the last run began with
  search/repositories.jsonl
  <stage>/<slug>/<rule>_failure.jsonl    empty, or why this or an earlier job of the repository failed
  clone/<slug>/                          repository.jsonl, commits.jsonl, history.bundle; undeclared: cutoff.json
  clone/commit_lock.json                 commits to build and estimated work, for shards
  warm_up/<slug>/                        fetched.jsonl, proofs.jsonl: the online half (docs/clusters.md)
  build_check/<slug>/                    builds.jsonl, suites.jsonl
  commit_pair/<slug>/                    pairs.jsonl, changes.jsonl
  instrument/<slug>/                     calls.jsonl
  triple_execute/<slug>/                 executions.jsonl, labels.jsonl, joined_pairs.jsonl,
                                         joined_changes.jsonl; undeclared: logs.zip
  refactoring_filter/<slug>/             refactorings.jsonl
  package/<slug>/                        labels.jsonl, tasks.jsonl, history.bundle; measured.jsonl, mutants.jsonl,
                                         mutants.zip
  package/dataset/                       the dataset
  package/pages/                         the snapshot as HTML for people
  evaluate/<system>/                     <slug>.jsonl, report.json, instances.json
  evaluate/logs/                         undeclared: output of every run
  second_opinion/<system>/<slug>.jsonl   what PIT says, when it is asked
  validate/                              tasks.csv, tasks.md, sabotage.csv, sabotage.md, verdict.json,
                                         controls.html
  aggregate/                             tables/, figures/, tables.html, report.json
  reproduction/                          tables/, figures/, differences.json
  graded/                                undeclared: results by content, shared by all systems and runs
  shards/<stage>/<slug>@<shard>.json     a part of a stage is done; its journal, progress, profile, scratch folder
                                         and log are named `<slug>@<shard>` too
  journals/<stage>/<slug>.jsonl          undeclared: finished items of a stage, for resume; large ones lie beside it
  progress/<stage>/<slug>.json           undeclared: for `testevo status`
  profile/<stage>/<slug>.jsonl           undeclared: where the time went, for `testevo status --profile`
  scratch/<slug>/                        undeclared: unpacked bundle, checkouts, class trees of swaps; those of
                                         grading below scratch/evaluate/<system>/
  logs/<stage>/<slug>.log
"""

import os
from dataclasses import dataclass, replace
from pathlib import Path

from testevo.config.model import Config

STAGES = ("clone", "build_check", "commit_pair", "instrument", "triple_execute", "refactoring_filter", "package")
"""The stages that work on one repository, in order; `evaluate` and `aggregate` follow."""


STAGE_OF_RULE = {"prove_offline": "warm_up", "package_repository": "package", "measure_gold": "package"}
"""The folder of a rule's outputs, where it is not called after the rule."""


@dataclass(frozen=True)
class RepositoryFiles:
    """The files of one repository; `slug` and `shard` may be workflow wildcards."""

    root: Path
    slug: str
    shard: str = ""
    """Part of the repository's work (`config.shards`) whose journal, progress, log and scratch folder these are."""

    @property
    def _part(self) -> str:
        return f"{self.slug}@{self.shard}" if self.shard else self.slug

    def of_shard(self, shard: str) -> "RepositoryFiles":
        """The files of a part of the work."""
        return replace(self, shard=shard)

    def finished_shard(self, stage: str) -> Path:
        """Written when a shard has done its part of a stage."""
        return self.root / "shards" / stage / f"{self._part}.json"

    def _file(self, stage: str, name: str) -> Path:
        return self.root / stage / self.slug / name

    def finished_shards(self, stage: str) -> list[Path]:
        """What `finished_shard` is of each shard that has ended, however the work was cut."""
        return sorted((self.root / "shards" / stage).glob(f"{self.slug}@*.json"))

    def failure(self, rule: str) -> Path:
        """Empty, or why the job of a rule or of one before it failed; beside the outputs of the rule."""
        return self._file(STAGE_OF_RULE.get(rule, rule), f"{rule}_failure.jsonl")

    @property
    def repository(self) -> Path:
        return self._file("clone", "repository.jsonl")

    @property
    def commits(self) -> Path:
        return self._file("clone", "commits.jsonl")

    @property
    def cutoff(self) -> Path:
        """How many commits lie on or after the cutoff; no stage reads it."""
        return self._file("clone", "cutoff.json")

    @property
    def bundle(self) -> Path:
        return self._file("clone", "history.bundle")

    @property
    def fetched(self) -> Path:
        """What the builds of the repository need of the network, by build fingerprint."""
        return self._file("warm_up", "fetched.jsonl")

    @property
    def proofs(self) -> Path:
        """How the same builds end without any network."""
        return self._file("warm_up", "proofs.jsonl")

    @property
    def builds(self) -> Path:
        return self._file("build_check", "builds.jsonl")

    @property
    def suites(self) -> Path:
        return self._file("build_check", "suites.jsonl")

    @property
    def pairs(self) -> Path:
        return self._file("commit_pair", "pairs.jsonl")

    @property
    def changes(self) -> Path:
        return self._file("commit_pair", "changes.jsonl")

    @property
    def calls(self) -> Path:
        return self._file("instrument", "calls.jsonl")

    @property
    def executions(self) -> Path:
        return self._file("triple_execute", "executions.jsonl")

    @property
    def first_labels(self) -> Path:
        """Labels before the refactoring filter."""
        return self._file("triple_execute", "labels.jsonl")

    @property
    def joined_pairs(self) -> Path:
        return self._file("triple_execute", "joined_pairs.jsonl")

    @property
    def joined_changes(self) -> Path:
        return self._file("triple_execute", "joined_changes.jsonl")

    @property
    def runs(self) -> Path:
        """Folder with the output of every run, while the stage runs (TEB-X04)."""
        return self._file("triple_execute", "logs")

    @property
    def packed_runs(self) -> Path:
        """The same as one file, when it is done."""
        return self._file("triple_execute", "logs.zip")

    @property
    def refactorings(self) -> Path:
        return self._file("refactoring_filter", "refactorings.jsonl")

    @property
    def labels(self) -> Path:
        """Final labels."""
        return self._file("package", "labels.jsonl")

    @property
    def tasks(self) -> Path:
        return self._file("package", "tasks.jsonl")

    @property
    def task_history(self) -> Path:
        """Both ends of every task."""
        return self._file("package", "history.bundle")

    @property
    def measured(self) -> Path:
        """Tasks with what was measured of their developer's tests."""
        return self._file("package", "measured.jsonl")

    @property
    def mutants(self) -> Path:
        return self._file("package", "mutants.jsonl")

    @property
    def mutant_archives(self) -> Path:
        """One archive per task."""
        return self._file("package", "mutants.zip")

    @property
    def scratch(self) -> Path:
        return scratch_of(self.root) / self._part

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
        """What `progress` is of each shard that has begun."""
        return sorted((self.root / "progress" / stage).glob(f"{self.slug}@*.json"))

    def profile(self, stage: str) -> Path:
        return self.root / "profile" / stage / f"{self._part}.jsonl"

    def log(self, stage: str) -> Path:
        return self.root / "logs" / stage / f"{self._part}.log"


@dataclass(frozen=True)
class SystemFiles:
    """The files of one system on the tasks of one repository; both may be workflow wildcards."""

    root: Path
    system: str
    """Its folder (`config.systems.folder_of`)."""
    slug: str

    @property
    def graded(self) -> Path:
        return self.root / "evaluate" / self.system / f"{self.slug}.jsonl"

    @property
    def progress(self) -> Path:
        return self.root / "progress" / "evaluate" / f"{self.slug}@{self.system}.json"

    @property
    def profile(self) -> Path:
        return self.root / "profile" / "evaluate" / f"{self.slug}@{self.system}.jsonl"

    @property
    def log(self) -> Path:
        return self.root / "logs" / "evaluate" / self.system / f"{self.slug}.log"

    @property
    def opinions(self) -> Path:
        """What PIT says of the tests that passed."""
        return self.root / "second_opinion" / self.system / f"{self.slug}.jsonl"

    @property
    def opinions_journal(self) -> Path:
        return self.root / "journals" / "second_opinion" / f"{self.slug}@{self.system}.jsonl"

    @property
    def opinions_progress(self) -> Path:
        return self.root / "progress" / "second_opinion" / f"{self.slug}@{self.system}.json"

    @property
    def opinions_log(self) -> Path:
        return self.root / "logs" / "second_opinion" / self.system / f"{self.slug}.log"

    @property
    def report(self) -> Path:
        """Run report of the system over all repositories, in the shape of SWE-bench's."""
        return self.root / "evaluate" / self.system / "report.json"

    @property
    def instances(self) -> Path:
        """Instance reports of the system by task, in the same shape."""
        return self.root / "evaluate" / self.system / "instances.json"

    @property
    def scratch(self) -> Path:
        """Of all repositories of the system; each has its own folder below."""
        return scratch_of(self.root) / "evaluate" / self.system


def scratch_of(root: Path) -> Path:
    """Below `TESTEVO_SCRATCH`, else below the folder that Slurm makes on the node for a job, else in the snapshot."""
    local = os.environ.get("TESTEVO_SCRATCH") or os.environ.get("SLURM_TMPDIR")
    return Path(local) / root.name if local else root / "scratch"


@dataclass(frozen=True)
class Layout:
    """The files of a snapshot."""

    root: Path

    @classmethod
    def of(cls, config: Config) -> "Layout":
        return cls(Path(config.results) / config.snapshot)

    @property
    def config(self) -> Path:
        return self.root / "config.json"

    @property
    def jdks(self) -> Path:
        """The JDKs that the run began with, where its jobs are on this machine and outside of containers."""
        return self.root / "jdks.json"

    @property
    def repositories(self) -> Path:
        return self.root / "search" / "repositories.jsonl"

    @property
    def commit_lock(self) -> Path:
        """How many commits of each repository are built; the jobs of a cluster are cut by it."""
        return self.root / "clone" / "commit_lock.json"

    @property
    def dataset(self) -> Path:
        return self.root / "package" / "dataset"

    @property
    def pages(self) -> Path:
        """Folder of HTML pages about the dataset; beside it, since they are not part of what is published."""
        return self.root / "package" / "pages"

    @property
    def evaluation(self) -> Path:
        """Folder of the stage `evaluate`; logs of runs lie below it, by content."""
        return self.root / "evaluate"

    @property
    def graded(self) -> Path:
        """Results by content; not declared by any rule, so that a killed run goes on."""
        return self.root / "graded"

    @property
    def validation(self) -> Path:
        """Folder of what the control submissions say of the snapshot."""
        return self.root / "validate"

    @property
    def aggregate(self) -> Path:
        """Folder of tables, figures and `report.json`."""
        return self.root / "aggregate"

    @property
    def reproduction(self) -> Path:
        """Folder of the paper's tables and figures, rebuilt from its released files."""
        return self.root / "reproduction"

    def of_repository(self, slug: str) -> RepositoryFiles:
        return RepositoryFiles(self.root, slug)

    def of_system(self, system: str, slug: str) -> SystemFiles:
        return SystemFiles(self.root, system, slug)
