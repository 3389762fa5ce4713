"""Choose the two revisions a test is judged between: the pair, or a code change joined with a later test change."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import islice
from operator import itemgetter

from testevo.config.rules import ChangeRules, PairRules
from testevo.labels.dependencies import counted_callees, is_called
from testevo.records.calls import CallMap
from testevo.records.changes import CommitPair, MethodChange
from testevo.records.methods import ChangeKind, MethodKey, Side, TestKey
from testevo.runtime.files.files import content_key

PairKey = tuple[str, str]
"""Old and new revision."""


@dataclass(frozen=True)
class JoinedCandidate:
    """A test and the revisions it is to be judged between."""

    test: TestKey
    old_revision: str
    new_revision: str
    joined: bool
    """The ends are not those of one pair of neighbours."""
    nominated: ChangeKind
    """The change of the test in the pair of neighbours that nominated it."""


def key_of_test(change: MethodChange, *, at_old: bool = False) -> TestKey:
    """The test that a change of a test method is about, as it is called at the new end (at the old end if removed).

    A change of an inherited test carries the class that the test runs in and its file. `at_old` asks for the key at
    the old end; it differs in the path when the file moved.

    Raises:
        ValueError: the method has no place at that end.
    """
    path = change.old_path if at_old or change.kind == ChangeKind.REMOVED else change.new_path
    if path is None:
        raise ValueError(f"{change.kind} change of {change.method} has no path")
    method = change.method
    return TestKey(
        module=change.module, path=path, type_name=method.type_name, name=method.name, parameters=method.parameters
    )


def join_candidates(
    pairs: Sequence[CommitPair],
    changes_of: Mapping[PairKey, Sequence[MethodChange]],
    calls: Mapping[tuple[str, TestKey], CallMap],
    pair_rules: PairRules,
    change_rules: ChangeRules,
) -> list[JoinedCandidate]:
    """Nominate tests and choose their revisions (TEB-X01, X02).

    A pair nominates the tests that it inserts, modifies or removes, and the unchanged ones that call a method it
    changes. With `join: code_then_test` an inserted or modified test of pair j is judged from the old end of the most
    recent pair i ≤ j that changed a production method the test calls directly: an inserted or modified method that the
    new test calls, or a removed one that the old test called. Without such a pair, and with `join: none`, the pair
    itself counts; so it does where it modifies a method that the old test called, under `modified_old_callees`.

    A test is the same through history when module, path, class, name and parameter types are the same; calls are those
    of the test at the ends of pair j, because the test of that commit is what an earlier code change is asked about.

    Args:
        pairs: pairs of neighbours in walk order, newest first, those outside the time gap included: a join may cross
            them. A join never crosses a place where the old end of one pair is not the new end of the next.
        changes_of: method changes of each pair, by (old revision, new revision).
        calls: call maps by (revision, test).
        pair_rules: the switch `join`.
        change_rules: which callees count.
    """
    history = _History(pairs, changes_of)
    tests_at: dict[str, set[TestKey]] = defaultdict(set)
    for revision, test in calls:
        tests_at[revision].add(test)
    candidates = []
    for index, pair in enumerate(pairs):
        nominations = _touched_tests(changes_of.get((pair.old_revision, pair.new_revision), ()))
        for test, old_test, kind in nominations:
            start = index
            if pair_rules.join == "code_then_test" and kind != ChangeKind.REMOVED:
                present = counted_callees(calls.get((pair.new_revision, test)), change_rules)
                gone = counted_callees(calls.get((pair.old_revision, old_test)), change_rules)
                if not (change_rules.modified_old_callees and history.modifies(index, test.module, gone)):
                    start = history.last_change(index, test.module, present, gone, otherwise=index)
            candidates.append(JoinedCandidate(test, pairs[start].old_revision, pair.new_revision, start != index, kind))
        untouched = tests_at[pair.new_revision] - {test for test, _, _ in nominations}
        candidates += _unchanged(history, index, untouched, calls, change_rules)
    return candidates


def drawn_negatives(candidates: Iterable[JoinedCandidate], number: int) -> frozenset[JoinedCandidate]:
    """So many candidates that pairs left alone, drawn by their content: the same in any order."""
    unchanged = (one for one in candidates if one.nominated is ChangeKind.UNCHANGED)
    return frozenset(nsmallest(number, unchanged, key=_draw))


def _draw(candidate: JoinedCandidate) -> str:
    return content_key("negative", candidate.old_revision, candidate.new_revision, str(candidate.test))


def _touched_tests(changes: Iterable[MethodChange]) -> list[tuple[TestKey, TestKey, ChangeKind]]:
    """(test, the same at the old end, kind) of inserted, modified and removed tests, in a fixed order."""
    found = []
    for change in changes:
        if change.side == Side.TEST and change.test_kind is not None and change.kind != ChangeKind.UNCHANGED:
            test = key_of_test(change)
            old_test = test if change.old_path is None else key_of_test(change, at_old=True)
            found.append((test, old_test, change.kind))
    return sorted(found, key=lambda nomination: str(nomination[0]))


def _unchanged(
    history: "_History",
    index: int,
    untouched: set[TestKey],
    calls: Mapping[tuple[str, TestKey], CallMap],
    rules: ChangeRules,
) -> list[JoinedCandidate]:
    """Tests that a pair leaves alone although it changes what they call (TEB-K03)."""
    pair = history.pairs[index]
    found = []
    for test in sorted(untouched, key=str):
        present = counted_callees(calls.get((pair.new_revision, test)), rules)
        gone = counted_callees(calls.get((pair.old_revision, test)), rules)
        if history.last_change(index, test.module, present, gone, otherwise=-1) == index:
            found.append(JoinedCandidate(test, pair.old_revision, pair.new_revision, False, ChangeKind.UNCHANGED))
    return found


class _History:
    """Where in the walk each production method changed."""

    def __init__(self, pairs: Sequence[CommitPair], changes_of: Mapping[PairKey, Sequence[MethodChange]]) -> None:
        self.pairs = pairs
        self._present: dict[MethodKey, list[tuple[int, MethodChange]]] = defaultdict(list)
        self._removed: dict[MethodKey, list[tuple[int, MethodChange]]] = defaultdict(list)
        self._run_end = list(range(len(pairs)))
        for index, pair in enumerate(pairs):
            for change in changes_of.get((pair.old_revision, pair.new_revision), ()):
                if change.side == Side.PRODUCTION and change.kind != ChangeKind.UNCHANGED:
                    places = self._removed if change.kind == ChangeKind.REMOVED else self._present
                    places[change.method].append((index, change))
        for index in range(len(pairs) - 2, -1, -1):
            if pairs[index].old_revision == pairs[index + 1].new_revision:
                self._run_end[index] = self._run_end[index + 1]

    def modifies(self, index: int, module: str, methods: Iterable[MethodKey]) -> bool:
        """Whether a pair modifies one of the methods that a test of the module calls."""
        return any(
            place == index and change.kind == ChangeKind.MODIFIED and is_called(change, module) is not False
            for key in methods
            for place, change in self._present.get(key, ())
        )

    def last_change(
        self, index: int, module: str, present: Iterable[MethodKey], gone: Iterable[MethodKey], *, otherwise: int
    ) -> int:
        """The most recent pair, `index` or older, that changed one of the methods that a test of the module calls."""
        found: list[int] = []
        for places, keys in ((self._present, present), (self._removed, gone)):
            for key in keys:
                changed = places.get(key, [])
                since = islice(changed, bisect_left(changed, index, key=itemgetter(0)), None)
                found += islice((place for place, change in since if is_called(change, module) is not False), 1)
        nearest = min(found, default=otherwise)
        return nearest if nearest <= self._run_end[index] else otherwise
