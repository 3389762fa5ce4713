"""A dataset folder as its readers find it: checked before anything in it is believed."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from testevo.packaging.dataset.task_files import read_task_files, task_file_names
from testevo.records.base import read_records
from testevo.records.evidence.mutants import Mutant
from testevo.records.repository import Repository
from testevo.records.tasks import Task
from testevo.runtime.errors import UserError
from testevo.runtime.files.checksums import read_checksums
from testevo.runtime.files.files import file_digest
from testevo.runtime.files.json_and_yaml import parsed_json

SCHEMA_VERSION = 3
"""Of the folder. Raised whenever an earlier reader could misread what is written now."""
READABLE = (2, SCHEMA_VERSION)
CHECKSUMS = "checksums.sha256"
PROVENANCE = "provenance.json"
"""Differs from machine to machine, so that it is not a part of the checksums."""
_JDK = re.compile(r"jdk (\d{1,3})")
"""How it names one."""
DESCRIPTION = "snapshot.json"
DESCRIBED = {"preset", "rules", "config"}
"""The part of the description that grading needs."""
OF_KEYS = ("rules", "config", "versions")
"""Those whose values have keys of their own."""
REPOSITORIES = "repositories.jsonl"
MUTANTS = "mutants.jsonl"
HISTORIES = "histories"
READ_BY_ALL = (DESCRIPTION, REPOSITORIES, MUTANTS)


@dataclass(frozen=True)
class DatasetFolder:
    """The files of a dataset that this version understands; made by `open_dataset`."""

    folder: Path
    description: Mapping[str, Any]
    """The contents of `snapshot.json`: schema, preset, rules, configuration without paths of one machine, versions."""

    @property
    def schema(self) -> int:
        """One of `READABLE`."""
        return int(self.description["schema"])

    @cached_property
    def tasks(self) -> list[Task]:
        """The tasks of both tracks, sorted by id and track."""
        return sorted(read_tasks(self.folder, self.schema), key=Task.sort_key)

    @cached_property
    def repositories(self) -> dict[str, Repository]:
        """By `owner/name`, those without tasks too."""
        return {one.name: one for one in read_records(self.folder / REPOSITORIES, Repository)}

    @cached_property
    def mutants(self) -> dict[str, list[Mutant]]:
        """By task id; tasks without mutants have no entry."""
        by_task: dict[str, list[Mutant]] = defaultdict(list)
        for mutant in read_records(self.folder / MUTANTS, Mutant):
            by_task[mutant.task_id].append(mutant)
        return dict(by_task)

    @cached_property
    def jdks(self) -> tuple[int, ...]:
        """Feature versions of the JDKs that it was made with, sorted; none where it does not tell.

        Raises:
            UserError: what it tells cannot be read.
        """
        path = self.folder / PROVENANCE
        try:
            told = parsed_json(path.read_bytes()) if path.is_file() else {}
        except ValueError as error:
            raise UserError(f"{path} is no JSON ({error}). Fetch or package the dataset again.") from error
        if not isinstance(told, dict):
            raise UserError(f"{path} should hold names and versions. Fetch or package the dataset again.")
        return tuple(sorted(int(match[1]) for match in map(_JDK.fullmatch, told) if match))

    @property
    def slugs(self) -> list[str]:
        """The repositories that have tasks, sorted."""
        return sorted(file.stem for file in (self.folder / HISTORIES).glob("*.bundle"))

    def bundle(self, slug: str) -> Path:
        """Both ends of every task of a repository."""
        return self.folder / bundle_name(slug)

    def archive(self, task_id: str) -> Path:
        """Class files of the mutants of a task; there is none for a task without mutants."""
        return self.folder / archive_name(task_id)

    def verify(self, slug: str, tasks: Iterable[Task]) -> None:
        """Check the files that grading some tasks of a repository reads, against the checksums.

        Raises:
            UserError: one is missing or differs.
        """
        archives = [archive_name(task.task_id) for task in tasks if task.mutants]
        verify_dataset(self.folder, [*READ_BY_ALL, *task_file_names(self.schema), bundle_name(slug), *archives])


def bundle_name(slug: str) -> str:
    return f"{HISTORIES}/{slug}.bundle"


def archive_name(task_id: str) -> str:
    return f"mutants/{task_id}.zip"


def open_dataset(folder: Path) -> DatasetFolder:
    """The dataset of a folder, of a version in `READABLE`; its files are not compared with its checksums (see
    `verify_dataset`).

    Raises:
        UserError: no dataset, one that is not complete, or of another schema version; the message says what to do.
    """
    path = folder / DESCRIPTION
    try:
        description = parsed_json(path.read_bytes())
        version = description["schema"]
    except OSError as error:
        raise UserError(
            f"{folder} is not a dataset: {DESCRIPTION} cannot be read ({error.strerror}). "
            f"Name the folder package/dataset of a mined snapshot, or a copy of one."
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(
            f"{path} describes no dataset ({error}). Fetch the dataset again, or package it again."
        ) from error
    missing = sorted(DESCRIBED - description.keys())
    if version in READABLE and missing:
        raise UserError(f"{path} lacks {', '.join(missing)}. Fetch the dataset again, or package it again.")
    odd = [name for name in OF_KEYS if not isinstance(description.get(name, {}), dict)]
    if version in READABLE and odd:
        raise UserError(f"{path}: {', '.join(odd)} should hold keys and values. Fetch or package the dataset again.")
    if version not in READABLE:
        raise UserError(
            f"{folder} is a dataset of schema version {version}, this testevo reads {READABLE[0]} to {READABLE[-1]}. "
            f"Use the testevo that wrote it ({written_by(description)}), or package the dataset again."
        )
    require_complete(folder)
    return DatasetFolder(folder, description)


def require_complete(folder: Path) -> None:
    """Refuse a dataset whose writing, or copying, was interrupted: its checksums come last.

    Raises:
        UserError: it has none.
    """
    if not (folder / CHECKSUMS).is_file():
        raise UserError(
            f"{folder} is no complete dataset: {CHECKSUMS}, which is written last, is missing. "
            f"Let `testevo mine` come to its end, or copy the dataset again."
        )


def written_by(description: Mapping[str, Any]) -> str:
    versions = description.get("versions")
    return f"version {versions['testevo']}" if isinstance(versions, dict) and "testevo" in versions else "not recorded"


def read_tasks(folder: Path, schema: int = SCHEMA_VERSION) -> list[Task]:
    """The tasks of both tracks of a dataset folder, with their answers.

    Raises:
        UserError: a file is missing or holds something else, or one task twice.
    """
    tasks = read_task_files(folder, schema)
    # Tasks of several modules may share an id.
    times = Counter((task.task_id, task.track.value, task.module, task.test_file) for task in tasks)
    for (task_id, track, *_), count in times.items():
        if count > 1:
            raise UserError(
                f"{folder} holds the task {task_id} of track {track} twice. Fetch or package the dataset again."
            )
    return tasks


def verify_dataset(folder: Path, names: Collection[str] | None = None) -> None:
    """Check every file against the checksums, or only some of them by relative name.

    Raises:
        UserError: no checksums, or a file is missing or differs; the message names it.
    """
    require_complete(folder)
    listed = read_checksums(folder / CHECKSUMS)
    for name in sorted(listed if names is None else names):
        path, digest = folder / name, listed.get(name)
        if not path.is_file() or file_digest(path) != digest:
            raise UserError(f"{path} is missing or differs from {CHECKSUMS}. Fetch or package the dataset again.")
