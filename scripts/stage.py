"""The arguments that every stage of one repository has in common."""

import argparse
import sys
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from testevo.config.layout import Layout, RepositoryFiles
from testevo.config.load import rules_for
from testevo.config.model import Config
from testevo.config.resolved import read_resolved
from testevo.config.rules import Rules
from testevo.ground.processes import end_with_parent
from testevo.ground.stopwatch import start_profile
from testevo.records.base import read_records
from testevo.records.changes import CommitPair, MethodChange, PairRejection
from testevo.records.repository import Repository


@dataclass(frozen=True)
class Stage:
    """What a stage of one repository works with."""

    config: Config
    files: RepositoryFiles

    @cached_property
    def repository(self) -> Repository:
        """The repository as `clone` recorded it."""
        return read_records(self.files.repository, Repository)[0]

    @cached_property
    def rules(self) -> Rules:
        """The rules that apply to this repository."""
        return rules_for(self.config, self.repository.source)

    def joinable_pairs(self) -> list[CommitPair]:
        """Kept pairs and those outside the gap, in walk order: a join may cross the latter."""
        pairs = read_records(self.files.pairs, CommitPair)
        return [pair for pair in pairs if pair.rejection in (None, PairRejection.OUTSIDE_GAP)]

    def changes_of_pairs(self) -> dict[tuple[str, str], list[MethodChange]]:
        """The changes of compared pairs by (old revision, new revision)."""
        changes_of: dict[tuple[str, str], list[MethodChange]] = defaultdict(list)
        for change in read_records(self.files.changes, MethodChange):
            changes_of[change.old_revision, change.new_revision].append(change)
        return changes_of


def stage_arguments(description: str | None) -> Stage:
    """Read the command line; from here on the stage ends with the workflow that started it."""
    end_with_parent()
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--config", type=Path, required=True, help="resolved configuration of the snapshot")
    parser.add_argument("--repository", required=True, help="slug of the repository: owner+name")
    options = parser.parse_args()
    config = read_resolved(options.config)
    files = Layout.of(config).of_repository(options.repository)
    start_profile(files.profile(Path(sys.argv[0]).stem))
    return Stage(config, files)
