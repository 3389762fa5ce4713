"""Find every repository of a search, although GitHub shows at most 1,000 results of a query and they move meanwhile.

A slice counts as read when each of its pages told the same total, none was marked incomplete, and as many different
repositories came as were counted. A slice that changes while it is read is asked for again, then halved: one of a
single page cannot change between its pages.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from testevo.config.model import GithubSearch
from testevo.runtime.errors import UserError
from testevo.runtime.refused_input import reason
from testevo.sources.github.api.answers import Answer
from testevo.sources.github.api.client import Client
from testevo.sources.github.items import Item
from testevo.sources.github.slices import query, whole

MOST_RESULTS = 1000
"""GitHub shows no more of a query."""
PAGE = 100
"""Most results of a page."""
TIMES = 3
"""How often a slice is read that changes meanwhile, before it is halved."""


@dataclass
class Found:
    """The state of a search: the repositories found so far."""

    items: dict[int, Item] = field(default_factory=dict)
    """By id, so that a repository which is met again counts once; the last description stays."""
    not_shown: int = 0
    """Repositories that GitHub counted and never showed."""


@dataclass(frozen=True)
class Reading:
    """One reading of a slice."""

    items: dict[int, Item]
    counted: int
    pages: int
    asked: datetime
    steady: bool
    """Whether no page was marked incomplete, and all told the same count."""

    @property
    def complete(self) -> bool:
        return self.steady and len(self.items) == self.counted


def find_repositories(client: Client, criteria: GithubSearch) -> Found:
    """Every public repository that matches the criteria, once.

    Raises:
        UserError: GitHub shows the smallest slice not as a whole, or the budget is too small.
        MachineError: GitHub does not answer.
    """
    found = Found()
    waiting = [whole(criteria)]
    now: datetime | None = None
    while waiting:
        part = waiting.pop()
        reading = read_slice(client, query(criteria, part))
        if now is None:
            now = reading.asked
            state_budget(client, reading.counted)
        if reading.complete or _shows_less(reading):
            found.items |= reading.items
            found.not_shown += reading.counted - len(reading.items)
            continue
        halves = part.halves(now)
        if halves is None:
            raise UserError(
                f"GitHub shows {len(reading.items)} of {reading.counted} repositories with {part.qualifier()}, and "
                "no part of them can be asked for. Raise `sources.github.stars`, or search again later."
            )
        waiting.extend(reversed(halves))
    return found


def read_slice(client: Client, words: str) -> Reading:
    """Read all pages of a query, again while they change; only the first of a query with too many results."""
    reading = _read(client, words, 0)
    for time in range(1, TIMES):
        if reading.complete or reading.counted > MOST_RESULTS:
            break
        reading = _read(client, words, time)
    return reading


def expected_requests(counted: int) -> int:
    """About how many requests a search with so many results takes when nothing changes or fails meanwhile.

    Halved slices are half full, each slice that is halved costs a request, and a request asks for the build files of
    50 repositories. Many repositories of the same days cost a few more.
    """
    slices = max(1, 2 * -(-counted // MOST_RESULTS))
    return (slices - 1) + slices + -(-counted // PAGE) + -(-counted // 50)


def state_budget(client: Client, counted: int) -> None:
    """Say what the search will take, before it does.

    Raises:
        UserError: more than the budget.
    """
    expected = expected_requests(counted)
    client.report(f"GitHub counts {counted} repositories: about {expected} requests of at most {client.budget}")
    if expected > client.budget:
        raise UserError(
            f"The search takes about {expected} requests for {counted} repositories, and `sources.github.requests` "
            f"allows {client.budget}. Raise it, or demand more stars."
        )


def items_of(raw: Any) -> dict[int, Item]:
    """Repositories by id.

    Raises:
        UserError: the answer is not of the documented form.
    """
    try:
        items = [Item.model_validate(one) for one in raw]
    except (ValidationError, TypeError) as error:
        raise UserError(f"GitHub describes a repository in another form than documented ({reason(error)}).") from error
    return {item.id: item for item in items}


def _read(client: Client, words: str, time: int) -> Reading:
    first = _page(client, words, 1, time)
    reading = _reading(first)
    if not reading.steady or reading.counted > MOST_RESULTS:
        return reading
    for number in range(2, reading.pages + 1):
        page = _reading(_page(client, words, number, time))
        steady = page.steady and page.counted == reading.counted
        reading = replace(reading, items=reading.items | page.items, steady=steady)
        if not steady:
            break
    return reading


def _page(client: Client, words: str, number: int, time: int) -> Answer:
    # Stars are the sort that moves least among those GitHub offers; it sorts by best match unless told.
    parameters = {"q": words, "sort": "stars", "order": "desc", "per_page": str(PAGE), "page": str(number)}
    answer = client.get("/search/repositories", parameters, time=time)
    if answer.status != 200:
        raise UserError(f"GitHub answers a search with status {answer.status}. Check `sources.github.api`.")
    return answer


def _reading(answer: Answer) -> Reading:
    counted, body = answer.body["total_count"], answer.body
    return Reading(
        items=items_of(body["items"]),
        counted=counted,
        pages=-(-counted // PAGE),
        asked=datetime.fromisoformat(answer.asked),
        steady=not body["incomplete_results"],
    )


def _shows_less(reading: Reading) -> bool:
    """Whether a single page told the same short of its count each time: asking for parts of it would show no more."""
    return reading.steady and reading.pages == 1 and len(reading.items) < reading.counted
