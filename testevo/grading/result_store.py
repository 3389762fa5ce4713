"""Grades by content: what was graded once, on equal inputs by equal tools, is not graded again.

A changed edit has another key whatever its system is called, and an unchanged one has the same. The
stored value knows no system and no costs; `testevo.grading.grader` puts those around it.
"""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from testevo.records.base import Part
from testevo.records.evaluation.grading import MethodResult
from testevo.records.evaluation.predictions import Defect
from testevo.runtime.files.files import canonical_json, content_key
from testevo.runtime.files.json_and_yaml import parsed_json
from testevo.runtime.files.whole_files import write_once


class StoredGrade(Part):
    """The grade of one edit of one task, as the store keeps it."""

    methods: tuple[MethodResult, ...]
    defects: tuple[Defect, ...] = ()
    """Defects of the edit that grading found, beyond those found by reading the prediction."""
    by_surefire: bool = False
    """Whether Surefire ran the tests, perhaps beside the launcher."""


@dataclass(frozen=True)
class StoredLogs:
    """Another store and where the logs of its runs are, below the folders of `log_folder`."""

    folder: Path
    logs: Path


class ResultStore:
    """A folder of grades, a file each, spread over sub-folders; safe for any number of writers.

    Args:
        folder: made when something is stored first.
        earlier: another store, whose grades are copied with their logs when they are asked for.
        logs: where those logs are copied to.
    """

    def __init__(self, folder: Path, earlier: StoredLogs | None = None, logs: Path | None = None) -> None:
        self.folder = folder
        self._earlier = earlier
        self._logs = logs

    def get(self, key: str) -> StoredGrade | None:
        """The grade stored under `key`. One that was damaged is removed and counts as missing.

        Raises:
            MachineError: a grade of the earlier store cannot be copied.
        """
        known = self._read(key)
        return self._taken_over(key) if known is None and self._earlier else known

    def _taken_over(self, key: str) -> StoredGrade | None:
        assert self._earlier is not None
        grade = ResultStore(self._earlier.folder)._read(key)
        if grade is None:
            return None
        logs = self._earlier.logs / log_folder(key)
        if self._logs is not None and logs.is_dir():
            shutil.copytree(logs, self._logs / log_folder(key), dirs_exist_ok=True)
        self.put(key, grade)
        return grade

    def _read(self, key: str) -> StoredGrade | None:
        path = self._path(key)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        grade = _opened(data, key)
        if grade is None:
            path.unlink(missing_ok=True)
        return grade

    def put(self, key: str, grade: StoredGrade) -> StoredGrade:
        """Keep a grade, unless another process has kept one meanwhile; the one that is kept.

        So systems that submit one flaky edit get one grade, also at the same time.

        Raises:
            MachineError: the folder cannot be written.
        """
        body = grade.model_dump(mode="json")
        line = canonical_json({"digest": _digest(key, body), "grade": body})
        written = write_once(self._path(key), f"{line}\n".encode())
        return grade if written else self.get(key) or self.put(key, grade)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def _digest(key: str, body: object) -> str:
    return content_key("grade", key, canonical_json(body))


def _opened(data: bytes, key: str) -> StoredGrade | None:
    try:
        entry = parsed_json(data)
        body = entry["grade"]
        return StoredGrade.model_validate(body) if entry["digest"] == _digest(key, body) else None
    except (ValueError, KeyError, TypeError, ValidationError):
        return None


def log_folder(key: str, *place: str) -> str:
    """Folder of the logs of a grade, or of one method of it, relative to the stage folder.

    Shared file systems dislike large folders.
    """
    return os.path.join("logs", key[:2], key, *place)  # noqa: PTH118 - a name in a record, not a path
