"""A task with two target methods, its file, and predictions about it."""

import difflib
from collections.abc import Sequence

from testevo.java.syntax import parse_java
from testevo.packaging.start_states.start_state import TargetFile, target_file
from testevo.records.evaluation.predictions import DefectKind, Edit, Prediction
from testevo.records.labels import LabelKind
from testevo.records.methods import Span, TestKey
from testevo.records.tasks import Task, Track
from tests.made_tasks import made_evidence, made_task

PATH = "src/test/java/p/ATest.java"
ID = "o_r-v1__aaaaaaa_bbbbbbb__ATest_12345678"
OLD = """package p;

import org.junit.Test;

/** Déjà vu. */
public class ATest {
    @Test
    public void adds() {
        assertEquals(3, new A().add(1, 2));
    }

    @Test
    public void keeps() {
        assertTrue(true);
    }

    // the last one
    @Test
    public void divides() {
        assertEquals(2, new A().divide(4, 2));
    }
}
"""
GOLD = OLD.replace("new A().add(1, 2)", "A.sum(1, 2)").replace("new A().divide(4, 2)", "A.quotient(4, 2)")


def task(
    track: Track = Track.UPDATE,
    gold: str = GOLD,
    targets: Sequence[str] = ("adds", "divides"),
    *,
    task_id: str = ID,
    has_old_file: bool = True,
) -> Task:
    methods = [method for method in parse_java(gold.encode(), PATH).methods if method.key.name in targets]
    evidence = (
        made_evidence(
            TestKey(module="", path=PATH, **method.key.model_dump()),
            label=LabelKind.UPDATE if track is Track.UPDATE else LabelKind.DISCRIMINATING,
            new_source=gold.encode()[method.start_byte : method.end_byte].decode(),
            new_span=Span(first_line=method.span.first_line, last_line=method.span.last_line),
        )
        for method in methods
    )
    return made_task(
        tuple(evidence),
        task_id=task_id,
        track=track,
        old_time=1_600_000_000,
        new_time=1_600_003_600,
        test_file=PATH,
        old_test_file=PATH if has_old_file else None,
    )


def target(of: Task, old: str | bytes = OLD, gold: str = GOLD) -> TargetFile:
    """The target file, as from a repository with the two revisions of it."""
    content = {of.old_revision: old.encode() if isinstance(old, str) else old, of.new_revision: gold.encode()}
    return target_file(of, lambda revision, path: content[revision] if path == PATH else None)


def prediction(*, task_id: str = ID, **form: object) -> Prediction:
    return Prediction.model_validate({"task_id": task_id, "system": "s", **form})


def lines_of(content: bytes) -> list[bytes]:
    parts = content.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def diff(old: str | bytes | None, new: str | bytes, path: str = PATH, context: int = 3) -> bytes:
    """What `diff -u` writes; no old side creates the file."""
    before = b"" if old is None else old.encode() if isinstance(old, str) else old
    after = new.encode() if isinstance(new, str) else new
    names = (b"/dev/null" if old is None else b"a/" + path.encode(), b"b/" + path.encode())
    written = []
    for line in difflib.diff_bytes(difflib.unified_diff, lines_of(before), lines_of(after), *names, n=context):
        written.append(line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n")
    return b"".join(written)


def text(patch: bytes) -> str:
    return patch.decode("utf-8", "surrogateescape")


def kinds(edit: Edit) -> list[DefectKind]:
    return [defect.kind for defect in edit.defects]


def fatal(edit: Edit) -> list[DefectKind]:
    return [defect.kind for defect in edit.defects if defect.fatal]
