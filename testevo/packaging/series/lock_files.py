"""The lock files of a snapshot: enough to mine it again to the same bytes, and to tell what a later one changed.

repositories.jsonl  `LockedRepository`: head, licence and walk of each; pins what is mined
tools.jsonl         the tools of each run (`config.predecessor`)
tasks.jsonl         `LockedTask`: the tasks, and those of earlier snapshots that are no longer part
dataset.sha256      checksums of the dataset but for snapshot.json
"""

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from testevo.config.snapshot.layout import Layout, RepositoryFiles
from testevo.history.bundle import open_bundle
from testevo.history.walk import find_start
from testevo.packaging.dataset.expected_files import compared, differences
from testevo.packaging.dataset_writer import public_record
from testevo.records.base import read_records, records_so_far, write_records
from testevo.records.repository import Commit, Repository
from testevo.records.snapshots.snapshot import LockedRepository, LockedTask
from testevo.runtime.errors import UserError
from testevo.runtime.files.checksums import checksum_lines, read_checksums
from testevo.runtime.files.files import file_digest, write_atomically
from testevo.sources.pins import REPOSITORIES


@dataclass(frozen=True)
class LockFolder:
    """The lock files of one snapshot."""

    folder: Path

    @property
    def repositories(self) -> list[LockedRepository]:
        return records_so_far(self.folder / REPOSITORIES, LockedRepository)

    @property
    def tasks(self) -> list[LockedTask]:
        return records_so_far(self.folder / "tasks.jsonl", LockedTask)

    @property
    def tools(self) -> Path:
        return self.folder / "tools.jsonl"

    @property
    def dataset(self) -> Path:
        return self.folder / "dataset.sha256"

    @property
    def is_sealed(self) -> bool:
        """Whether the snapshot is mined, and its dataset known."""
        return self.dataset.is_file()

    def pin(self, layout: Layout, slugs: Iterable[str]) -> None:
        """Write the repositories as the stage `clone` found them."""
        found = [locked(layout.of_repository(slug)) for slug in slugs]
        write_records(self.folder / REPOSITORIES, found)

    def seal(self, layout: Layout, tasks: Iterable[LockedTask]) -> None:
        """Write what has been mined; a snapshot that is sealed does not change.

        Raises:
            UserError: it is sealed with another dataset, or the dataset does not fit its own checksums.
        """
        if self.is_sealed:
            if apart := self.differences(layout.dataset):
                raise UserError(
                    f"{self.folder} is sealed, and {layout.dataset} differs from it: {', '.join(apart[:3])}. "
                    "Make a snapshot of a later date."
                )
            return
        write_records(self.folder / "tasks.jsonl", tasks)
        write_atomically(self.tools, layout.tools.read_bytes())
        write_atomically(self.dataset, checksum_lines(compared(layout.dataset)).encode())

    def differences(self, dataset: Path) -> list[str]:
        """One line for each file of a dataset that is not as it was sealed.

        Raises:
            UserError: the snapshot is not sealed, or the dataset does not fit its own checksums.
        """
        return differences(compared(dataset), read_checksums(self.dataset))

    def other_clones(self, layout: Layout, slugs: Iterable[str]) -> list[str]:
        """One line for each repository that is not cloned as it was locked."""
        here = {one.name: one for one in (locked(layout.of_repository(slug)) for slug in slugs)}
        wanted = {one.name: one for one in self.repositories}
        return [
            f"differs: the clone of {name}"
            for name in sorted(here.keys() | wanted.keys())
            if here.get(name) != wanted.get(name)
        ]


def locked(files: RepositoryFiles) -> LockedRepository:
    """A repository as it is cloned.

    Raises:
        UserError: it is not cloned yet, or its stage `clone` failed.
    """
    cloned = public_record(read_records(files.repository, Repository)[0])
    if cloned.rejection is not None:
        return LockedRepository(cloned=cloned)
    if cloned.start is None or not files.bundle.stat().st_size:
        raise UserError(
            f"The stage `clone` of {cloned.name} failed, so that no commit of it can be locked. See its log, delete "
            f"{files.repository} and run the same command again."
        )
    with tempfile.TemporaryDirectory() as folder:
        git = open_bundle(files.bundle, Path(folder))
        start = find_start(git, cloned.start)
        head_time = next(git.log(start.revision, first_parent=True)).committer_time if start else None
    if start is None:
        raise UserError(f"{files.bundle} does not hold {cloned.start}. Delete it and run the stage `clone` again.")
    return LockedRepository(
        cloned=cloned,
        reference=start.reference,
        head=start.revision,
        head_time=head_time,
        walked=len(read_records(files.commits, Commit)),
        commits=file_digest(files.commits),
    )
