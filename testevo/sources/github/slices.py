"""Slices of a search: ranges of creation times, halved until GitHub shows a slice as a whole.

The time of creation never changes, so that every repository stays in one slice whatever happens to its stars, name or
pushes while the search runs (docs/decisions/0007-search-by-creation-time.md).
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

from testevo.config.model import GithubSearch

FIRST = datetime(2007, 1, 1, tzinfo=UTC)
"""Before the first repository of GitHub."""
SECOND = timedelta(seconds=1)
"""The finest that GitHub searches by."""


@dataclass(frozen=True)
class Slice:
    """Repositories created in a range of UTC times, in whole seconds; both ends belong to it, None is open."""

    since: datetime
    until: datetime | None

    def qualifier(self) -> str:
        """The slice in GitHub's search syntax."""
        if self.until is None:
            return f"created:>={_spelt(self.since)}"
        return f"created:{_spelt(self.since)}..{_spelt(self.until)}"

    def halves(self, now: datetime) -> tuple["Slice", "Slice"] | None:
        """Two slices that have no repository in common and together hold all of this one; None for one second.

        Args:
            now: the time of the search, by which an open slice is halved; its second half is open again.
        """
        last = self.until or now
        if self.since >= last:
            return None
        middle = self.since + ((last - self.since) // 2 // SECOND) * SECOND
        return replace(self, until=middle), replace(self, since=middle + SECOND)


def whole(criteria: GithubSearch) -> Slice:
    """The slice of everything that is searched for."""
    day = criteria.created_until
    return Slice(FIRST, None if day is None else datetime.combine(day, time(23, 59, 59), UTC))


def query(criteria: GithubSearch, part: Slice) -> str:
    """The search query of a slice; forks are left out by GitHub unless asked for."""
    words = ["language:Java", "is:public", part.qualifier(), f"stars:>={criteria.stars}"]
    words += ["archived:false"] if not criteria.archived else []
    words += [f"forks:>={criteria.forks}"] if criteria.forks else []
    words += [f"size:<={criteria.size_kb}"] if criteria.size_kb is not None else []
    words += [f"pushed:>={criteria.pushed_since}"] if criteria.pushed_since is not None else []
    return " ".join(words)


def _spelt(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
