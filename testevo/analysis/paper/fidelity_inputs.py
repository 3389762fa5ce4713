"""Read what the comparison with released tasks needs: released task files, and the records of a snapshot."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from testevo.analysis.paper.fidelity import ComparedTask, MinedRepository
from testevo.analysis.paper.released import TRACKS
from testevo.config.resolved import read_resolved
from testevo.config.rules import PairRules
from testevo.config.snapshot.layout import Layout, RepositoryFiles
from testevo.config.snapshot.predecessor import noted_tools
from testevo.config.snapshot.stage_failures import LAST, RULES
from testevo.records.base import read_records, records_so_far
from testevo.records.changes import CommitPair
from testevo.records.evidence.certificates import Certificate
from testevo.records.failures import StageFailure
from testevo.records.labels import Label
from testevo.records.repository import Commit, Repository
from testevo.records.tasks import Task
from testevo.records.verdicts import BuildVerdict, SuiteVerdict
from testevo.runtime.errors import UsageError, UserError
from testevo.runtime.files.json_and_yaml import parsed_json
from testevo.runtime.stopwatch import Profile, read_profile


@dataclass(frozen=True)
class ReleasedRepository:
    """A released task file."""

    name: str
    """`owner/name`."""
    start: str
    """The tag or branch that its walk began at."""
    jdk: int
    tasks: tuple[ComparedTask, ...]
    """In the order of their ids."""


def read_released(folder: Path) -> dict[str, ReleasedRepository]:
    """Released repositories by name in lower case, in the order of their files.

    Raises:
        UserError: the folder holds no task file, or one is malformed.
    """
    files = sorted(folder.glob("*.json"))
    if not files:
        raise UsageError(f"{folder} holds no *.json file. Give the folder of the released task files.")
    found: dict[str, ReleasedRepository] = {}
    for file in files:
        try:
            one = released_repository(parsed_json(file.read_bytes()))
            before = found.get(one.name.lower())
            found[one.name.lower()] = replace(one, tasks=before.tasks + one.tasks) if before else one
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UserError(
                f"{file} is not a released task file ({error!r}). Give a folder that holds no others."
            ) from error
    return found


def released_repository(document: dict[str, Any]) -> ReleasedRepository:
    name = repository_of(document)
    return ReleasedRepository(name, document["version"], document["java_version"], tuple(tasks_of(document)))


def repository_of(document: dict[str, Any]) -> str:
    """The last two parts of the web address; owners were renamed since, so it goes before the displayed name."""
    address: str = document.get("github_url") or document["display_name"]
    return "/".join(re.split("[/:]", address.rstrip("/").removesuffix(".git"))[-2:])


def tasks_of(document: dict[str, Any]) -> list[ComparedTask]:
    rows = [(track, row) for track, (name, _) in TRACKS.items() for row in document["tracks"][name]]
    return [
        ComparedTask(track, row["rev1"], row["rev2"], row["test_file"], frozenset(row["test_methods"]))
        for track, row in sorted(rows, key=lambda one: one[1]["task_id"])
    ]


def read_snapshot(folder: Path) -> list[MinedRepository]:
    """The records of every repository of a snapshot, by name.

    Raises:
        UsageError: the folder is not a snapshot.
    """
    layout = Layout(folder)
    if not layout.config.is_file() or not layout.repositories.is_file():
        raise UsageError(
            f"{folder} holds no config.json or no search/repositories.jsonl. Give the results folder of a snapshot, "
            f"such as results/<snapshot>."
        )
    rules, maven = read_resolved(layout.config).rules.pairs, maven_of(layout)
    names = sorted(read_records(layout.repositories, Repository), key=Repository.sort_key)
    return [read_repository(layout.of_repository(one.slug), one.name, rules, maven) for one in names]


def maven_of(layout: Layout) -> str:
    """The versions of Maven that worked on a snapshot, in the order of its runs; '' where none was noted."""
    versions = (parsed_json(line).get("maven") for line in noted_tools(layout))
    return ", ".join(dict.fromkeys(version for version in versions if version))


def read_repository(files: RepositoryFiles, name: str, rules: PairRules, maven: str = "") -> MinedRepository:
    profiles = profiles_of(files)
    return MinedRepository(
        name=name,
        rejection=rejection_of(files),
        rules=rules,
        maven=maven,
        commits=records_so_far(files.commits, Commit),
        builds=records_so_far(files.builds, BuildVerdict),
        suites=records_so_far(files.suites, SuiteVerdict),
        certificates=records_so_far(files.certificates, Certificate),
        pairs=records_so_far(files.pairs, CommitPair),
        labels=records_so_far(files.labels, Label),
        tasks=records_so_far(files.tasks, Task),
        wall_seconds=sum(profile.wall for profile in profiles),
        processor_seconds=sum(profile.processor for profile in profiles),
    )


def profiles_of(files: RepositoryFiles) -> list[Profile]:
    """Where the time of every stage went, as far as the repository came; shards are not added up."""
    found = (read_profile(files.profile(rule)) for rule in RULES)
    return [profile for profile in found if profile is not None]


def rejection_of(files: RepositoryFiles) -> str | None:
    """The stage that ended the repository, with its reason; None when it has been packaged."""
    for one in records_so_far(files.repository, Repository):
        if one.rejection is not None:
            return f"clone: {one.rejection.value}"
    for rule in RULES:
        if rule != LAST and (failures := records_so_far(files.failure(rule), StageFailure)):
            return f"{failures[0].stage}: stage_failed"
    stages = (
        ("clone", files.commits),
        ("build_check", files.suites),
        ("commit_pair", files.changes),
        ("instrument", files.calls),
        ("triple_execute", files.first_labels),
        ("refactoring_filter", files.refactorings),
        ("package", files.tasks),
    )
    return next((f"{stage}: not_finished" for stage, path in stages if not path.is_file()), None)
