"""The folder that is published, made from a dataset folder; `loading` reads it."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from datetime import date
from pathlib import Path

from testevo.packaging.dataset.dataset_folder import CHECKSUMS, DatasetFolder, verify_dataset
from testevo.packaging.publication.answer_page import answer_page
from testevo.packaging.publication.card import dataset_card
from testevo.packaging.publication.croissant import croissant
from testevo.packaging.publication.loading import DESCRIPTION, SCHEMA_VERSION
from testevo.packaging.publication.parquet import parquet_bytes
from testevo.packaging.publication.rows import ANSWERS, record_of, table_parts
from testevo.packaging.publication.subsets import subsets
from testevo.records.base import Record
from testevo.records.tasks import Task, Track
from testevo.runtime.errors import UserError
from testevo.runtime.files.checksums import begun_checksums, checksum_lines, checksums_at_the_end
from testevo.runtime.files.files import canonical_json, content_key, write_atomically


def publish(dataset: DatasetFolder, output: Path, after: Iterable[date] = ()) -> dict[str, bytes]:
    """Write the published folder; equal datasets give equal bytes. Of an earlier one's files, those without a place in
    this one are removed; all others stay, such as those of git.

    Args:
        after: days for which a subset of the younger tasks is named.

    Returns:
        Its files by relative name.

    Raises:
        UserError: the dataset differs from its checksums, or the folder holds something else.
    """
    verify_dataset(dataset.folder)
    if output.exists() and not output.is_dir():
        raise UserError(f"{output} is not a folder. Name a new one.")
    described, checksums = output / DESCRIPTION, output / CHECKSUMS
    known = described.is_file() or begun_checksums(checksums).is_file()
    if output.exists() and any(output.iterdir()) and not known:
        raise UserError(f"{output} is not empty and holds no published dataset. Name a new folder.")
    files = published_files(dataset, after)
    with checksums_at_the_end(checksums, files[CHECKSUMS]):
        described.unlink(missing_ok=True)
        for name in [one for one in files if one not in (CHECKSUMS, DESCRIPTION)]:
            write_atomically(output / name, files[name])
        write_atomically(described, files[DESCRIPTION])  # without it nobody loads the folder
    return files


def published_files(dataset: DatasetFolder, after: Iterable[date]) -> dict[str, bytes]:
    """All files by relative name."""
    config = dataset.description["config"]
    name, licence = f"testevo-{config['snapshot']}", config.get("licence")
    parts = table_parts(dataset.tasks, dataset.repositories)
    files = {f"{part}.jsonl": _json_lines(rows) for part, rows in parts.items()}
    files |= {f"{part}.parquet": parquet_bytes(record_of(part), rows) for part, rows in parts.items()}
    files |= {f"subsets/{one.name}.json": f"{one.line()}\n".encode() for one in subsets(dataset.tasks, after)}
    times = Counter((task.track, task.task_id) for task in dataset.tasks)
    shared = {key for key, count in times.items() if count > 1}
    for task in dataset.tasks:
        page = answer_page(task, dataset.repositories.get(task.repository))
        files[f"{ANSWERS}/by_task/{task.track.value}/{_page_name(task, shared)}.md"] = page.encode()
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


def _page_name(task: Task, shared: Set[tuple[Track, str]]) -> str:
    """The id; where tasks of several modules share it, with a digest of the test file behind it."""
    if (task.track, task.task_id) not in shared:
        return task.task_id
    return f"{task.task_id}__{content_key(task.test_file)[:8]}"


def _json_lines(rows: Sequence[Record]) -> bytes:
    return "".join(f"{row.line()}\n" for row in rows).encode()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _summary(tasks: int) -> str:
    return f"{tasks} tasks of test evolution in Java/Maven projects, proven by execution."


def _cutoff(dataset: DatasetFolder) -> str:
    return str(dataset.description["rules"]["walk"]["cutoff"])
