"""Call maps of tests at revisions, asked for as pairs need them (TEB-M19)."""

from collections.abc import Iterable, Sequence

from testevo.config.resolved import stage_key
from testevo.evolution.revision import Revisions, RevisionView
from testevo.execution.journal import Journal
from testevo.ground.files import canonical_json, content_key
from testevo.records.calls import CallMap
from testevo.records.changes import MethodChange
from testevo.records.methods import ChangeKind, Side, TestKey


class Calls:
    """Runs tests with the call probe, each (revision, test) once; the journal keeps maps across interrupted runs."""

    def __init__(self, revisions: Revisions, journal: Journal) -> None:
        workspace = revisions.workspace
        self._workspace = workspace
        self._revisions = revisions
        self._journal = journal
        self._stage_key = stage_key(workspace.config, "instrument", workspace.repository.name)
        self.known: dict[tuple[str, TestKey], CallMap] = {}

    def at_ends_of(self, old_revision: str, new_revision: str, changes: Sequence[MethodChange]) -> None:
        """Call maps that judging a pair needs: at the new end, and at the old end when production methods went away."""
        production = [change for change in changes if change.side is Side.PRODUCTION]
        touched = self._touched(self._revisions.view(new_revision), changes)
        everything = self._workspace.config.execution.instrument == "all" and bool(production)
        self._run(new_revision, None if everything else touched)
        if any(change.kind is ChangeKind.REMOVED for change in production):
            self.at_old_end(old_revision, None if everything else touched)

    def at_old_end(self, revision: str, tests: Sequence[TestKey] | None) -> None:
        """Call maps of those of `tests` that exist at an old revision; None for all tests."""
        if tests is not None:
            view = self._revisions.view(revision)
            present = {view.test_key(test) for test in view.tests}
            tests = [test for test in tests if test in present]
        self._run(revision, tests)

    def _touched(self, view: RevisionView, changes: Iterable[MethodChange]) -> list[TestKey]:
        """The tests that the pair inserts or modifies, inherited ones in each class they run in."""
        changed = {
            (change.method, change.new_path)
            for change in changes
            if change.side is Side.TEST and change.kind in (ChangeKind.INSERTED, ChangeKind.MODIFIED)
        }
        return [
            view.test_key(test) for test in view.tests if (test.method.key, test.declared_in_path) in changed
        ]

    def _run(self, revision: str, tests: Sequence[TestKey] | None) -> None:
        missing = None if tests is None else sorted(
            {test for test in tests if (revision, test) not in self.known}, key=str
        )
        if missing == []:
            return
        asked = "all" if missing is None else canonical_json([test.model_dump(mode="json") for test in missing])
        key = content_key(self._stage_key, revision, asked)
        known = self._journal.get(key)
        if known is None:
            maps = self._workspace.runner.call_maps(self._workspace.built(revision), missing)
            known = {"calls": [one.model_dump(mode="json") for one in maps]}
            self._journal.put(key, known)
        for line in known["calls"]:
            one = CallMap.model_validate(line)
            self.known.setdefault((revision, one.test), one)
