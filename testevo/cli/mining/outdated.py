"""Results of a snapshot that were made with another configuration.

Snakemake makes them again, but it keeps its notes on how a file was made in the folder that it was started in. Started
in another one, such as a newer checkout, it trusts every file that is there.
"""

from collections.abc import Sequence
from pathlib import Path

from testevo.config.model import Config
from testevo.config.resolved import read_resolved, stage_key
from testevo.config.snapshot.layout import Layout, RepositoryFiles
from testevo.config.snapshot.lock import held_snapshot
from testevo.packaging.dataset.dataset_folder import CHECKSUMS
from testevo.runtime.errors import UserError

_OUTPUT = {
    "clone": "repository",
    "warm_up": "fetched",
    "build_check": "builds",
    "commit_pair": "pairs",
    "instrument": "calls",
    "triple_execute": "first_labels",
    "refactoring_filter": "refactorings",
    "package": "labels",
    "measure_gold": "measured",
}
"""The stages of one repository in order, and an output of each; finished work stays in their journals."""


def remove_outdated(config: Config, layout: Layout, repositories: Sequence[RepositoryFiles]) -> None:
    """Remove an output of each stage that worked on a repository with other settings than it would now, and of all
    stages after it: only where all of these are missing Snakemake makes them again, whatever it remembers.

    The configuration of a version that had other keys is another one.

    Raises:
        UserError: a workflow runs on the snapshot.
    """
    if not layout.config.is_file():
        return
    try:
        before = read_resolved(layout.config)
    except UserError:
        before = None
    outdated = [path for files in repositories for path in _outdated(before, config, files)]
    if outdated:
        outdated.append(layout.dataset / CHECKSUMS)
    if any(path.is_file() for path in outdated):
        with held_snapshot(layout):
            for path in outdated:
                path.unlink(missing_ok=True)


def _outdated(before: Config | None, config: Config, files: RepositoryFiles) -> list[Path]:
    """An output of the first stage with other settings, and of each after it."""
    stages = list(_OUTPUT)
    changed = (
        place
        for place, stage in enumerate(stages)
        if before is None or stage_key(before, stage, files.slug) != stage_key(config, stage, files.slug)
    )
    first = next(changed, len(stages))
    return [getattr(files, _OUTPUT[stage]) for stage in stages[first:]]
