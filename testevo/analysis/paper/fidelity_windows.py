"""Choose the part of a repository's walk that is mined to compare it with released tasks: a window, or all of it.

The newest commits of a walk hold few released tasks. So for a window one released task is drawn at random, and the
commits from its new revision on are walked; every released task whose two revisions lie there counts, not the drawn
one alone.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

from testevo.analysis.paper.fidelity_inputs import ReleasedRepository
from testevo.config.rules import WalkRules
from testevo.history.git import GitRepository, LoggedCommit
from testevo.history.walk import find_start, ordered
from testevo.runtime.files.files import url_safe_name

DAY = timedelta(days=1)
NEWEST = "HEAD"
"""Start of a walk: the newest commit of the default branch."""


@dataclass(frozen=True)
class WalkWindow:
    """Where a walk starts, before which UTC day (YYYY-MM-DD) its commits lie, and how many it takes.

    Without cutoff and limit it is the whole walk, as far as the configuration of all walks goes.
    """

    start: str
    cutoff: str | None = None
    limit: int | None = None


def in_drawn_order(released: Iterable[ReleasedRepository], seed: int) -> list[ReleasedRepository]:
    """The repositories in an order that nobody chose."""
    order = list(released)
    random.Random(seed).shuffle(order)
    return order


def whole_walk(repository: ReleasedRepository, git: GitRepository) -> WalkWindow:
    """The walk of the released data; where the clone lacks its start, from the newest commit of the clone."""
    return WalkWindow(repository.start if has_start(repository, git) else NEWEST)


def has_start(repository: ReleasedRepository, git: GitRepository) -> bool:
    """Whether the clone has the commit where the released walk starts."""
    return find_start(git, repository.start) is not None


def draw_window(
    repository: ReleasedRepository, git: GitRepository, rules: WalkRules, *, seed: int, length: int
) -> WalkWindow | None:
    """The window of one drawn task; None when the clone has not its new revision.

    The walk starts where the released one did, since a walk from the task's new revision would lack the commits of
    branches that were merged later. Commits of the same day that are newer than the new revision are walked too.

    Args:
        repository: a repository with at least one task.
        rules: the order of the walk.
        length: commits from the task's new revision on.
    """
    task = random.Random(seed).choice(repository.tasks)
    for start in (repository.start, task.new_revision):
        found = find_start(git, start)
        walk = list(ordered(git, found.revision, rules)) if found else []
        end = next((commit for commit in walk if commit.revision == task.new_revision), None)
        if end is not None:
            return _window(start, walk, end, length)
    return None


def _window(start: str, walk: list[LoggedCommit], end: LoggedCommit, length: int) -> WalkWindow:
    day = datetime.fromtimestamp(end.committer_time, UTC).date() + DAY
    cutoff = datetime.combine(day, time.min, UTC).timestamp()
    before = [commit.revision for commit in walk if commit.committer_time < cutoff]
    return WalkWindow(start, day.isoformat(), before.index(end.revision) + length)


def configuration(repository: ReleasedRepository, window: WalkWindow) -> dict[str, Any]:
    """What the configuration of a window says beside what all windows have in common."""
    given = {"cutoff": window.cutoff, "limit": window.limit}
    overrides = {"jdk": repository.jdk, "reason": "the Java version of the released data"}
    return {
        "snapshot": url_safe_name(repository.name),
        "sources": {"repositories": [{"name": repository.name, "start": window.start, "overrides": overrides}]},
        "rules": {"walk": {key: value for key, value in given.items() if value is not None}},
    }
