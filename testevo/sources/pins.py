"""The repositories of a snapshot that is locked: the same ones at the same commits, whatever has become of them."""

from pathlib import Path

from testevo.config.model import Config
from testevo.records.base import read_records
from testevo.records.repository import Repository
from testevo.records.snapshots.snapshot import LockedRepository
from testevo.runtime.errors import UsageError

REPOSITORIES = "repositories.jsonl"


def pins(config: Config) -> dict[str, LockedRepository] | None:
    """The locked repositories by name; None for a snapshot that is not locked (yet).

    Raises:
        UserError: the lock file is damaged.
    """
    path = Path(config.lock) / REPOSITORIES if config.lock else None
    if path is None or not path.is_file():
        return None
    return {one.name: one for one in read_records(path, LockedRepository)}


def pinned(config: Config, named: list[Repository]) -> list[Repository]:
    """Those of the candidates that the snapshot was locked with.

    Raises:
        UsageError: one of them is not among the candidates.
    """
    known = pins(config)
    if known is None:
        return named
    if lost := sorted(known.keys() - {one.name for one in named}):
        raise UsageError(
            f"{config.lock} locks {', '.join(lost)}, which the configuration does not name any more. "
            "Restore `sources`, or make a new snapshot."
        )
    return [one for one in named if one.name in known]
