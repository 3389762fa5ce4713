"""Method-level changes between two revisions (TEB-M16, M17)."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from testevo.config.resolved import stage_key
from testevo.evolution.revision import Revisions, RevisionView
from testevo.execution.journal import Journal
from testevo.ground.files import content_key
from testevo.java.changes import MethodDelta, compare_methods
from testevo.records.changes import MethodChange
from testevo.records.methods import ChangeKind, MethodKey, Side, TestKind

HELD_PAIRS = 4


class Changes:
    """Method changes between revisions, each pair compared once; the journal keeps them across interrupted runs.

    Those asked for last are held too, since the candidates of a pair ask one after another.
    """

    def __init__(self, revisions: Revisions, journal: Journal) -> None:
        workspace = revisions.workspace
        self._revisions = revisions
        self._journal = journal
        self._stage_key = stage_key(workspace.config, "commit_pair", workspace.repository.name)
        self._held: OrderedDict[tuple[str, str], list[MethodChange]] = OrderedDict()

    def between(self, old_revision: str, new_revision: str) -> list[MethodChange]:
        ends = (old_revision, new_revision)
        if ends not in self._held:
            self._held[ends] = self._between(old_revision, new_revision)
        self._held.move_to_end(ends)
        if len(self._held) > HELD_PAIRS:
            self._held.popitem(last=False)
        return self._held[ends]

    def _between(self, old_revision: str, new_revision: str) -> list[MethodChange]:
        key = content_key(self._stage_key, old_revision, new_revision)

        def compared() -> dict[str, Any]:
            old, new = self._revisions.view(old_revision), self._revisions.view(new_revision)
            return {"changes": [change.model_dump(mode="json") for change in method_changes(old, new)]}

        known = self._journal.remembered(key, compared)
        return [MethodChange.model_validate(change) for change in known["changes"]]


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
    old_code, new_code = (
        (None, None) if meaning == "text" else (old.byte_code(side).methods, new.byte_code(side).methods)
    )
    kinds = test_kinds(old) | test_kinds(new) if side is Side.TEST else {}
    absent_when_moved = side is Side.TEST and new.workspace.config.rules.changes.moved_counts_as_absent
    deltas = compare_methods(old_methods, new_methods, old_code, new_code, meaning)
    if side is Side.TEST:
        yield from inherited_changes(old, new, {delta.key for delta in deltas if delta.kind is ChangeKind.MODIFIED})
    if absent_when_moved:
        deltas = [moved_as_inserted(delta) for delta in deltas]
    for delta in deltas:
        if delta.kind is not ChangeKind.UNCHANGED or (side is Side.TEST and delta.byte_code_differs):
            yield as_record(old, new, side, delta, kinds.get(delta.key))


def moved_as_inserted(delta: MethodDelta) -> MethodDelta:
    """A method of a moved file is absent at the old revision at that path (compatibility section 3, *Generation*)."""
    if delta.old is None or delta.new is None or delta.old.path == delta.new.path:
        return delta
    return replace(delta, kind=ChangeKind.INSERTED, text_differs=True, old=None)


def compared_paths(old: RevisionView, new: RevisionView, *, everything: bool) -> set[str]:
    """Files whose blobs differ; all files when equal text may still mean changed byte code."""
    paths = old.blobs.keys() | new.blobs.keys()
    return {path for path in paths if everything or old.blobs.get(path) != new.blobs.get(path)}


def test_kinds(view: RevisionView) -> dict[MethodKey, TestKind]:
    """The kind of each test method that runs in the class that declares it; see `inherited_changes` for the others."""
    return {test.method.key: test.kind for test in view.tests if test.kind is not TestKind.INHERITED}


def inherited_changes(old: RevisionView, new: RevisionView, modified: set[MethodKey]) -> Iterator[MethodChange]:
    """Inherited tests, under each class they run in: that class came, went, or the declaration was modified."""
    before, after = ({t.key: t for t in view.tests if t.kind is TestKind.INHERITED} for view in (old, new))
    for key in before.keys() | after.keys():
        ours, theirs = before.get(key), after.get(key)
        kind = ChangeKind.MODIFIED if ours and theirs else ChangeKind.INSERTED if theirs else ChangeKind.REMOVED
        declared = theirs or ours
        if declared is None or (kind is ChangeKind.MODIFIED and declared.method.key not in modified):
            continue
        view = new if theirs else old
        yield MethodChange(
            repository=view.workspace.repository.name,
            old_revision=old.revision,
            new_revision=new.revision,
            side=Side.TEST,
            module=view.test_key(declared).module,
            method=key,
            kind=kind,
            text_differs=True,
            old_path=ours.path if ours else None,
            new_path=theirs.path if theirs else None,
            old_span=ours.method.span if ours else None,
            new_span=theirs.method.span if theirs else None,
            test_kind=TestKind.INHERITED,
        )


def as_record(
    old: RevisionView, new: RevisionView, side: Side, delta: MethodDelta, kind: TestKind | None
) -> MethodChange:
    view, path = (new, delta.new.path) if delta.new else (old, delta.old.path if delta.old else "")
    place = view.place(path)
    return MethodChange(
        repository=new.workspace.repository.name,
        old_revision=old.revision,
        new_revision=new.revision,
        side=side,
        module=place[0].path if place else "",
        method=delta.key,
        kind=delta.kind,
        text_differs=delta.text_differs,
        byte_code_differs=delta.byte_code_differs,
        old_path=delta.old.path if delta.old else None,
        new_path=delta.new.path if delta.new else None,
        old_span=delta.old.method.span if delta.old else None,
        new_span=delta.new.method.span if delta.new else None,
        test_kind=kind,
    )
