"""Method-level changes between two revisions (TEB-M16, M17)."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from testevo.config.resolved import work_key
from testevo.execution.journal import Journal
from testevo.java.changes import MethodDelta, PlacedMethod, compare_declarations, compare_methods
from testevo.java.tests import DeclaredTest
from testevo.records.base import Part
from testevo.records.changes import MethodChange
from testevo.records.methods import ChangeKind, MethodKey, Side, TestKind
from testevo.revisions.revision import Revisions, RevisionView
from testevo.revisions.test_ends import TestEnds, is_inherited, test_ends
from testevo.runtime.files.files import content_key

HELD_PAIRS = 4


class _Compared(Part):
    """The journal entry of a pair of revisions."""

    changes: list[MethodChange]


class Changes:
    """Method changes between revisions, each pair compared once; the journal keeps them across interrupted runs.

    Those asked for last are held too, since the candidates of a pair ask one after another.
    """

    def __init__(self, revisions: Revisions, journal: Journal) -> None:
        workspace = revisions.workspace
        self._revisions = revisions
        self._journal = journal
        self._work_key = work_key(workspace.config, "commit_pair", workspace.repository.name)
        self._held = lru_cache(HELD_PAIRS)(self._read)

    def between(self, old_revision: str, new_revision: str) -> list[MethodChange]:
        return self._held(old_revision, new_revision)

    def _read(self, old_revision: str, new_revision: str) -> list[MethodChange]:
        key = content_key(self._work_key, old_revision, new_revision)

        def compared() -> _Compared:
            old, new = self._revisions.view(old_revision), self._revisions.view(new_revision)
            return _Compared(changes=method_changes(old, new))

        return self._journal.remembered(key, _Compared, compared).changes


def method_changes(old: RevisionView, new: RevisionView) -> list[MethodChange]:
    """Every method that is inserted, removed or differs by the configured meaning of *changed*.

    Methods of the test tree whose byte code alone differs are listed too, as unchanged: the helper filter asks.
    """
    return [change for side in Side for change in side_changes(old, new, side)]


def side_changes(old: RevisionView, new: RevisionView, side: Side) -> Iterator[MethodChange]:
    meaning = new.workspace.config.rules.changes.changed_means
    paths = compared_paths(old, new, everything=meaning == "byte_code")
    old_methods = old.methods([path for path in old.paths(side) if path in paths])
    new_methods = new.methods([path for path in new.paths(side) if path in paths])
    old_code, new_code = old.byte_code(side), new.byte_code(side)
    deltas = compare_methods(old_methods, new_methods, old_code.methods, new_code.methods, meaning)
    if side is Side.TEST:
        tests = {(test.path, test.method.key) for view in (old, new) for test in view.tests if not is_inherited(test)}
        deltas = [
            delta
            for delta in deltas
            if not any((place.path, delta.key) in tests for place in (delta.old, delta.new) if place is not None)
        ]
        yield from TestChanges(old, new, paths, old_code.methods, new_code.methods).records()
    for delta in deltas:
        if delta.kind is not ChangeKind.UNCHANGED or (side is Side.TEST and delta.byte_code_differs):
            yield as_record(old, new, side, delta, None, (new_code if delta.new else old_code).copied)


class TestChanges:
    """The change of each test between two revisions; see `testevo.revisions.test_ends`.

    A test that runs at one end only is inserted or removed, also where the other end declares its method and no engine
    runs it there; the record then has both places.
    """

    __test__ = False

    def __init__(
        self,
        old: RevisionView,
        new: RevisionView,
        compared: Collection[str],
        old_code: Mapping[MethodKey, str],
        new_code: Mapping[MethodKey, str],
    ) -> None:
        self._old, self._new = old, new
        self._compared = compared
        self._old_code, self._new_code = old_code, new_code
        rules = new.workspace.config.rules.changes
        self._meaning, self._moved_counts_as_absent = rules.changed_means, rules.moved_counts_as_absent
        self._annotations_count = rules.test_annotations

    def records(self) -> Iterator[MethodChange]:
        for ends in test_ends(self._old.tests, self._new.tests):
            if any(is_inherited(test) for test in (ends.old, ends.new) if test is not None):
                yield from self._of_inherited(ends)
            else:
                yield from self._of_own(ends)

    def _of_own(self, ends: TestEnds) -> Iterator[MethodChange]:
        """A test that its class declares itself wherever it runs."""
        declared = ends.new or ends.old
        assert declared is not None
        delta = self._delta(declared.key, placed(ends.old), placed(ends.new))
        if ends.old is None or ends.new is None:
            other = self._old if ends.old is None else self._new
            idle = declared_at(other, declared.path, declared.key)
            if idle is not None:
                whole = self._delta(declared.key, placed(ends.old) or idle, placed(ends.new) or idle)
                delta = replace(whole, kind=delta.kind)
        delta = self._with_annotations(delta, ends)
        paths = {place.path for place in (delta.old, delta.new) if place is not None}
        if delta.kind is not ChangeKind.UNCHANGED or (delta.byte_code_differs and paths & set(self._compared)):
            yield as_record(self._old, self._new, Side.TEST, delta, declared.kind)

    def _of_inherited(self, ends: TestEnds) -> Iterator[MethodChange]:
        """A test that its class inherits at one end at least, under that class."""
        ours = None if ends.moved and self._moved_counts_as_absent else ends.old
        theirs = ends.new
        shown = theirs or ours
        if shown is None:
            return
        delta = self._with_annotations(self._delta(shown.key, placed(ours), placed(theirs)), ends)
        if delta.kind is ChangeKind.UNCHANGED:
            return
        view = self._new if theirs else self._old
        yield MethodChange(
            repository=view.workspace.repository.name,
            old_revision=self._old.revision,
            new_revision=self._new.revision,
            side=Side.TEST,
            module=view.test_key(shown).module,
            method=shown.key,
            kind=delta.kind,
            text_differs=True,
            old_path=ours.path if ours else None,
            new_path=theirs.path if theirs else None,
            old_span=ours.method.span if ours else None,
            new_span=theirs.method.span if theirs else None,
            test_kind=shown.kind,
        )

    def _with_annotations(self, delta: MethodDelta, ends: TestEnds) -> MethodDelta:
        """An unchanged method is a modified test when its annotations count and differ."""
        if delta.kind is ChangeKind.UNCHANGED and ends.annotations_differ and self._annotations_count:
            return replace(delta, kind=ChangeKind.MODIFIED, text_differs=True)
        return delta

    def _delta(self, key: MethodKey, old: PlacedMethod | None, new: PlacedMethod | None) -> MethodDelta:
        old_digest, new_digest = digest_of(old, self._old_code), digest_of(new, self._new_code)
        return compare_declarations(key, old, new, old_digest, new_digest, self._meaning)


def placed(test: DeclaredTest | None) -> PlacedMethod | None:
    """The declaration of a test and its file."""
    return None if test is None else PlacedMethod(test.declared_in_path, test.method)


def digest_of(method: PlacedMethod | None, code: Mapping[MethodKey, str]) -> str | None:
    return None if method is None else code.get(method.method.key)


def declared_at(view: RevisionView, path: str, key: MethodKey) -> PlacedMethod | None:
    """The method that a test file of a revision declares, whether or not an engine runs it."""
    methods = view.methods([path] if path in view.blobs else [])
    return next((method for method in methods if method.method.key == key), None)


def compared_paths(old: RevisionView, new: RevisionView, *, everything: bool) -> set[str]:
    """Files whose blobs differ; all files when equal text may still mean changed byte code."""
    paths = old.blobs.keys() | new.blobs.keys()
    return {path for path in paths if everything or old.blobs.get(path) != new.blobs.get(path)}


def as_record(
    old: RevisionView,
    new: RevisionView,
    side: Side,
    delta: MethodDelta,
    kind: TestKind | None,
    copied: Mapping[str, frozenset[str]] = MappingProxyType({}),
) -> MethodChange:
    """The record of a delta; `copied` are the modules that hold a class, where several do."""
    view, path = (new, delta.new.path) if delta.new else (old, delta.old.path if delta.old else "")
    place = view.place(path)
    module = place[0].path if place else ""
    return MethodChange(
        repository=new.workspace.repository.name,
        old_revision=old.revision,
        new_revision=new.revision,
        side=side,
        module=module,
        method=delta.key,
        copies=tuple(sorted(copied.get(delta.key.type_name, frozenset()) - {module})),
        key_is_shared=delta.key_is_shared,
        kind=delta.kind,
        text_differs=delta.text_differs,
        byte_code_differs=delta.byte_code_differs,
        old_path=delta.old.path if delta.old else None,
        new_path=delta.new.path if delta.new else None,
        old_span=delta.old.method.span if delta.old else None,
        new_span=delta.new.method.span if delta.new else None,
        changed_tokens=delta.changed_tokens if side is Side.PRODUCTION else 0,
        test_kind=kind,
    )
