"""Method-level changes between two revisions (TEB-M16, M17)."""

from collections.abc import Iterator

from testevo.evolution.revision import RevisionView
from testevo.java.changes import MethodDelta, compare_methods
from testevo.records.changes import MethodChange
from testevo.records.methods import ChangeKind, MethodKey, Side, TestKind


def method_changes(old: RevisionView, new: RevisionView) -> list[MethodChange]:
    """Every method that is inserted, removed or differs by the configured meaning of *changed*."""
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
    for delta in compare_methods(old_methods, new_methods, old_code, new_code, meaning):
        if delta.kind is not ChangeKind.UNCHANGED:
            yield as_record(old, new, side, delta, kinds.get(delta.key))


def compared_paths(old: RevisionView, new: RevisionView, *, everything: bool) -> set[str]:
    """Files whose blobs differ; all files when equal text may still mean changed byte code."""
    paths = old.blobs.keys() | new.blobs.keys()
    return {path for path in paths if everything or old.blobs.get(path) != new.blobs.get(path)}


def test_kinds(view: RevisionView) -> dict[MethodKey, TestKind]:
    """The kind of each declared test method; inheriting classes do not change it."""
    found: dict[MethodKey, TestKind] = {}
    for test in view.tests:
        if test.kind is not TestKind.INHERITED or test.method.key not in found:
            found[test.method.key] = test.kind
    return found


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
