"""The lock file: all that a search found and why it was left out, so that the next run is identical and offline."""

from pathlib import Path
from typing import Any

from testevo.config.model import Config, GithubSearch
from testevo.config.snapshot.layout import Layout
from testevo.records.base import parse_record, unreadable
from testevo.records.snapshots.search import FoundRepository, SearchSummary
from testevo.runtime.errors import UsageError
from testevo.runtime.files.files import file_digest, write_atomically

NOT_CRITERIA = {"lock", "requests", "api", "names"}
"""Keys of `sources.github` that decide nothing about what is found; of `names` the content of the file does."""


def lock_of(config: Config) -> Path:
    """Where the lock file of a configuration is."""
    github = config.sources.github
    return Path(github.lock) if github is not None and github.lock else Layout.of(config).github_lock


def write_lock(path: Path, summary: SearchSummary, repositories: list[FoundRepository]) -> None:
    """Write a lock file; equal content gives equal bytes.

    Raises:
        MachineError: the file cannot be written.
    """
    lines = [summary.line(), *(one.line() for one in sorted(repositories, key=FoundRepository.sort_key))]
    write_atomically(path, "".join(f"{line}\n" for line in lines).encode())


def read_lock(path: Path, github: GithubSearch) -> tuple[SearchSummary, list[FoundRepository]]:
    """The contents of a lock file.

    Raises:
        UserError: it is missing or damaged.
        UsageError: it was made with other criteria.
    """
    try:
        first, *lines = path.read_bytes().splitlines()
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError:
        first, lines = b"", []
    summary = parse_record(path, 1, first, SearchSummary)
    require_same(path, summary, github)
    return summary, [parse_record(path, number, line, FoundRepository) for number, line in enumerate(lines, start=2)]


def criteria_of(github: GithubSearch) -> dict[str, Any]:
    """The keys that decide what is found."""
    return github.model_dump(mode="json", exclude=NOT_CRITERIA)


def names_digest(github: GithubSearch) -> str | None:
    """The digest of the file of names; None without one, and where it is not at hand."""
    return file_digest(Path(github.names)) if github.names and Path(github.names).is_file() else None


def require_same(path: Path, summary: SearchSummary, github: GithubSearch) -> None:
    """Refuse a lock file that other criteria have made.

    Raises:
        UsageError: as said; the message names the keys.
    """
    now = criteria_of(github)
    changed = [key for key in sorted(now.keys() | summary.criteria.keys()) if now.get(key) != summary.criteria.get(key)]
    digest = names_digest(github)
    if (github.names is None) != (summary.names_digest is None):
        changed.append("names")
    elif digest is not None and digest != summary.names_digest:
        changed.append("names (the content of the file)")
    if changed:
        raise UsageError(
            f"{path} was made with other values of {', '.join(changed)} in `sources.github`. Restore them, name "
            "another `lock`, or delete the file and search again."
        )
