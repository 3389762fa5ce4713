"""Repositories to which nothing was added since the snapshot before: their outputs are copied, and no job runs."""

import shutil
from collections.abc import Iterable

from testevo.config.model import Config
from testevo.config.resolved import read_resolved, work_key
from testevo.config.snapshot.layout import STAGES, Layout, RepositoryFiles
from testevo.config.snapshot.predecessor import predecessor_of
from testevo.records.repository import slug_of
from testevo.records.snapshots.snapshot import LockedRepository
from testevo.runtime.files.files import file_digest
from testevo.sources.pins import pins

_KEYED = ("build_check", "commit_pair", "instrument", "triple_execute", "refactoring_filter", "measure_gold")
"""The stages whose settings decide what becomes of a walk."""


def copy_unchanged(config: Config, slugs: Iterable[str]) -> list[RepositoryFiles]:
    """Copy what the predecessor mined of repositories that are locked to the same walk in both.

    Nothing is copied where other tools or settings worked, where the predecessor did not come to its end, or where it
    has been mined otherwise since it was locked.

    Returns:
        The files of those repositories here.
    """
    earlier, here = predecessor_of(config), Layout.of(config)
    if earlier is None or not earlier.config.is_file():
        return []
    before = read_resolved(earlier.config)
    if before.build.baseline_commits != config.build.baseline_commits:
        return []
    was, now = (_locks(one) for one in (before, config))
    copied = []
    for slug in slugs:
        old, new = earlier.of_repository(slug), here.of_repository(slug)
        same_settings = all(work_key(before, stage, slug) == work_key(config, stage, slug) for stage in _KEYED)
        same_walk = slug in was and was[slug] == now.get(slug) and _is_as_locked(old, was[slug])
        if same_settings and same_walk and _is_finished(old):
            for stage in STAGES[1:]:
                shutil.copytree(earlier.root / stage / slug, here.root / stage / slug, dirs_exist_ok=True)
            copied.append(new)
    return copied


def _locks(config: Config) -> dict[str, LockedRepository]:
    return {slug_of(name): one for name, one in (pins(config) or {}).items()}


def _is_as_locked(files: RepositoryFiles, lock: LockedRepository) -> bool:
    """Whether the walk is the locked one; a history is not unpacked for it."""
    return lock.commits is None or file_digest(files.commits) == lock.commits


def _is_finished(files: RepositoryFiles) -> bool:
    """Whether the last stage has ended, and no stage failed."""
    failure = files.failure("measure_gold")
    return failure.is_file() and not failure.stat().st_size
