"""The dataset folder of a snapshot (TEB-D01, D02, D04, K03): equal inputs give equal bytes.

records/<owner>+<name>.jsonl   every judged candidate of a repository, dropped ones with their reason (`TestRecord`)
tasks/<track>.jsonl            the tasks of a track without their answers (`OpenTask`)
answers/<track>.jsonl          the developers' tests and what was proven of them (`Answer`)
negatives.jsonl                unchanged tests whose dependencies changed (`TestRecord`)
pairs.jsonl                    the same tasks by commit pair (`PairOfTasks`)
repositories.jsonl             where the tasks come from (`Repository`), without places of one machine
histories/<owner>+<name>.bundle  the files of both ends of every task (history/revision_bundle.py)
mutants.jsonl                  what tests are run against (`Mutant`)
mutants/<task id>.zip          their class files
data/index.json, data/repos/   the schema of the released site data
failures.jsonl                 repositories that made a stage fail (`StageFailure`); only where there are some
confusion.md                   embedded histories: mined against known labels
funnel.json                    what entered and left each stage, and why
snapshot.json                  schema version, configuration, rules, versions
datasheet.md                   what this is, for people
checksums.sha256               of all other files but provenance.json
provenance.json                versions of the tools that made it, which may differ where the dataset does not
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import testevo
from testevo.config.model import Config, Selection
from testevo.labels.reasons.funnel import check_funnel
from testevo.packaging.dataset.dataset_folder import (
    CHECKSUMS,
    DESCRIPTION,
    MUTANTS,
    PROVENANCE,
    REPOSITORIES,
    SCHEMA_VERSION,
)
from testevo.packaging.dataset.datasheet import datasheet
from testevo.packaging.dataset.grouping import public_address
from testevo.packaging.dataset.task_files import task_files
from testevo.packaging.exports.pair_export import tasks_by_pair
from testevo.packaging.exports.released_export import document_bytes, index_document, project_document
from testevo.records.base import Record
from testevo.records.evidence.mutants import Mutant
from testevo.records.executions import Combination, Execution
from testevo.records.failures import StageFailure
from testevo.records.labels import Dependency, DropReason, Label, LabelKind
from testevo.records.methods import ChangeKind, TestKey, TestKind
from testevo.records.repository import Repository
from testevo.records.tasks import FunnelStage, Task
from testevo.records.verdicts import Outcome
from testevo.runtime.files.checksums import checksum_lines, read_checksums
from testevo.runtime.files.files import write_atomically, write_pieces_atomically
from testevo.runtime.files.removal import remove_listed

MACHINE_KEYS: Mapping[str, tuple[str, ...]] = {
    "": ("results", "predecessor", "lock", "machine", "solving", "analysis", "reproduction"),
    "sources": ("worlds_folder", "mirror"),
    "build": ("java_homes", "preferred_jdks", "mirror", "offline", "cache"),
    "execution": ("sandbox", "container_engine", "container_image", "apptainer_image"),
    "evaluation": (
        *Selection.model_fields,
        "dataset",
        "predictions",
        "controls",
        "repair",
        "cost_cap",
        "second_opinion",
    ),
}
"""Settings of one machine or of one grading run, by section; they change no task and stay out of the dataset."""

_VARYING = (
    "failures.jsonl",
    "confusion.md",
    "update.jsonl",  # until schema version 2
    "generation.jsonl",
    "records/*.jsonl",
    "histories/*.bundle",
    "mutants/*.zip",
    "data/repos/*.json",
)
"""Files that a dataset of the same folder may have and another one not."""
Content = bytes | Path | Callable[[], Iterable[bytes]]
"""Of a file of the dataset: a path is copied; what is called makes it piece by piece."""


class TestRecord(Record):
    """A judged candidate: test method, commit pair, dependent methods, focal method, execution outcomes (TEB-D01)."""

    __test__ = False

    repository: str
    old_revision: str
    new_revision: str
    test: TestKey
    test_kind: TestKind
    change: ChangeKind
    label: LabelKind
    reason: DropReason | None
    detail: str | None
    dependencies: tuple[Dependency, ...]
    closure: tuple[Dependency, ...]
    focal: str | None
    outcomes: dict[str, tuple[Outcome, ...]]
    """By combination, one entry per repeat."""
    stable: bool | None

    def sort_key(self) -> tuple[object, ...]:
        return (self.repository, self.new_revision, self.old_revision, str(self.test))


@dataclass(frozen=True)
class Snapshot:
    """All that goes into a dataset folder."""

    config: Config
    repositories: Sequence[Repository]
    labels: Mapping[str, Iterable[Label]]
    """By slug of the repository; each is gone through several times."""
    executions: Mapping[str, Iterable[Execution]]
    tasks: Sequence[Task]
    funnel: Sequence[FunnelStage]
    provenance: Mapping[str, str | None] = field(default_factory=dict)
    """Versions of the tools that made it, by name; they decide no byte of other files."""
    confusion: str | None = None
    """The page that compares embedded histories with their known labels; None without them."""
    mutants: Sequence[Mutant] = ()
    served: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """Number of compiled commits by who served them, and why (`testevo.packaging.dataset.served`)."""
    failures: Sequence[StageFailure] = ()
    """Of repositories that made a stage fail; all else is without them."""
    files: Mapping[str, Content] = field(default_factory=dict)
    """Further files by relative name: bundles of histories, archives of mutants."""


def write_dataset(folder: Path, snapshot: Snapshot) -> None:
    """Write the dataset folder, its checksums at the end; files of an earlier one that are no longer part are removed.

    Raises:
        UserError: the funnel does not close.
        MachineError: the folder cannot be written.
    """
    check_funnel(snapshot.funnel)
    files = dataset_files(snapshot)
    remove_listed(folder, _listed(folder) - files.keys())
    (folder / CHECKSUMS).unlink(missing_ok=True)
    digests = {name: _write(folder / name, content) for name, content in files.items()}
    write_atomically(folder / PROVENANCE, _pretty(dict(sorted(snapshot.provenance.items()))))
    write_atomically(folder / CHECKSUMS, checksum_lines(digests).encode())


def _write(path: Path, content: Content) -> str:
    """Write a file, and tell its digest."""
    digest = hashlib.sha256()

    def pieces() -> Iterator[bytes]:
        for piece in _pieces(content):
            digest.update(piece)
            yield piece

    write_pieces_atomically(path, pieces())
    return digest.hexdigest()


def _pieces(content: Content) -> Iterable[bytes]:
    if isinstance(content, bytes):
        return (content,)
    return (content.read_bytes(),) if isinstance(content, Path) else content()


def dataset_files(snapshot: Snapshot) -> dict[str, Content]:
    """The content of the folder by relative path, without checksums and provenance."""
    files: dict[str, Content] = {
        DESCRIPTION: _pretty(snapshot_description(snapshot)),  # first: readers know what an interrupted one would be
        REPOSITORIES: _lines(public_record(repository) for repository in snapshot.repositories),
        MUTANTS: _lines(snapshot.mutants),
        "negatives.jsonl": partial(_negatives, snapshot),
        "pairs.jsonl": _lines(tasks_by_pair(snapshot.tasks)),
        "funnel.json": _pretty([stage.model_dump(mode="json") for stage in snapshot.funnel]),
        "datasheet.md": sheet_of(snapshot).encode(),
    }
    if snapshot.confusion is not None:
        files["confusion.md"] = snapshot.confusion.encode()
    if snapshot.failures:
        files["failures.jsonl"] = _lines(snapshot.failures)
    files |= {name: _lines(records) for name, records in task_files(snapshot.tasks).items()}
    for repository in snapshot.repositories:
        files[f"records/{repository.slug}.jsonl"] = partial(_records, snapshot, repository)
    return files | _released_files(snapshot) | dict(snapshot.files)


def _records(snapshot: Snapshot, repository: Repository) -> Iterator[bytes]:
    yield _lines(_judged(snapshot, repository))


def _negatives(snapshot: Snapshot) -> Iterator[bytes]:
    """By repository, which their order begins with, so that the records of only one are in memory."""
    for repository in sorted(snapshot.repositories, key=lambda one: one.name):
        yield _lines(one for one in _judged(snapshot, repository) if one.reason is DropReason.UNCHANGED)


def _judged(snapshot: Snapshot, repository: Repository) -> list[TestRecord]:
    slug = repository.slug
    return records_of_tests(snapshot.labels.get(slug, ()), snapshot.executions.get(slug, ()))


def sheet_of(snapshot: Snapshot) -> str:
    labels = chain.from_iterable(snapshot.labels.values())
    return datasheet(snapshot.config, snapshot.tasks, labels, snapshot.funnel, snapshot.repositories, snapshot.served)


def public_record(repository: Repository) -> Repository:
    """A repository as others may see it: a folder of this machine goes by the repository's name."""
    public = public_address(repository)
    detail = repository.detail and repository.detail.replace(repository.address, public)
    return repository.model_copy(update={"address": public, "detail": detail})


