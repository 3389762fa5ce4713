"""The checks that a found repository passes or fails; pure functions, the first reason counts."""

from collections.abc import Iterator

from testevo.config.model import GithubSearch
from testevo.records.snapshots.search import FoundRepository, SearchRejection
from testevo.sources.github.details import Details
from testevo.sources.github.items import Item
from testevo.sources.github.licence_lists import NAMED

UNKNOWN = "NOASSERTION"


def found(item: Item, criteria: GithubSearch) -> FoundRepository:
    """The record of a repository, with the reason that its description alone gives against it."""
    return FoundRepository(
        id=item.id,
        name=item.full_name,
        web_url=item.html_url,
        clone_url=item.clone_url,
        stars=item.stargazers_count,
        forks=item.forks_count,
        archived=item.archived,
        size_kb=item.size,
        licence=licence_of(item),
        created=item.created_at,
        pushed=item.pushed_at,
        default_branch=item.default_branch,
        rejection=next(reasons(item, criteria), None),
    )


def with_details(record: FoundRepository, details: Details, criteria: GithubSearch) -> FoundRepository:
    """The record with what was asked besides, and the reason that this gives against the repository."""
    moved = details.name != record.name
    return record.model_copy(
        update={
            "name": details.name,
            "found_as": record.name if moved else None,
            "web_url": _renamed(record.web_url, record.name, details.name),
            "clone_url": _renamed(record.clone_url, record.name, details.name),
            "head": details.head,
            "java_share": details.java_share,
            "rejection": next(reasons_of(details, criteria), None),
            "detail": details.reason,
        }
    )


def reasons(item: Item, criteria: GithubSearch) -> Iterator[SearchRejection]:
    """Reasons against a repository from its description."""
    if item.private:
        yield SearchRejection.NOT_PUBLIC
    if item.fork:
        yield SearchRejection.FORK
    if item.language != "Java":
        yield SearchRejection.NOT_JAVA
    if item.archived and not criteria.archived:
        yield SearchRejection.ARCHIVED
    if item.stargazers_count < criteria.stars:
        yield SearchRejection.FEW_STARS
    if item.forks_count < criteria.forks:
        yield SearchRejection.FEW_FORKS
    if criteria.size_kb is not None and item.size > criteria.size_kb:
        yield SearchRejection.TOO_LARGE
    if criteria.pushed_since is not None and (item.pushed_at or "")[:10] < criteria.pushed_since.isoformat():
        yield SearchRejection.NOT_PUSHED
    if criteria.created_until is not None and item.created_at[:10] > criteria.created_until.isoformat():
        yield SearchRejection.TOO_YOUNG
    yield from licence_reasons(item, criteria)


def licence_reasons(item: Item, criteria: GithubSearch) -> Iterator[SearchRejection]:
    """Reasons against a repository from its licence; one that GitHub does not know is not guessed at (TEB-M04)."""
    if item.license is None or item.license.spdx_id is None:
        yield SearchRejection.NO_LICENCE
    elif item.license.spdx_id == UNKNOWN:
        yield SearchRejection.UNKNOWN_LICENCE
    elif item.license.spdx_id not in accepted_licences(criteria):
        yield SearchRejection.OTHER_LICENCE


def reasons_of(details: Details, criteria: GithubSearch) -> Iterator[SearchRejection]:
    """Reasons against a repository from the further answers."""
    if details.missing is not None:
        yield details.missing
    if details.head is None:
        yield SearchRejection.EMPTY
    if not details.has_pom:
        yield SearchRejection.NO_BUILD_FILE
    if (details.java_share or 0.0) < criteria.java_share:
        yield SearchRejection.LITTLE_JAVA


def accepted_licences(criteria: GithubSearch) -> frozenset[str]:
    """The SPDX ids that the configuration accepts."""
    return NAMED[criteria.licences] if isinstance(criteria.licences, str) else frozenset(criteria.licences)


def licence_of(item: Item) -> str | None:
    spdx = item.license.spdx_id if item.license else None
    return None if spdx == UNKNOWN else spdx


def _renamed(address: str | None, old: str, new: str) -> str | None:
    """An address of a repository after renaming; GitHub's addresses end with the name, some with `.git` besides."""
    if address is None or old == new:
        return address
    suffix = ".git" if address.endswith(".git") else ""
    return f"{address.removesuffix(f'{old}{suffix}')}{new}{suffix}"
