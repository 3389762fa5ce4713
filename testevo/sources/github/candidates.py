"""The candidates of a search that is done: those of its lock file that passed all checks."""

from testevo.config.model import Config
from testevo.records.repository import Repository, SourceKind
from testevo.records.snapshots.search import FoundRepository
from testevo.runtime.errors import UsageError
from testevo.sources.github.lock import lock_of, read_lock
from testevo.sources.listed import MIRROR


def candidates(config: Config) -> list[Repository]:
    """One repository per entry of the lock file that was not rejected; none where no search is configured.

    With `sources.mirror` they are read from local clones, as listed repositories are.

    Raises:
        UsageError: the search has not been done yet, or was done with other criteria.
        UserError: the lock file is damaged.
    """
    if config.sources.github is None:
        return []
    if not is_searched(config):
        raise UsageError(
            f"The search of GitHub is not done: there is no {lock_of(config)}. Run the workflow's "
            "target `search` with this configuration, and then this again (docs/sources.md)."
        )
    return [
        Repository(
            name=one.name,
            source=SourceKind.GITHUB,
            address=f"{MIRROR}{one.name}" if config.sources.mirror else one.clone_url or "",
            web_url=one.web_url,
        )
        for one in found_repositories(config)
        if one.rejection is None
    ]


def is_searched(config: Config) -> bool:
    """Whether every configured search is done."""
    return config.sources.github is None or lock_of(config).is_file()


def found_repositories(config: Config) -> list[FoundRepository]:
    """All that the search found; empty where none is configured.

    Raises:
        UserError: as `candidates`.
    """
    github = config.sources.github
    return [] if github is None else read_lock(lock_of(config), github)[1]
