"""The facts about each candidate test between two revisions, gathered for the judgement."""

from collections.abc import Callable, Collection, Mapping
from functools import partial

from testevo.config.rules import Rules
from testevo.execution.variants import Candidate, TestSide
from testevo.history.commit_gap import pair_within_gap
from testevo.history.pairs import make_pair
from testevo.java.coupling import coupling
from testevo.java.declarations import JavaFile
from testevo.java.tests import DeclaredTest
from testevo.labels.candidate import CandidateFacts, Declaration
from testevo.labels.dependencies import link_dependencies, why_another_run, why_unknown
from testevo.labels.filters import changed_helpers
from testevo.labels.join import JoinedCandidate
from testevo.records.calls import CallMap
from testevo.records.changes import CommitPair, MethodChange
from testevo.records.methods import ChangeKind, MethodKey, Side, TestKey, TestKind
from testevo.records.repository import Commit
from testevo.records.verdicts import Outcome
from testevo.revisions.changes import Changes
from testevo.revisions.other_languages import OTHER_LANGUAGES
from testevo.revisions.reached_helpers import reached_changes
from testevo.revisions.revision import Revisions, RevisionView
from testevo.revisions.test_ends import TestEnds, test_ends
from testevo.revisions.unread_files import UnreadFiles

TESTNG = "org.testng.annotations."

CallMaps = Mapping[tuple[str, TestKey], CallMap]
SuiteOutcomeOf = Callable[[str, TestKey], Outcome | None]
"""How a test ended in the suite of a revision; None when it is not known."""
PlacedEnds = Mapping[tuple[str, MethodKey], TestEnds]
"""Tests by file and key of the class that runs them."""


