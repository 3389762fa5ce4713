"""A dataset folder as its readers find it: checked before anything in it is believed (complaint 20)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from testevo.ground.errors import UserError
from testevo.ground.files import file_digest
from testevo.records.base import read_records
from testevo.records.repository import Repository
from testevo.records.tasks import Task, Track

SCHEMA_VERSION = 2
"""Of the folder. Raised whenever an earlier reader could misread what is written now."""
CHECKSUMS = "checksums.sha256"
DESCRIPTION = "snapshot.json"
REPOSITORIES = "repositories.jsonl"


@dataclass(frozen=True)
class DatasetFolder:
    """The files of a dataset that this version understands; made by `open_dataset`."""

    folder: Path
    description: Mapping[str, Any]
    """What `snapshot.json` says: schema, preset, rules, configuration without places of one machine, versions."""

    @cached_property
    def tasks(self) -> list[Task]:
        """The tasks of both tracks, sorted by id and track."""
        return sorted(read_tasks(self.folder), key=Task.sort_key)

    @cached_property
    def repositories(self) -> dict[str, Repository]:
        """By `owner/name`, those without tasks too."""
        return {one.name: one for one in read_records(self.folder / REPOSITORIES, Repository)}

    def bundle(self, slug: str) -> Path:
        """Both ends of every task of a repository."""
        return self.folder / bundle_name(slug)


def bundle_name(slug: str) -> str:
    return f"histories/{slug}.bundle"


def open_dataset(folder: Path) -> DatasetFolder:
    """The dataset of a folder, of this version; its checksums are not looked at (see `verify_dataset`).

    Raises:
        UserError: no dataset, or one of another schema version; the message says what to do.
    """
    path = folder / DESCRIPTION
    try:
        description = json.loads(path.read_bytes())
        version = description["schema"]
    except OSError as error:
        raise UserError(
            f"{folder} is no dataset: {DESCRIPTION} cannot be read ({error.strerror}). "
            f"Name the folder package/dataset of a mined snapshot, or a copy of one."
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(
            f"{path} describes no dataset ({error}). Fetch the dataset again, or package it again.") from error
    if version != SCHEMA_VERSION:
        raise UserError(
            f"{folder} is a dataset of schema version {version}, this testevo reads version {SCHEMA_VERSION}. "
            f"Use the testevo that wrote it ({written_by(description)}), or package the dataset again."
        )
    return DatasetFolder(folder, description)


def written_by(description: Mapping[str, Any]) -> str:
    versions = description.get("versions")
    return f"version {versions['testevo']}" if isinstance(versions, dict) and "testevo" in versions else "not recorded"


def read_tasks(folder: Path) -> list[Task]:
    """The tasks of both tracks of a dataset folder.

    Raises:
        UserError: a file is missing or holds something else.
    """
    return [task for track in Track for task in read_records(folder / f"{track.value}.jsonl", Task)]


def verify_dataset(folder: Path) -> None:
    """Check every file against the checksums.

    Raises:
        UserError: no checksums, or a file is missing or differs; the message names it.
    """
    if not (folder / CHECKSUMS).is_file():
        raise UserError(f"{folder} is no dataset: {CHECKSUMS} is missing. Name a folder written by the stage package.")
    for line in (folder / CHECKSUMS).read_text(encoding="utf-8").splitlines():
        digest, _, name = line.partition("  ")
        path = folder / name
        if not path.is_file() or file_digest(path) != digest:
            raise UserError(f"{path} is missing or differs from {CHECKSUMS}. Fetch or package the dataset again.")
