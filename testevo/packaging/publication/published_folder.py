"""The folder that is published, made from a dataset folder, and its loader."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

from testevo.packaging.dataset.dataset_folder import DatasetFolder, verify_dataset
from testevo.packaging.publication.answer_page import answer_page
from testevo.packaging.publication.card import dataset_card
from testevo.packaging.publication.croissant import croissant
from testevo.packaging.publication.parquet import parquet_bytes
from testevo.packaging.publication.rows import ANSWERS, TASKS, record_of, table_parts
from testevo.packaging.publication.subsets import subsets
from testevo.records.base import R, Record, read_records
from testevo.records.snapshots.publication import PublishedAnswer, PublishedTask, Subset
from testevo.records.tasks import Track
from testevo.runtime.errors import UserError
from testevo.runtime.files.checksums import checksum_lines
from testevo.runtime.files.files import canonical_json, write_atomically

SCHEMA_VERSION = 1
"""Of the published folder. Raised whenever an earlier reader could misread what is written now."""
DESCRIPTION = "publication.json"
CHECKSUMS = "checksums.sha256"


def publish(dataset: DatasetFolder, output: Path, after: Iterable[date] = ()) -> dict[str, bytes]:
    """Write the published folder; equal datasets give equal bytes.

    Args:
        after: days for which a subset of the younger tasks is named.

    Returns:
        Its files by relative name.

    Raises:
        UserError: the dataset differs from its checksums, or the folder holds something else.
    """
    verify_dataset(dataset.folder)
    if output.exists() and any(output.iterdir()) and not (output / DESCRIPTION).is_file():
        raise UserError(f"{output} is not empty and holds no published dataset. Name a new folder.")
    files = published_files(dataset, after)
    for old in _files_in(output) - files.keys():
        (output / old).unlink()
    for name, content in files.items():
        write_atomically(output / name, content)
    return files


def published_files(dataset: DatasetFolder, after: Iterable[date]) -> dict[str, bytes]:
    """All files by relative name."""
    config = dataset.description["config"]
    name, licence = f"testevo-{config['snapshot']}", config.get("licence")
    parts = table_parts(dataset.tasks, dataset.repositories)
    files = {f"{part}.jsonl": _json_lines(rows) for part, rows in parts.items()}
    files |= {f"{part}.parquet": parquet_bytes(record_of(part), rows) for part, rows in parts.items()}
    files |= {f"subsets/{one.name}.json": f"{one.line()}\n".encode() for one in subsets(dataset.tasks, after)}
    for task in dataset.tasks:
        page = answer_page(task, dataset.repositories.get(task.repository))
        files[f"{ANSWERS}/by_task/{task.track.value}/{task.task_id}.md"] = page.encode()
    datasheet = (dataset.folder / "datasheet.md").read_text(encoding="utf-8")
    files["README.md"] = dataset_card(name, licence, datasheet).encode()
    digests = {part: _digest(files[f"{part}.parquet"]) for part in parts}
    metadata = croissant(
        name, _summary(len(dataset.tasks)), f"{SCHEMA_VERSION}.0.0", _cutoff(dataset), licence, digests
    )
    files["croissant.json"] = json.dumps(metadata, indent=2).encode() + b"\n"
    described = {"schema": SCHEMA_VERSION, "snapshot": config["snapshot"], "versions": dataset.description["versions"]}
    files[DESCRIPTION] = canonical_json(described).encode() + b"\n"
    files[CHECKSUMS] = checksum_lines({each: _digest(content) for each, content in files.items()}).encode()
    return files


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
        since, until: first and last day (UTC) of the new revisions.

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
        and (until is None or date.fromisoformat(task.new_date) <= until)
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
        version = json.loads((folder / DESCRIPTION).read_bytes())["schema"]
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


def _files_in(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


def _json_lines(rows: Sequence[Record]) -> bytes:
    return "".join(f"{row.line()}\n" for row in rows).encode()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _summary(tasks: int) -> str:
    return f"{tasks} tasks of test evolution in Java/Maven projects, proven by execution."


def _cutoff(dataset: DatasetFolder) -> str:
    return str(dataset.description["rules"]["walk"]["cutoff"])