class CandidateReader:
    """Turns nominated tests into facts (TEB-X02, X09, X12 to X14).

    Args:
        revisions: the repository's revisions.
        changes: method changes between any two of them.
        calls: call maps by (revision, test).
        commits: the walk, by revision.
        rules: the switches that apply to this repository.
        in_suite: held against the run with the call probe.
    """

    def __init__(
        self,
        revisions: Revisions,
        changes: Changes,
        calls: CallMaps,
        commits: Mapping[str, Commit],
        rules: Rules,
        in_suite: SuiteOutcomeOf = lambda revision, test: None,
    ) -> None:
        self._revisions = revisions
        self._workspace = revisions.workspace
        self._changes = changes
        self._calls = calls
        self._commits = commits
        self._rules = rules
        self._in_suite = in_suite
        self._unread = UnreadFiles(revisions)
        self._held_ends: tuple[tuple[str, str], tuple[PlacedEnds, PlacedEnds]] | None = None

    def pair_of(self, candidate: JoinedCandidate) -> CommitPair:
        """The ends of a candidate as a commit pair."""
        old, new = (self._commits[revision] for revision in (candidate.old_revision, candidate.new_revision))
        return make_pair(old, new, self._workspace.git, joined=candidate.joined)

    def facts(self, candidate: JoinedCandidate) -> CandidateFacts:
        """Everything known about a candidate before it is run."""
        old, new = (self._revisions.view(revision) for revision in (candidate.old_revision, candidate.new_revision))
        changes = self._changes.between(old.revision, new.revision)
        of_test = change_of(changes, candidate.test)
        ends = self._ends_of(candidate, old, new)
        before, after = ends.old, ends.new
        declared = after or before
        declared_path = declared.declared_in_path if declared else candidate.test.path
        old_test = old.test_key(before) if before else None
        new_calls = self._calls.get((new.revision, candidate.test))
        old_calls = self._calls.get((old.revision, old_test)) if old_test else None
        entered = (callee.method for calls in (old_calls, new_calls) if calls for callee in calls.closure)
        return CandidateFacts(
            repository=self._workspace.repository.name,
            old_revision=old.revision,
            new_revision=new.revision,
            test=candidate.test,
            test_kind=declared.kind if declared else kind_of_undeclared(new, candidate.test),
            is_plain=declared.is_plain if declared else False,
            nominated=candidate.nominated,
            change=of_test.kind if of_test else ChangeKind.UNCHANGED,
            links=link_dependencies(
                changes,
                new_calls,
                old_calls,
                self._rules.changes,
                partial(coupling, declared.method, declared.type_name) if declared else no_coupling,
                new.declares,
            ),
            calls_unknown=why_unknown(new_calls)
            or why_another_run(new_calls, self._in_suite(new.revision, candidate.test)),
            calls_of_another_run=self._another_run(new, candidate.test) or self._another_run(old, old_test),
            outside_gap=not pair_within_gap(self.pair_of(candidate), self._rules.pairs),
            changed_helpers=self._changed_helpers(candidate, ends, changes, new_calls),
            old_file_exists=candidate.test.path in old.blobs
            or self._moved_from(old, new, candidate.test.path) is not None,
            old_path=before.declared_in_path if before else self._moved_from(old, new, declared_path),
            old_span=before.method.span if before else None,
            new_span=after.method.span if after else None,
            declared_path=declared_path if declared_path != candidate.test.path else None,
            declaration=declaration_of(ends, of_test, old.blobs, new.blobs),
            unread=self._unread.of(old, new, entered),
            annotations_differ=ends.annotations_differ,
        )

    def _another_run(self, view: RevisionView, test: TestKey | None) -> str | None:
        """Whether the calls of a test of a module that needs Surefire are those of the run below Surefire."""
        if test is None or test.module not in view.tree.surefire:
            return None
        return why_another_run(self._calls.get((view.revision, test)), self._in_suite(view.revision, test))

    def _changed_helpers(
        self, candidate: JoinedCandidate, ends: TestEnds, changes: list[MethodChange], new_calls: CallMap | None
    ) -> tuple[str, ...]:
        """The findings of the helper filter; the sources are searched only where it asks what tests reach."""
        old, new = (self._revisions.view(revision) for revision in (candidate.old_revision, candidate.new_revision))
        paths = changed_test_paths(old, new)
        reached: tuple[str, ...] = ()
        if self._rules.filters.helpers == "reached":
            entered = frozenset(callee.method for callee in new_calls.closure) if new_calls else frozenset()
            reached = reached_changes(old, new, ends, paths, changed_elsewhere(old, new), entered)
        return changed_helpers(candidate.test, new_calls, changes, paths, reached, self._rules.filters)

    def _ends_of(self, candidate: JoinedCandidate, old: RevisionView, new: RevisionView) -> TestEnds:
        """The declarations that a candidate runs; none where no source file shows one."""
        removed = candidate.nominated is ChangeKind.REMOVED
        place = candidate.test.path, candidate.test.method
        ends = self._placed_ends(old, new)[0 if removed else 1].get(place, TestEnds(None, None))
        if removed:
            return TestEnds(ends.old, None)
        absent = ends.moved and self._rules.changes.moved_counts_as_absent
        return TestEnds(None, ends.new) if absent else ends

    def _placed_ends(self, old: RevisionView, new: RevisionView) -> tuple[PlacedEnds, PlacedEnds]:
        """The tests of two revisions by their places at the old end, and by those at the new one; kept for the
        candidates of one pair, which ask one after another."""
        key = (old.revision, new.revision)
        if self._held_ends is None or self._held_ends[0] != key:
            ends = test_ends(old.tests, new.tests)
            before = {(one.old.path, one.old.key): one for one in ends if one.old is not None}
            after = {(one.new.path, one.new.key): one for one in ends if one.new is not None}
            self._held_ends = key, (before, after)
        return self._held_ends[1]

    def runnable(self, facts: CandidateFacts) -> Candidate:
        """A candidate with the trees and sources that its runs need (TEB-X01, X03)."""
        old, new = (self._revisions.view(revision) for revision in (facts.old_revision, facts.new_revision))
        has_old = facts.change in (ChangeKind.MODIFIED, ChangeKind.UNCHANGED)
        old_test = self._old_test(facts, old, new)
        new_side = self._side(new, facts.test)
        old_path = self._moved_from(old, new, new_side.path)
        return Candidate(
            old_tree=old.tree,
            new_tree=new.tree,
            change=facts.change,
            old=self._side(old, old_test) if has_old and old_test else None,
            new=new_side,
            old_file=self._workspace.git.read(facts.old_revision, old_path or new_side.path),
            added_production=self._added_production(old, new),
            old_path=old_path,
            old_test=self._moved_test(old, new, facts.test),
        )

    def _moved_from(self, old: RevisionView, new: RevisionView, path: str) -> str | None:
        """Where the old revision has a test file that came to another module or source folder; None where it has none,
        and where methods are spliced, which takes a file that is not at its path for absent."""
        if self._rules.swap.test_swap != "file" or path in old.blobs or path not in new.blobs:
            return None
        name, package = path.rpartition("/")[2], new.file(path).package
        gone = [one for one in old.paths(Side.TEST) if one.rpartition("/")[2] == name and one not in new.blobs]
        found = [one for one in gone if old.file(one).package == package]
        return found[0] if len(found) == 1 else None

    def _moved_test(self, old: RevisionView, new: RevisionView, test: TestKey) -> TestKey | None:
        """How a test would be called at the old revision, where the file of its class moved."""
        path = self._moved_from(old, new, test.path)
        place = None if path is None else old.place(path)
        return test.model_copy(update={"path": path, "module": place[0].path}) if place else None

    def _old_test(self, facts: CandidateFacts, old: RevisionView, new: RevisionView) -> TestKey | None:
        """How a candidate is called at the old end: in another file or module when its class moved."""
        candidate = JoinedCandidate(facts.test, old.revision, new.revision, joined=False, nominated=facts.nominated)
        before = self._ends_of(candidate, old, new).old
        return None if before is None else old.test_key(before)

    def _side(self, view: RevisionView, test: TestKey) -> TestSide:
        declared = find_declared(view, test)
        if declared is None:
            raise ValueError(f"{test} is not declared at {view.revision[:12]}")
        path = declared.declared_in_path
        return TestSide(test, path, self._read(view, path), declared.method)

    def _added_production(self, old: RevisionView, new: RevisionView) -> Mapping[str, bytes]:
        if self._rules.swap.old_tree == "clean":
            return {}
        added = [path for path in new.paths(Side.PRODUCTION) if path not in old.blobs]
        return {path: self._read(new, path) for path in added}

    def _read(self, view: RevisionView, path: str) -> bytes:
        content = self._workspace.git.read(view.revision, path)
        if content is None:
            raise ValueError(f"{path} is listed at {view.revision} and has no blob")
        return content


