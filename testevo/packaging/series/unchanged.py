"""Repositories to which nothing was added since the snapshot before: their outputs are copied, and no job runs."""

import shutil
from collections.abc import Iterable

from testevo.config.layout import STAGES, Layout, RepositoryFiles
from testevo.config.model import Config
from testevo.config.predecessor import predecessor_of
from testevo.config.resolved import read_resolved, work_key
from testevo.packaging.series.lock_files import locked

_KEYED = ("build_check", "commit_pair", "instrument", "triple_execute", "refactoring_filter", "measure_gold")
"""The stages whose settings decide what becomes of a walk."""


def copy_unchanged(config: Config, slugs: Iterable[str]) -> list[RepositoryFiles]:
    """Copy what the predecessor mined of repositories that were cloned to the same walk.

    Nothing is copied where other tools or settings worked, or where the predecessor did not come to its end.

    Returns:
        The files of those repositories here.
    """
    earlier, here = predecessor_of(config), Layout.of(config)
    if earlier is None or not earlier.config.is_file():
        return []
    before = read_resolved(earlier.config)
    if before.build.baseline_commits != config.build.baseline_commits:
        return []
    copied = []
    for slug in slugs:
        old, new = earlier.of_repository(slug), here.of_repository(slug)
        same_settings = all(work_key(before, stage, slug) == work_key(config, stage, slug) for stage in _KEYED)
        if same_settings and _is_finished(old) and locked(old) == locked(new):
            for stage in STAGES[1:]:
                shutil.copytree(earlier.root / stage / slug, here.root / stage / slug, dirs_exist_ok=True)
            copied.append(new)
    return copied


def _is_finished(files: RepositoryFiles) -> bool:
    """Whether the last stage has ended, and no stage failed."""
    failure = files.failure("measure_gold")
    return failure.is_file() and not failure.stat().st_size
