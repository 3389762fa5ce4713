"""Read the records of a snapshot so far, and explain a snapshot with few tasks or none."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from testevo.config.load import rules_for
from testevo.config.model import Config
from testevo.config.snapshot.layout import Layout, RepositoryFiles
from testevo.labels.reasons.explanation import FEW_TASKS, Mined, explanation_lines
from testevo.packaging.dataset.served import UNCOMPARED, served
from testevo.records.base import Record, records_so_far
from testevo.records.changes import CommitPair
from testevo.records.evidence.certificates import Certificate
from testevo.records.labels import Label
from testevo.records.repository import Commit, Repository
from testevo.records.tasks import Task
from testevo.records.verdicts import BuildVerdict, SuiteVerdict
from testevo.sources.candidates import candidates

R = TypeVar("R", bound=Record)

_REASONS_SHOWN = 5


def why_few(config: Config, layout: Layout) -> list[str]:
    """The explanation of a snapshot that is packaged, or of which all repositories were rejected; no line when it has
    tasks enough."""
    files = files_of(config, layout)
    if not (layout.dataset / "funnel.json").is_file():
        rejected = [one for one in every(files, lambda one: one.repository, Repository) if one.rejection]
        if not rejected or len(rejected) < len(files):
            return []
    tasks = len(every(files, lambda one: one.tasks, Task))
    return explanation_lines(read_mined(config, files), tasks) if tasks < FEW_TASKS else []


def served_lines(config: Config, files: Sequence[RepositoryFiles]) -> list[str]:
    """The share of the compiled commits that the configured engine served, whether that is certified, and why Maven
    did the rest."""
    builds = every(files, lambda one: one.builds, BuildVerdict)
    found = served(builds, every(files, lambda one: one.certificates, Certificate))
    compiled = found.total()
    if not compiled:
        return []
    own = sum(count for (who, _), count in found.items() if not who.startswith("by "))
    whole = f"Engine {config.build.engine}: {own} of {compiled} commits ({own / compiled:.0%})"
    told = sorted((item for item in found.items() if item[0][0] != UNCOMPARED), key=lambda item: (-item[1], item[0]))
    lines = [
        f"  {who}: {count} of {compiled}{reason and f', {reason}'}" for (who, reason), count in told[:_REASONS_SHOWN]
    ]
    if len(told) > _REASONS_SHOWN:
        others = sum(count for _, count in told[_REASONS_SHOWN:])
        lines.append(f"  other reasons: {others} of {compiled} (`testevo builds`)")
    return [whole, *lines]


def files_of(config: Config, layout: Layout) -> list[RepositoryFiles]:
    """The files of each configured repository, in the order of the configuration."""
    return [layout.of_repository(one.slug) for one in candidates(config)]


def read_mined(config: Config, files: Sequence[RepositoryFiles]) -> Mined:
    """The records of some repositories, as far as their stages have come."""
    repositories = every(files, lambda one: one.repository, Repository)
    return replace(
        read_commits(files),
        repositories=repositories,
        pairs=every(files, lambda one: one.pairs, CommitPair),
        labels=every(files, lambda one: one.labels, Label),
        pair_rules={one.name: rules_for(config, one.source).pairs for one in repositories},
    )


def read_commits(files: Sequence[RepositoryFiles]) -> Mined:
    """The same of commits, builds and suites alone."""
    return Mined(
        commits=every(files, lambda one: one.commits, Commit),
        builds=every(files, lambda one: one.builds, BuildVerdict),
        suites=every(files, lambda one: one.suites, SuiteVerdict),
    )


def every(files: Sequence[RepositoryFiles], name: Callable[[RepositoryFiles], Path], kind: type[R]) -> list[R]:
    """One kind of records of some repositories; files that are not there yet count as empty."""
    return [record for one in files for record in records_so_far(name(one), kind)]
