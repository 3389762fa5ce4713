"""Content-addressed class trees: complete or absent, never written twice."""

from collections.abc import Callable
from pathlib import Path

import pytest

from testevo.builds.compilation.class_trees import ClassTreeStore, TreeOutcome, replace_level
from testevo.records.verdicts import Diagnostic
from testevo.runtime.errors import MachineError


def test_a_tree_is_made_once_and_found_again(tmp_path: Path) -> None:
    made = []

    def compile_into(classes: Path, scratch: Path) -> TreeOutcome:
        made.append(scratch)
        (classes / "A.class").write_text("a")
        (scratch / "generated").write_text("g")
        return TreeOutcome(success=True)

    store = ClassTreeStore(tmp_path)
    first = store.make("a" * 64, compile_into)
    again = ClassTreeStore(tmp_path).make("a" * 64, compile_into)
    assert first == again
    assert len(made) == 1
    assert sorted(file.name for file in first.folder.parent.rglob("*") if file.is_file()) == ["A.class", "outcome.json"]


def test_a_failed_compilation_is_kept_with_messages_and_without_classes(tmp_path: Path) -> None:
    diagnostic = Diagnostic(path="A.java", line=1, code="compiler.err.expected", message="';' expected")

    def compile_into(classes: Path, scratch: Path) -> TreeOutcome:
        (classes / "Half.class").write_text("x")
        return TreeOutcome(success=False, diagnostics=(diagnostic,))

    store = ClassTreeStore(tmp_path)
    store.make("b" * 64, compile_into)
    known = store.get("b" * 64)
    assert known is not None
    assert known.outcome.diagnostics == (diagnostic,)
    assert list(known.folder.iterdir()) == []


def test_an_interrupted_compilation_leaves_nothing(tmp_path: Path) -> None:
    def compile_into(classes: Path, scratch: Path) -> TreeOutcome:
        (classes / "Half.class").write_text("x")
        raise KeyboardInterrupt

    store = ClassTreeStore(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        store.make("c" * 64, compile_into)
    assert store.get("c" * 64) is None
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_tree_that_another_process_made_meanwhile_is_taken(tmp_path: Path) -> None:
    store = ClassTreeStore(tmp_path)

    def other(classes: Path, scratch: Path) -> TreeOutcome:
        (classes / "A.class").write_text("same")
        return TreeOutcome(success=True)

    def compile_into(classes: Path, scratch: Path) -> TreeOutcome:
        ClassTreeStore(tmp_path).make("d" * 64, other)
        return other(classes, scratch)

    tree = store.make("d" * 64, compile_into)
    assert tree.outcome.success
    assert [path.name for path in tree.folder.parent.parent.iterdir()] == ["d" * 64]


def test_a_level_override_replaces_every_form_of_level() -> None:
    options = ("-g", "-source", "1.6", "-target", "1.6", "-encoding", "UTF-8")
    assert replace_level(options, "8") == ("-g", "-source", "8", "-target", "8", "-encoding", "UTF-8")
    assert replace_level(("--release", "6"), "1.8") == ("--release", "8")


@pytest.mark.parametrize(
    "harm",
    [
        lambda classes: (classes / "A.class").write_bytes(b"yted"),
        lambda classes: (classes / "A.class").unlink(),
        lambda classes: (classes / "B.class").write_bytes(b"new"),
    ],
)
def test_a_tree_that_was_damaged_on_disk_is_named_and_never_used(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    """A damaged class would fail tests, and the verdict would be kept."""

    def compile_into(classes: Path, scratch: Path) -> TreeOutcome:
        (classes / "A.class").write_bytes(b"byte")
        return TreeOutcome(success=True)

    store = ClassTreeStore(tmp_path)
    tree = store.make("e" * 64, compile_into)
    harm(tree.folder)
    with pytest.raises(MachineError, match=f"{tree.folder.parent} is damaged.*Delete that folder"):
        ClassTreeStore(tmp_path).get("e" * 64)