def find_declared(view: RevisionView, test: TestKey) -> DeclaredTest | None:
    """The declaration that a test runs, None when the revision has no such test."""
    return next((one for one in view.tests if (one.key, one.path) == (test.method, test.path)), None)


def change_of(changes: list[MethodChange], test: TestKey) -> MethodChange | None:
    """The change of a test, if it changed; a removed one is called as at the old end."""
    for change in changes:
        is_test = change.side is Side.TEST and change.test_kind is not None and change.kind is not ChangeKind.UNCHANGED
        path = change.old_path if change.kind is ChangeKind.REMOVED else change.new_path
        if is_test and change.method == test.method and test.path == path:
            return change
    return None


def declaration_of(
    ends: TestEnds, change: MethodChange | None, old_paths: Collection[str], new_paths: Collection[str]
) -> Declaration:
    """Where the declarations lie that a candidate with this change needs at its ends, from the files of both: one that
    moved is at one path at the old end, and at another at the new one."""
    kind = change.kind if change else ChangeKind.UNCHANGED
    needs_old = kind is not ChangeKind.INSERTED
    needs_new = kind is not ChangeKind.REMOVED
    if (needs_old and ends.old is None) or (needs_new and ends.new is None):
        return "nowhere"
    if kind is ChangeKind.INSERTED and change is not None and change.old_path is not None:
        return "idle_before"
    if kind is ChangeKind.MODIFIED and not ends.same_class_declares:
        return "other_class"
    if kind is ChangeKind.MODIFIED and ends.old is not None and ends.new is not None:
        old_path, new_path = ends.old.declared_in_path, ends.new.declared_in_path
        stays = old_path in new_paths or new_path in old_paths
        return "other_file" if old_path != new_path and stays else "same_class"
    return "same_class"


def kind_of_undeclared(view: RevisionView, test: TestKey) -> TestKind:
    """The kind of a test that ran and that no source file shows: JUnit 4 reports some without their parameters; else
    its class inherits it from a library or from code of another language."""
    named = (one.kind for one in view.tests if (one.type_name, one.key.name) == (test.type_name, test.name))
    return next(named, TestKind.INHERITED)


def no_coupling(callee: MethodKey, direct_calls: int) -> float:
    """The coupling with a test whose text is not known."""
    return 0.0


def changed_test_paths(old: RevisionView, new: RevisionView) -> set[str]:
    """Files below the test folders that differ, resources included."""
    folders = old.test_folders | new.test_folders
    changed = new.workspace.git.changed_paths(old.revision, new.revision)
    return {change.path for change in changed if change.path.startswith(tuple(folders))}


def changed_elsewhere(old: RevisionView, new: RevisionView) -> set[str]:
    """Files that differ and lie neither below the folders of tests nor below those of production code."""
    folders = old.test_folders | new.test_folders | old.production_folders | new.production_folders
    changed = new.workspace.git.changed_paths(old.revision, new.revision)
    return {change.path for change in changed if not change.path.startswith(tuple(folders))}


def other_language_tests(old: RevisionView, new: RevisionView) -> tuple[str, ...]:
    """Source files below the test folders that differ and are in a language whose tests are not read."""
    git = new.workspace.git
    if not any(change.path.endswith(OTHER_LANGUAGES) for change in git.changed_paths(old.revision, new.revision)):
        return ()
    return tuple(sorted(path for path in changed_test_paths(old, new) if path.endswith(OTHER_LANGUAGES)))


def other_framework_tests(old: RevisionView, new: RevisionView) -> tuple[str, ...]:
    """Java files of the test sources that differ and use annotations of TestNG at an end: such tests are not read."""
    changed = {
        path
        for view in (old, new)
        for path in view.paths(Side.TEST)
        if old.blobs.get(path) != new.blobs.get(path) and names_testng(view.file(path))
    }
    return tuple(sorted(changed))


def names_testng(file: JavaFile) -> bool:
    """Whether a file imports annotations of TestNG, or uses one by its full name."""
    annotated = (*(one.annotation_text for one in file.types), *(one.annotation_text for one in file.methods))
    return any(line.startswith(TESTNG) for line in file.imports) or any(f"@{TESTNG}" in text for text in annotated)
