"""The walk: which commits of a history are looked at, and which of them can be ends of pairs.

Every switch of `WalkRules` is a table from its values to small functions; no function knows of the others.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import groupby, islice

from testevo.config.rules import PairRules, WalkRules
from testevo.history.export import has_place
from testevo.history.git import GitRepository, LoggedCommit
from testevo.history.isolation import mark_isolated
from testevo.history.partial import revisions_with_gaps
from testevo.records.repository import Commit, CommitRejection
from testevo.runtime.errors import UsageError


@dataclass(frozen=True)
class Start:
    """Where a walk starts: the name as given or chosen, the reference behind it (None for a commit id), the commit."""

    name: str
    reference: str | None
    revision: str


def walk_commits(
    git: GitRepository, repository_name: str, start: str | None, rules: WalkRules, pairs: PairRules
) -> list[Commit]:
    """The commits of the walk in walk order, newest first, the unfit ones marked with their rejection (TEB-M11).

    `start` is a tag, branch or commit id of `git`; None lets the rules choose. `pairs` decides which commits are too
    far from all others.

    Raises:
        UsageError: there is no such start.
        GitError: the repository cannot be read.
    """
    chosen = choose_start(git, start, rules)
    if chosen is None:
        wanted = f"tag, branch or commit {start}" if start else "tag and no default branch"
        raise UsageError(f"{repository_name} has no {wanted}. Run the stage `clone` again.")
    revision = chosen.revision
    mainline = {commit.revision for commit in git.log(revision, first_parent=True)}
    walked = list(islice(before_cutoff(ordered(git, revision, rules), rules), rules.limit))
    gaps = revisions_with_gaps(git, revision, [logged.revision for logged in walked])
    commits = [
        Commit(
            repository=repository_name,
            position=position,
            revision=logged.revision,
            parents=logged.parents,
            author_time=logged.author_time,
            committer_time=logged.committer_time,
            java_tree=java_tree({} if logged.revision in gaps else git.java_blobs(logged.revision)),
            first_parent_line=logged.revision in mainline,
            rejection=CommitRejection.INCOMPLETE if logged.revision in gaps else why_unwritable(git, logged.revision),
        )
        for position, logged in enumerate(walked)
    ]
    whole = COLLAPSES[rules.collapse]([commit for commit in commits if commit.rejection is None])
    marked = [*mark_isolated(whole, pairs), *(commit for commit in commits if commit.rejection is not None)]
    return sorted(marked, key=lambda commit: commit.position)


def why_unwritable(git: GitRepository, revision: str) -> CommitRejection | None:
    """The rejection of a commit that can be checked out nowhere; None where it can be."""
    return None if all(map(has_place, git.paths(revision))) else CommitRejection.UNWRITABLE


def java_tree(blobs: Mapping[str, str]) -> str:
    """SHA-256 over the sorted (path, blob) of Java files: equal for revisions whose Java files are the same."""
    digest = hashlib.sha256()
    for path, blob in sorted(blobs.items()):
        digest.update(path.encode("utf-8", "surrogateescape") + b"\0" + blob.encode() + b"\0")
    return digest.hexdigest()


# --- start -----------------------------------------------------------------------------------------------------------


def _newest_tag(git: GitRepository) -> Start | None:
    newest = next(iter(git.tags()), None)
    return Start(newest.name, f"refs/tags/{newest.name}", newest.revision) if newest else _default_branch(git)


def _default_branch(git: GitRepository) -> Start | None:
    branch = git.default_branch()
    return find_start(git, branch) if branch else None


STARTS: Mapping[str, Callable[[GitRepository], Start | None]] = {
    "newest_tag": _newest_tag,
    "default_branch": _default_branch,
}


def choose_start(git: GitRepository, given: str | None, rules: WalkRules) -> Start | None:
    """A repository's own start, else the one the rules choose: the newest tag by date, else the default branch.

    A given `HEAD` is the default branch.
    """
    if given is None:
        return STARTS[rules.start](git)
    return find_start(git, given) or (_default_branch(git) if given == "HEAD" else None)


def find_start(git: GitRepository, name: str) -> Start | None:
    """The tag, else branch, else commit `name`; None when there is none."""
    revision = git.resolve(name)
    if revision is None:
        return None
    references = (reference for reference in (f"refs/tags/{name}", f"refs/heads/{name}") if git.has(reference))
    return Start(name, next(references, None), revision)


# --- order and cutoff ------------------------------------------------------------------------------------------------

ORDERS: Mapping[str, Callable[[GitRepository, str], Iterator[LoggedCommit]]] = {
    "first_parent": lambda git, revision: git.log(revision, first_parent=True),
    "committer_date": lambda git, revision: git.log(revision, first_parent=False),
}


def ordered(git: GitRepository, revision: str, rules: WalkRules) -> Iterator[LoggedCommit]:
    """The commits from `revision` in the configured order."""
    return ORDERS[rules.order](git, revision)


def before_cutoff(commits: Iterable[LoggedCommit], rules: WalkRules) -> Iterator[LoggedCommit]:
    """The commits with a committer date before the cutoff day, 0 o'clock UTC (TEB-M11)."""
    day = date.fromisoformat(rules.cutoff)
    end = datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
    return (commit for commit in commits if commit.committer_time < end)


def count_after_cutoff(git: GitRepository, start: str | None, rules: WalkRules) -> int:
    """How many commits of the history of the start, in the configured order, lie on or after the cutoff day."""
    chosen = choose_start(git, start, rules)
    if chosen is None:
        return 0
    logged = list(ordered(git, chosen.revision, rules))
    return len(logged) - sum(1 for _ in before_cutoff(logged, rules))


# --- collapse --------------------------------------------------------------------------------------------------------


def _newest_of_equal_java(commits: Sequence[Commit]) -> list[Commit]:
    """Of a run of neighbours with equal Java files, the newest stands for all."""
    kept = []
    for _, run in groupby(commits, key=lambda commit: commit.java_tree):
        newest, *others = run
        kept.append(newest)
        kept += [
            other.model_copy(update={"rejection": CommitRejection.EQUAL_JAVA, "represented_by": newest.revision})
            for other in others
        ]
    return kept


def _java_change_ends(commits: Sequence[Commit]) -> list[Commit]:
    """Commits that change a Java file against their first parent, and those parents (TEB-M15).

    A commit whose first parent lies outside the walk can only be an old end: it is kept when a child changes Java.
    """
    java = {commit.revision: commit.java_tree for commit in commits}
    ends: set[str] = set()
    for commit in commits:
        parent = next(iter(commit.parents), None)
        if parent in java and java[parent] != commit.java_tree:
            ends |= {commit.revision, parent}
    return [
        commit if commit.revision in ends else commit.model_copy(update={"rejection": CommitRejection.NO_JAVA_CHANGE})
        for commit in commits
    ]


COLLAPSES: Mapping[str, Callable[[Sequence[Commit]], list[Commit]]] = {
    "newest_of_equal_java": _newest_of_equal_java,
    "java_change_ends": _java_change_ends,
    "none": list,
}
