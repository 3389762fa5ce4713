"""Search GitHub as a configuration says: find, check, lock."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from testevo.config.model import Config, GithubSearch
from testevo.config.snapshot.layout import Layout
from testevo.records.snapshots.search import FoundRepository, SearchSummary
from testevo.runtime.errors import UserError
from testevo.sources.github.api.answers import Answers
from testevo.sources.github.api.client import Client
from testevo.sources.github.api.tokens import read_tokens
from testevo.sources.github.checks import found, with_details
from testevo.sources.github.details import Details, details_of, look_up
from testevo.sources.github.discovery import find_repositories
from testevo.sources.github.items import Item
from testevo.sources.github.lock import criteria_of, lock_of, names_digest, read_lock, write_lock
from testevo.sources.github.names import read_names

MakeClient = Callable[[Answers, GithubSearch], Client]


@dataclass(frozen=True)
class Searched:
    """A search that is done."""

    summary: SearchSummary
    repositories: list[FoundRepository]


def make_client(answers: Answers, github: GithubSearch) -> Client:
    """The client of a real search, with the tokens of the environment."""
    return Client(answers, read_tokens(), github.api, budget=github.requests)


def search(config: Config, make: MakeClient = make_client) -> Searched:
    """Find and check repositories and lock what was found; what the lock file holds is not asked for again.

    An interrupted search goes on where it was: answers are kept below the snapshot, and the same questions follow
    from the same answers.

    Raises:
        UserError: the search is not configured, refused, or larger than its budget.
        MachineError: GitHub does not answer.
    """
    github = config.sources.github
    if github is None:
        raise UserError("The configuration has no `sources.github`. Add it; `{}` searches as the paper did.")
    lock = lock_of(config)
    if lock.is_file():
        return Searched(*read_lock(lock, github))
    client = make(Answers(Layout.of(config).github_answers), github)
    if github.names is None:
        searched = _by_search(client, github)
    else:
        searched = _by_names(client, github, read_names(Path(github.names)))
    write_lock(lock, searched.summary, searched.repositories)
    client.report(f"{client.sent} requests sent; wrote {lock}")
    return Searched(*read_lock(lock, github))


def _by_search(client: Client, github: GithubSearch) -> Searched:
    result = find_repositories(client, github)
    items = sorted(result.items.values(), key=lambda item: item.id)
    repositories = _checked(client, items, github)
    return Searched(_summary(client, github, result.not_shown), repositories)


def _by_names(client: Client, github: GithubSearch, names: list[str]) -> Searched:
    """The same of named repositories; a name that leads nowhere is a record like any other."""
    client.report(f"the file names {len(names)} repositories: at least as many requests of at most {client.budget}")
    if len(names) > client.budget:
        raise UserError(
            f"{github.names} names {len(names)} repositories, each of which takes a request, and "
            f"`sources.github.requests` allows {client.budget}. Raise it, or name fewer."
        )
    looked_up = {name: look_up(client, name) for name in names}
    missing = [
        FoundRepository(name=one.name, rejection=one.missing, detail=one.reason)
        for one in looked_up.values()
        if isinstance(one, Details)
    ]
    named = {one.id: (name, one) for name, one in looked_up.items() if isinstance(one, Item)}
    checked = [
        one.model_copy(update={"found_as": _other_name(named[one.id or 0][0], one.name)})
        for one in _checked(client, [named[key][1] for key in sorted(named)], github)
    ]
    return Searched(_summary(client, github, 0), [*missing, *checked])


def _other_name(listed: str, name: str) -> str | None:
    """The name in a list, where the repository has another one; GitHub ignores the case of names."""
    return None if listed.lower() == name.lower() else listed


def _checked(client: Client, items: list[Item], github: GithubSearch) -> list[FoundRepository]:
    """A record per repository; only what passes by its description is asked about."""
    records = {item.id: found(item, github) for item in items}
    passing = [item for item in items if records[item.id].rejection is None]
    client.report(f"{len(passing)} of {len(items)} repositories pass by their description; asking about their content")
    for item, details in details_of(client, passing):
        records[item.id] = with_details(records[item.id], details, github)
    return list(records.values())


def _summary(client: Client, github: GithubSearch, not_shown: int) -> SearchSummary:
    first, last = client.days
    return SearchSummary(
        criteria=criteria_of(github),
        names_digest=names_digest(github),
        first_day=first,
        last_day=last,
        not_shown=not_shown,
    )
