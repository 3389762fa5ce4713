"""A test is graded as what it says, though the builds of the two ends read other encodings."""

from pathlib import Path

import pytest
from tiny_revisions import NEW, OLD, MakeWorkspace, TinyWorkspace, dependency, grade, make, task_of, worker

from testevo.grading.preconditions import Preconditions
from testevo.packaging.start_states.start_state import target_file
from testevo.records.evaluation.grading import Grade, GradedTask
from testevo.records.evaluation.predictions import DefectKind
from testevo.records.tasks import Task, Track

__all__ = ["make", "worker"]

pytestmark = pytest.mark.maven
MAIN, TEST = "src/main/java/p/Wort.java", "src/test/java/p/WortTest.java"
LATIN = "ISO-8859-1"


def files(letter: str, expected: str, encoding: str) -> dict[str, bytes]:
    """A word, and a test that holds its first letter to one of its own."""
    code = f'package p; public class Wort {{ public String größe() {{ return "{letter}"; }} }}'
    test = (
        "package p; import static org.junit.Assert.*; import org.junit.Test; public class WortTest {\n"
        f'@Test public void prüft() {{ assertEquals("{expected}", new Wort().größe()); }}\n}}'
    )
    return {MAIN: code.encode(encoding), TEST: test.encode(encoding)}


def made_of(make: MakeWorkspace, old: str, new: str, track: Track) -> tuple[TinyWorkspace, Task]:
    """Two revisions in two encodings, and the task between them."""
    workspace = make(files("é", "é", old), files("ß", "ß", new))
    workspace.engine.encodings = {OLD: old, NEW: new}
    told = {end: text.decode(new) for end, text in workspace.git.revisions[NEW].items()}
    task = task_of(told, TEST, ["prüft"], [dependency(told, MAIN, "größe")], track, TEST)
    recorded = {end: None if name == "UTF-8" else name for end, name in (("encoding", new), ("old_encoding", old))}
    return workspace, task.model_copy(update=recorded)


def graded(workspace: TinyWorkspace, task: Task, letter: str) -> GradedTask:
    return grade(workspace, task, files("", letter, task.compiled_as)[TEST])


@pytest.mark.parametrize(("old", "new"), [("UTF-8", LATIN), (LATIN, "UTF-8"), ("Cp1252", LATIN)])
@pytest.mark.parametrize("track", list(Track))
def test_letters_are_the_same_at_both_ends(
    make: MakeWorkspace, tmp_path: Path, track: Track, old: str, new: str
) -> None:
    workspace, task = made_of(make, old, new, track)
    target = target_file(task, workspace.git.read)
    assert Preconditions(workspace, tmp_path / "found").proven(task, target).quarantined is None  # type: ignore[arg-type]
    grades = {letter: graded(workspace, task, letter).methods[0].grade for letter in ("ß", "é")}
    assert grades == {"ß": Grade.SUCCESS, "é": Grade.EXEC_FAIL}


def test_what_the_old_build_cannot_read_fails_with_the_reason(make: MakeWorkspace) -> None:
    workspace, task = made_of(make, LATIN, "UTF-8", Track.GENERATION)
    said = files("", "ß", "UTF-8")[TEST] + "// €".encode()
    [result] = (found := grade(workspace, task, said)).methods
    assert (result.grade, result.new_run, found.infrastructure) == (Grade.HARNESS_FAIL, None, None)
    [defect] = found.defects
    assert (defect.kind, defect.fatal) == (DefectKind.UNWRITABLE, True)
    assert defect.message == (
        f"{TEST} cannot be put into revision 0000000: the character '€' has no form in ISO-8859-1; write Unicode "
        "escapes."
    )
    assert grade(workspace, task, said).defects == found.defects, "also when it is looked up"


@pytest.mark.parametrize("track", list(Track))
def test_a_task_without_its_encoding_is_quarantined(make: MakeWorkspace, tmp_path: Path, track: Track) -> None:
    workspace, task = made_of(make, LATIN, LATIN, track)
    unsaid = task.model_copy(update={"encoding": None, "old_encoding": None})
    target = target_file(unsaid, workspace.git.read)
    told = Preconditions(workspace, tmp_path / "found").proven(unsaid, target).quarantined  # type: ignore[arg-type]
    assert told is not None and f"compiles {TEST} as ISO-8859-1, and its task says UTF-8" in told
