"""Compare the tasks mined from a repository with those that others released for it, and say why some are missing.

Tasks are matched once at most, within a track, in three rounds: equal revisions, file and test methods; equal
revisions and file; equal file, a common test method and a new revision with the same Java files. In every round the
pairs with most methods in common go first. A released task that is left over gets the first reason that the records
of the stages give for it, in the order of the stages.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from testevo.config.rules import PairRules
from testevo.labels.usability import unusable_reason
from testevo.packaging.dataset.served import served
from testevo.records.changes import CommitPair
from testevo.records.evidence.certificates import Certificate
from testevo.records.labels import DropReason, Label
from testevo.records.repository import Commit, CommitRejection
from testevo.records.snapshots.fidelity import RepositoryAgreement, TrackAgreement
from testevo.records.tasks import FunnelCount, Task, Track
from testevo.records.verdicts import BuildOutcome, BuildVerdict, SuiteVerdict


@dataclass(frozen=True)
class ComparedTask:
    """The fields of a task, mined or released, that are compared."""

    track: Track
    old_revision: str
    new_revision: str
    test_file: str
    methods: frozenset[str]
    """`Class#method`."""

    @classmethod
    def of(cls, task: Task) -> "ComparedTask":
        methods = frozenset(evidence.test.short for evidence in task.tests)
        return cls(task.track, task.old_revision, task.new_revision, task.test_file, methods)


@dataclass(frozen=True)
class MinedRepository:
    """The records of one repository of a snapshot, as far as its stages came."""

    name: str
    rejection: str | None
    """Why nothing came of it, with the stage; None when it was mined to the end."""
    rules: PairRules
    maven: str = ""
    commits: Sequence[Commit] = ()
    builds: Sequence[BuildVerdict] = ()
    suites: Sequence[SuiteVerdict] = ()
    certificates: Sequence[Certificate] = ()
    pairs: Sequence[CommitPair] = ()
    labels: Sequence[Label] = ()
    tasks: Sequence[Task] = ()
    wall_seconds: float = 0
    processor_seconds: float = 0


@dataclass
class Matches:
    """Released and mined tasks of one track, matched."""

    exact: int = 0
    same_pair: int = 0
    other_pair: int = 0
    missing: list[ComparedTask] = field(default_factory=list)
    extra: list[ComparedTask] = field(default_factory=list)


def agreement(released: Sequence[ComparedTask], mined: MinedRepository, day: date) -> RepositoryAgreement:
    """Compare the tasks of one repository.

    Args:
        released: its released tasks, both tracks.
        mined: its records.
        day: of the comparison.
    """
    reasons = Reasons(mined)
    usable = reasons.unusable
    return RepositoryAgreement(
        repository=mined.name,
        rejection=mined.rejection,
        maven=mined.maven,
        compared_on=day.isoformat(),
        walked=len(mined.commits),
        kept=sum(commit.rejection is None for commit in mined.commits),
        built=sum(verdict.outcome is BuildOutcome.BUILT for verdict in mined.builds),
        green=sum(reason is None for reason in usable.values()),
        served=by_server(mined.builds, mined.certificates),
        wall_seconds=round(mined.wall_seconds),
        processor_seconds=round(mined.processor_seconds),
        tracks=tuple(track_agreement(track, released, mined, reasons) for track in Track),
    )


def by_reason(reasons: Iterable[str]) -> tuple[FunnelCount, ...]:
    """How often each reason is given, in alphabetical order."""
    return tuple(FunnelCount(reason=reason, count=count) for reason, count in sorted(Counter(reasons).items()))


def by_server(builds: Sequence[BuildVerdict], certificates: Iterable[Certificate]) -> tuple[FunnelCount, ...]:
    """Compiled commits by who compiled and tested them, with the reason where there is one."""
    found = served(builds, certificates)
    return by_reason(f"{who}: {why}" if why else who for who, why in found.elements())


def track_agreement(
    track: Track, released: Sequence[ComparedTask], mined: MinedRepository, reasons: "Reasons"
) -> TrackAgreement:
    theirs = [task for task in released if task.track is track]
    ours = [ComparedTask.of(task) for task in mined.tasks if task.track is track]
    found = matched(theirs, ours, reasons.java_state)
    missing = [task for task in found.missing if reasons.in_range(task)]
    return TrackAgreement(
        track=track,
        released=len(theirs),
        expected=len(theirs) - len(found.missing) + len(missing),
        mined=len(ours),
        exact=found.exact,
        same_pair=found.same_pair,
        other_pair=found.other_pair,
        missing=by_reason(map(reasons.of, missing)),
        extra=by_reason(released_instead(task, theirs) for task in found.extra),
    )


def released_instead(extra: ComparedTask, released: Iterable[ComparedTask]) -> str:
    """The released tasks of the same track where we mined one that the release lacks."""
    about = [task for task in released if task.new_revision == extra.new_revision]
    if any(task.test_file == extra.test_file and task.methods & extra.methods for task in released):
        return "the same test at another pair"
    if any(task.old_revision == extra.old_revision for task in about):
        return "other tests of the pair"
    return "other pairs of the new revision" if about else "no task of the new revision"


def matched(
    released: Iterable[ComparedTask], mined: Iterable[ComparedTask], java_state: Callable[[str], str]
) -> Matches:
    """Match tasks of one track one to one.

    Args:
        java_state: what revisions with the same Java files have in common.
    """
    left = Matches(missing=list(released), extra=list(mined))
    left.exact = pair_up(left, lambda t: (t.old_revision, t.new_revision, t.test_file, t.methods), least=0)
    left.same_pair = pair_up(left, lambda t: (t.old_revision, t.new_revision, t.test_file), least=0)
    left.other_pair = pair_up(left, lambda t: (java_state(t.new_revision), t.test_file), least=1)
    return left


def pair_up(left: Matches, key: Callable[[ComparedTask], object], *, least: int) -> int:
    """Take pairs with an equal key and at least `least` common methods out of both lists; returns their number."""
    by_key: dict[object, list[int]] = defaultdict(list)
    for place, task in enumerate(left.extra):
        by_key[key(task)].append(place)
    ranked = []
    for place, task in enumerate(left.missing):
        for other in by_key.get(key(task), ()):
            theirs = left.extra[other].methods
            if len(task.methods & theirs) >= least:
                ranked.append((-len(task.methods & theirs), len(task.methods | theirs), place, other))
    taken: set[int] = set()
    used: set[int] = set()
    for _, _, place, other in sorted(ranked):
        if place not in taken and other not in used:
            taken.add(place)
            used.add(other)
    left.missing = [task for place, task in enumerate(left.missing) if place not in taken]
    left.extra = [task for place, task in enumerate(left.extra) if place not in used]
    return len(taken)


class Reasons:
    """Why a released task was not mined, from the records of one repository."""

    def __init__(self, mined: MinedRepository) -> None:
        self._mined = mined
        self._commits = {commit.revision: commit for commit in mined.commits}
        self._pairs = {pair.new_revision: pair for pair in mined.pairs if not pair.joined}
        self._ranks = {reason: place for place, reason in enumerate(DropReason)}

    def java_state(self, revision: str) -> str:
        """The same for revisions with the same Java files; a revision outside the walk stands for itself."""
        commit = self._commits.get(revision)
        return commit.java_tree if commit else revision

    def in_range(self, task: ComparedTask) -> bool:
        """Whether the walk reached both ends; of a repository that was not walked at all everything was expected."""
        return not self._commits or {task.old_revision, task.new_revision} <= self._commits.keys()

    def of(self, task: ComparedTask) -> str:
        """`stage: reason`, the first that applies in the order of the stages; the new end goes before the old."""
        if not self._commits:
            return self._mined.rejection or "clone: no_commit"
        found = self._of_ends(task) or self._mined.rejection or self._of_labels(task)
        return found or self._of_pair(task)

    def _of_ends(self, task: ComparedTask) -> str | None:
        ends = [self._standing_for(revision) for revision in (task.new_revision, task.old_revision)]
        for commit in ends:
            if commit.rejection is not None:
                return f"clone: {commit.rejection.value}"
        for commit in ends:
            if found := self.unusable.get(commit.revision):
                return found
        return None

    def _standing_for(self, revision: str) -> Commit:
        commit = self._commits[revision]
        if commit.rejection is CommitRejection.EQUAL_JAVA and commit.represented_by in self._commits:
            return self._commits[commit.represented_by]
        return commit

    @cached_property
    def unusable(self) -> Mapping[str, str | None]:
        """By built or tried revision: stage and reason why it is not an end of a pair, None when it is usable."""
        suites = {suite.revision: suite for suite in self._mined.suites}
        found: dict[str, str | None] = {}
        for build in self._mined.builds:
            if build.outcome is not BuildOutcome.BUILT:
                found[build.revision] = f"build_check: {build.outcome.value}"
            elif build.revision in suites:
                reason = unusable_reason(build, suites[build.revision], self._mined.rules)
                found[build.revision] = f"suite_check: {reason}" if reason else None
        return found

    def _of_labels(self, task: ComparedTask) -> str | None:
        """The reason of most of its test methods; those judged between the same ends count first."""
        new, old = self.java_state(task.new_revision), self.java_state(task.old_revision)
        about = [label for label in self._labels_of.get((new, task.test_file), ()) if label.test.short in task.methods]
        about = [label for label in about if self.java_state(label.old_revision) == old] or about
        if not about:
            return None
        dropped = Counter(label.reason for label in about if label.reason is not None)
        if not dropped:
            return "package: other_track_or_pair"
        reason = min(dropped, key=lambda reason: (-dropped[reason], self._ranks[reason]))
        return f"triple_execute: {reason.value}"

    @cached_property
    def _labels_of(self) -> Mapping[tuple[str, str], list[Label]]:
        found: dict[tuple[str, str], list[Label]] = defaultdict(list)
        for label in self._mined.labels:
            found[self.java_state(label.new_revision), label.edited_path].append(label)
        return found

    def _of_pair(self, task: ComparedTask) -> str:
        pair = self._pairs.get(self._standing_for(task.new_revision).revision)
        if pair is None:
            return "commit_pair: no_pair"
        return f"commit_pair: {pair.rejection.value}" if pair.rejection else "commit_pair: not_nominated"