def _released_files(snapshot: Snapshot) -> dict[str, Content]:
    names = sorted({task.project_name for task in snapshot.tasks})
    documents = {name: project_document([t for t in snapshot.tasks if t.project_name == name]) for name in names}
    files: dict[str, Content] = {
        f"data/repos/{name}.json": document_bytes(document) for name, document in documents.items()
    }
    generated_at = f"{snapshot.config.rules.walk.cutoff}T00:00:00Z"
    return files | {"data/index.json": document_bytes(index_document(documents.values(), generated_at))}


def records_of_tests(labels: Iterable[Label], executions: Iterable[Execution]) -> list[TestRecord]:
    """Labels with the outcomes of their executions."""
    runs: dict[tuple[str, str, str, TestKey], dict[Combination, tuple[Outcome, ...]]] = {}
    for run in executions:
        key = (run.repository, run.old_revision, run.new_revision, run.test)
        runs.setdefault(key, {})[run.combination] = run.outcomes
    return [
        TestRecord(
            **{name: getattr(label, name) for name in TestRecord.model_fields if name not in ("focal", "outcomes")},
            focal=str(label.focal.method) if label.focal else None,
            outcomes={
                combination.value: outcomes
                for combination, outcomes in sorted(
                    runs.get((label.repository, label.old_revision, label.new_revision, label.test), {}).items()
                )
            },
        )
        for label in labels
    ]


