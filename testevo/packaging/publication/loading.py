"""Read a published folder; needs none of the libraries that write one."""

from datetime import date
from pathlib import Path

from testevo.packaging.publication.rows import ANSWERS, TASKS
from testevo.records.base import R, read_records
from testevo.records.snapshots.publication import PublishedAnswer, PublishedTask, Subset
from testevo.records.tasks import Track
from testevo.runtime.errors import UserError
from testevo.runtime.files.json_and_yaml import parsed_json

SCHEMA_VERSION = 1
"""Of the published folder. Raised whenever an earlier reader could misread what is written now."""
DESCRIPTION = "publication.json"


def load(
    folder: str | Path,
    track: str | None = None,
    *,
    subset: str | None = None,
    since: date | None = None,
    until: date | None = None,
) -> list[PublishedTask]:
    """The tasks of a published folder, sorted by id; needs no network.

    Args:
        folder: written by `testevo publish`.
        track: `update` or `generation`; both if absent.
        subset: one of `subsets/*.json`.
        since, until: days (UTC): new revisions of `since` or later, and before `until`.

    Raises:
        UserError: no published folder, one of a newer testevo, or an unknown track or subset.
    """
    whole = _rows(Path(folder), TASKS, PublishedTask, track)
    chosen = set(_read_subset(Path(folder), subset).tasks) if subset is not None else None
    return [
        task
        for task in whole
        if (chosen is None or f"{task.track.value}/{task.task_id}" in chosen)
        and (since is None or date.fromisoformat(task.new_date) >= since)
        and (until is None or date.fromisoformat(task.new_date) < until)
    ]


def load_answers(folder: str | Path, track: str | None = None) -> list[PublishedAnswer]:
    """The developers' tests of a published folder; for grading, never for a system under test.

    Raises:
        UserError: as `load`.
    """
    return _rows(Path(folder), ANSWERS, PublishedAnswer, track)


def _rows(folder: Path, table: str, kind: type[R], track: str | None) -> list[R]:
    _require_readable(folder)
    tracks = [one.value for one in Track]
    if track is not None and track not in tracks:
        raise UserError(f"There is no track {track!r}. Give one of: {', '.join(tracks)}.")
    parts = [folder / table / f"{one}.jsonl" for one in tracks if track in (None, one)]
    return sorted((row for part in parts for row in read_records(part, kind)), key=lambda row: row.sort_key())


def _require_readable(folder: Path) -> None:
    try:
        version = parsed_json((folder / DESCRIPTION).read_bytes())["schema"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(
            f"{folder} is not a published dataset ({error}). Name a folder of `testevo publish`."
        ) from error
    if not isinstance(version, int) or version > SCHEMA_VERSION:
        raise UserError(
            f"{folder} has schema version {version}, this testevo reads versions up to {SCHEMA_VERSION}. "
            f"Install a newer testevo."
        )


def _read_subset(folder: Path, name: str) -> Subset:
    known = sorted(file.stem for file in (folder / "subsets").glob("*.json"))
    if name not in known:
        raise UserError(f"There is no subset {name!r}. Give one of: {', '.join(known)}.")
    return read_records(folder / "subsets" / f"{name}.json", Subset)[0]
