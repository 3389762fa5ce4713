"""The released task files, one per repository: what the leaderboard and the index leave out of Tables 1 and 5."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from testevo.analysis.paper.released import TRACKS
from testevo.records.tasks import Track
from testevo.runtime.errors import UserError
from testevo.runtime.files.json_and_yaml import parsed_json

FOLDERS = ("repos", "released")
"""Where the files may lie below the folder of the index."""


@dataclass(frozen=True)
class ReleasedTask:
    """The fields of a task that Tables 1 and 5 need."""

    repository: str
    track: Track
    old_revision: str
    new_revision: str
    tests: int
    code_methods: int
    """Entries of its dependency list; overloads count one by one."""


def read_tasks(folder: Path, expected: int) -> tuple[ReleasedTask, ...] | None:
    """All released tasks; None unless the files of all repositories are there.

    Args:
        folder: the folder of the index.
        expected: number of tasks in the index.

    Raises:
        UserError: a file is malformed.
    """
    for name in FOLDERS:
        tasks = [task for file in sorted((folder / name).glob("*.json")) for task in tasks_of(file)]
        if len(tasks) == expected:
            return tuple(tasks)
    return None


def tasks_of(file: Path) -> Iterable[ReleasedTask]:
    try:
        document = parsed_json(file.read_bytes())
        return [
            ReleasedTask(
                document["display_name"],
                track,
                row["rev1"],
                row["rev2"],
                len(row["test_methods"]),
                len(row["dependency_methods"]),
            )
            for track, (name, _) in TRACKS.items()
            for row in document["tracks"][name]
        ]
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(
            f"{file} is not a released task file ({error!r}). Clone the public repository again."
        ) from error