def snapshot_description(snapshot: Snapshot) -> dict[str, Any]:
    """The configuration and the versions of tools, without paths of one machine."""
    config = without_machine_keys(snapshot.config.model_dump(mode="json"))
    rules = config.pop("rules")
    for repository in config["sources"]["repositories"]:
        repository.pop("address")
    for key in ("api", "lock", "names", "requests"):
        (config["sources"]["github"] or {}).pop(key, None)
    return {
        "schema": SCHEMA_VERSION,
        "snapshot": snapshot.config.snapshot,
        "preset": snapshot.config.preset,
        "rules": rules,
        "config": config,
        "versions": {"testevo": testevo.__version__},
    }


def without_machine_keys(config: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration without what only the user of a machine decides."""
    kept = {name: value for name, value in config.items() if name not in MACHINE_KEYS[""]}
    for section, keys in MACHINE_KEYS.items():
        if isinstance(given := kept.get(section), Mapping):
            kept[section] = {name: value for name, value in given.items() if name not in keys}
    return kept


def _listed(folder: Path) -> set[str]:
    """The files of an earlier dataset in the folder, also when its checksums have been deleted to make it again."""
    path = folder / CHECKSUMS
    found = {file.relative_to(folder).as_posix() for pattern in _VARYING for file in folder.glob(pattern)}
    return found | (set(read_checksums(path)) if path.is_file() else set())


def _lines(records: Iterable[Record]) -> bytes:
    ordered = sorted((record.sort_key(), record.line()) for record in records)
    return "".join(f"{line}\n" for _, line in ordered).encode()


def _pretty(value: object) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
