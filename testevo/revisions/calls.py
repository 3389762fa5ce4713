"""Call maps of tests at revisions, asked for as pairs need them (TEB-M19)."""

from collections.abc import Iterable, Mapping, Sequence

from testevo.config.resolved import work_key
from testevo.config.rules import ChangeRules
from testevo.execution.journal import Journal
from testevo.labels.dependencies import counts_for_old_test
from testevo.records.base import Part
from testevo.records.calls import CallMap
from testevo.records.changes import MethodChange
from testevo.records.methods import ChangeKind, Side, TestKey
from testevo.revisions.revision import Revisions, RevisionView
from testevo.runtime.files.files import canonical_json, content_key

PairKey = tuple[str, str]
"""Old and new revision."""


class _Ran(Part):
    """The journal entry of one run with the call probe."""

    calls: list[CallMap]


def asking_pairs(changes_of: Mapping[PairKey, Sequence[MethodChange]], rules: ChangeRules) -> dict[str, list[PairKey]]:
    """By revision the pairs that ask for call maps of it: those that end there, and those that begin there where calls
    of the old tests count. What is asked of one revision does not depend on another."""
    asking: dict[str, list[PairKey]] = {}
    for (old, new), changes in changes_of.items():
        asking.setdefault(new, []).append((old, new))
        if old_calls_count(changes, rules):
            asking.setdefault(old, []).append((old, new))
    return asking


def old_calls_count(changes: Iterable[MethodChange], rules: ChangeRules) -> bool:
    """Whether what a test calls at the old end may be one of its dependencies."""
    return any(change.side is Side.PRODUCTION and counts_for_old_test(change.kind, rules) for change in changes)


class Calls:
    """Runs tests with the call probe, each once; the journal keeps maps across interrupted runs."""

    def __init__(self, revisions: Revisions, journal: Journal) -> None:
        workspace = revisions.workspace
        self._workspace = workspace
        self._revisions = revisions
        self._journal = journal
        self._work_key = work_key(workspace.config, "instrument", workspace.repository.name)

    def asked_by(
        self, revision: str, pairs: Iterable[PairKey], changes_of: Mapping[PairKey, Sequence[MethodChange]]
    ) -> list[CallMap]:
        """The call maps of a revision that judging pairs needs which end or begin there.

        Of all tests when a pair changes production methods (switch `execution.instrument`), else of the tests that it
        inserts or modifies.
        """
        found: dict[TestKey, CallMap] = {}
        for old, new in pairs:
            changes = changes_of[old, new]
            if self._wants_all(changes):
                self._run(revision, None, found)
                continue
            tests = self._touched(self._revisions.view(new), changes)
            self._run(revision, tests if revision == new else self._present(revision, tests), found)
        return list(found.values())

    def of_tests(self, revision: str, tests: Iterable[TestKey]) -> list[CallMap]:
        """The call maps of those of `tests` that a revision has, each by a run of its own."""
        found: dict[TestKey, CallMap] = {}
        for test in tests:
            self._run(revision, self._present(revision, [test]), found)
        return list(found.values())

    def _wants_all(self, changes: Sequence[MethodChange]) -> bool:
        everything = self._workspace.config.execution.instrument == "all"
        return everything and any(change.side is Side.PRODUCTION for change in changes)

    def _present(self, revision: str, tests: Sequence[TestKey]) -> list[TestKey]:
        view = self._revisions.view(revision)
        present = {view.test_key(test) for test in view.tests}
        return [test for test in tests if test in present]

    def _touched(self, view: RevisionView, changes: Iterable[MethodChange]) -> list[TestKey]:
        """The tests that the pair inserts or modifies, inherited ones in each class they run in."""
        changed = {
            (change.method, change.new_path)
            for change in changes
            if change.side is Side.TEST and change.kind in (ChangeKind.INSERTED, ChangeKind.MODIFIED)
        }
        return [view.test_key(test) for test in view.tests if (test.method.key, test.declared_in_path) in changed]

    def _run(self, revision: str, tests: Sequence[TestKey] | None, found: dict[TestKey, CallMap]) -> None:
        """Add the maps of those tests, or of all, that are not among the found ones."""
        missing = None if tests is None else sorted({test for test in tests if test not in found}, key=str)
        if missing == []:
            return
        asked = "all" if missing is None else canonical_json([test.model_dump(mode="json") for test in missing])
        key = content_key(self._work_key, revision, asked)

        def ran() -> _Ran:
            return _Ran(calls=self._workspace.runner.call_maps(self._workspace.built(revision), missing))

        for one in self._journal.remembered(key, _Ran, ran).calls:
            found.setdefault(one.test, one)
