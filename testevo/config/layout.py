"""Where the files of a snapshot lie: the one place that rules, stages and commands take their paths from.

    results/<snapshot>/
      config.json                            the resolved configuration
      lock                                   held while the workflow runs
      search/repositories.jsonl
      clone/<slug>/                          repository.jsonl, commits.jsonl, history.bundle
      build_check/<slug>/                    builds.jsonl, suites.jsonl
      commit_pair/<slug>/                    pairs.jsonl, changes.jsonl
      instrument/<slug>/                     calls.jsonl
      triple_execute/<slug>/                 executions.jsonl, labels.jsonl, joined_pairs.jsonl,
                                             joined_changes.jsonl, logs/
      refactoring_filter/<slug>/             refactorings.jsonl
      package/<slug>/                        labels.jsonl, tasks.jsonl, history.bundle
      package/dataset/                       the dataset
      journals/<stage>/<slug>.jsonl          undeclared: finished items of a stage, for resume
      progress/<stage>/<slug>.json           undeclared: for `testevo status`
      scratch/<slug>/                        undeclared: unpacked bundle, checkouts, class trees of swaps
      logs/<stage>/<slug>.log
"""

import os
from dataclasses import dataclass
from pathlib import Path

from testevo.config.model import Config

STAGES = ("clone", "build_check", "commit_pair", "instrument", "triple_execute", "refactoring_filter", "package")


@dataclass(frozen=True)
class RepositoryFiles:
    """The files of one repository; `slug` may be a workflow wildcard."""

    root: Path
    slug: str

    def _file(self, stage: str, name: str) -> Path:
        return self.root / stage / self.slug / name

    @property
    def repository(self) -> Path:
        return self._file("clone", "repository.jsonl")

    @property
    def commits(self) -> Path:
        return self._file("clone", "commits.jsonl")

    @property
    def bundle(self) -> Path:
        return self._file("clone", "history.bundle")

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
        """Folder with the output of every run (TEB-X04)."""
        return self._file("triple_execute", "logs")

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
    def scratch(self) -> Path:
        """Node-local when `TESTEVO_SCRATCH` names a folder."""
        local = os.environ.get("TESTEVO_SCRATCH")
        return (Path(local) / self.root.name if local else self.root / "scratch") / self.slug

    def journal(self, stage: str) -> Path:
        return self.root / "journals" / stage / f"{self.slug}.jsonl"

    def progress(self, stage: str) -> Path:
        return self.root / "progress" / stage / f"{self.slug}.json"

    def log(self, stage: str) -> Path:
        return self.root / "logs" / stage / f"{self.slug}.log"


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
    def repositories(self) -> Path:
        return self.root / "search" / "repositories.jsonl"

    @property
    def dataset(self) -> Path:
        return self.root / "package" / "dataset"

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
