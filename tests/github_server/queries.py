"""The search syntax, as far as a search of repositories uses it: qualifiers with values and ranges."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.github_server.repositories import Repository

LONGEST = 256
"""Characters of a query that GitHub takes."""
RANGE = re.compile(r"(?P<sign>>=|<=|>|<)?(?P<first>[^.]+?)(?:\.\.(?P<last>.+))?")


class BadQueryError(Exception):
    """GitHub answers 422."""


def matching(query: str, repositories: list[Repository]) -> list[Repository]:
    """The repositories that a query finds, unsorted; forks only where it asks for them.

    Raises:
        BadQueryError: it is too long or has a qualifier that is not known here.
    """
    if len(query) > LONGEST:
        raise BadQueryError("The search is longer than 256 characters.")
    words = dict(word.split(":", 1) for word in query.split() if ":" in word)
    if len(words) != len(query.split()):
        raise BadQueryError(f"{query!r} has words that are no qualifiers, or one twice.")
    words.setdefault("fork", "false")
    checks = [_check(name, value) for name, value in words.items()]
    for check in checks:
        repositories = [one for one in repositories if check(one)]
    return repositories


def _check(name: str, value: str) -> Callable[[Repository], bool]:
    known: dict[str, Callable[[], Callable[[Repository], bool]]] = {
        "stars": lambda: _numbers(value, lambda one: one.stars),
        "forks": lambda: _numbers(value, lambda one: one.forks),
        "size": lambda: _numbers(value, lambda one: one.size),
        "created": lambda: _days(value, lambda one: one.created),
        "pushed": lambda: _days(value, lambda one: one.pushed),
        "language": lambda: lambda one: one.language.lower() == value.lower(),
        "license": lambda: lambda one: (one.licence or "").lower() == value.lower(),
        "archived": lambda: lambda one: one.archived == (value == "true"),
        "fork": lambda: lambda one: not one.fork if value == "false" else value == "true" or one.fork,
        "is": lambda: lambda one: value == "public",
    }
    if name not in known:
        raise BadQueryError(f"{name} is no qualifier of repositories.")
    return known[name]()


def _numbers(value: str, of: Callable[[Repository], int]) -> Callable[[Repository], bool]:
    return _range(value, int, of)


def _days(value: str, of: Callable[[Repository], datetime]) -> Callable[[Repository], bool]:
    """Times are whole seconds; a day stands for its first second, or for its last where a range ends with it."""
    match = RANGE.fullmatch(value)
    last = (match and match["last"]) or value
    end = timedelta(days=1) - timedelta(seconds=1) if "T" not in last else timedelta()
    sign = "" if match is None else match["sign"] or ""

    def read(text: str) -> datetime:
        moment = datetime.fromisoformat(text).replace(tzinfo=UTC)
        return moment + end if text == (match and match["last"]) or sign in ("<=", ">") else moment

    return _range(value, read, of)


def _range(value: str, read: Callable[[str], Any], of: Callable[[Repository], Any]) -> Callable[[Repository], bool]:
    match = RANGE.fullmatch(value)
    if match is None:
        raise BadQueryError(f"{value!r} is no range.")
    first = read(match["first"])
    if match["last"] is not None:
        last = read(match["last"])
        return lambda one: first <= of(one) <= last
    compare: dict[str | None, Callable[[Any], bool]] = {
        ">=": lambda it: it >= first,
        "<=": lambda it: it <= first,
        ">": lambda it: it > first,
        "<": lambda it: it < first,
        None: lambda it: it == first,
    }
    return lambda one: compare[match["sign"]](of(one))
