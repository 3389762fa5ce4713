"""A dataset folder with two update tasks between two revisions of one file."""

import json
from pathlib import Path

from testevo.config.load import load_config
from testevo.history.git import GitRepository
from testevo.history.revision_bundle import bundle_of_revisions
from testevo.packaging.dataset.task_files import task_files
from testevo.packaging.dataset_writer import Snapshot, snapshot_description
from testevo.records.base import write_records
from testevo.records.repository import Repository, SourceKind
from testevo.records.tasks import Task
from testevo.runtime.files.checksums import checksum_lines
from testevo.runtime.files.files import file_digest
from testevo.sources.embedded.made_history import MadeCommit, MadeFile, make_history
from tests.unit.grading.prediction_factories import GOLD, ID, OLD, PATH, task


def small_dataset(place: Path) -> Path:
    """The folder `dataset` in a place, whose tasks are named `ID` and `ID0`."""
    trees = [{PATH: MadeFile(source.encode()), "pom.xml": MadeFile(b"<project/>")} for source in (OLD, GOLD)]
    commits = [MadeCommit("old", "old", 1, 1, (), trees[0]), MadeCommit("new", "new", 2, 2, ("old",), trees[1])]
    made = make_history(place / "origin.git", commits, {})
    revisions = {"old_revision": made.revisions["old"], "new_revision": made.revisions["new"]}
    folder = place / "dataset"
    (folder / "histories").mkdir(parents=True)
    bundle = bundle_of_revisions(GitRepository(made.folder), made.revisions.values())
    (folder / "histories" / "o+r.bundle").write_bytes(bundle)
    repository = Repository(name="o/r", source=SourceKind.LIST, address="o/r", start="new")
    (folder / "repositories.jsonl").write_text(repository.line() + "\n")
    tasks: list[Task] = [task(task_id=name).model_copy(update=revisions) for name in (ID, f"{ID}0")]
    for name, records in task_files(tasks).items():
        write_records(folder / name, records)
    snapshot = Snapshot(load_config({"snapshot": "small"}), (), {}, {}, (), ())
    (folder / "snapshot.json").write_text(json.dumps(snapshot_description(snapshot)))
    (folder / "mutants.jsonl").write_text("")
    seal(folder)
    return folder


def seal(folder: Path) -> None:
    """Write the checksums of a dataset, as of one that was packaged like this."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "checksums.sha256"]
    digests = {str(path.relative_to(folder)): file_digest(path) for path in files}
    (folder / "checksums.sha256").write_text(checksum_lines(digests))
