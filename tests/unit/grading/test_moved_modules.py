"""A task whose test came to another module is graded where each end has the module."""

from pathlib import Path

import pytest
from tiny_revisions import MAIN, NEW, OLD, TESTS, MakeWorkspace, TinyWorkspace, dependency, grade, make, task_of, worker

from testevo.grading.preconditions import Preconditions
from testevo.packaging.start_states.start_state import target_file
from testevo.records.evaluation.grading import Discrimination, Grade
from testevo.records.tasks import Task, Track

__all__ = ["make", "worker"]

pytestmark = pytest.mark.maven
BREAD, TEST = f"{MAIN}/p/Bread.java", f"{TESTS}/p/BreadTest.java"


def costs(price: int) -> str:
    return (
        "package p; import static org.junit.Assert.*; import org.junit.Test; public class BreadTest {\n"
        f"@Test public void costs() {{ assertTrue(new Bread().price() >= {price}); }}\n}}"
    )


def revision(folder: str, price: int) -> dict[str, str]:
    code = f"package p; public class Bread {{ public int price() {{ return {price}; }} }}"
    return {f"{folder}/{BREAD}": code, f"{folder}/{TEST}": costs(price)}


def renamed(make: MakeWorkspace, track: Track) -> tuple[TinyWorkspace, Task]:
    """The folder of the only module gets another name while the price rises."""
    new = revision("oven", 3)
    workspace = make(revision("dough", 2), new)
    workspace.engine.modules = {OLD: "dough", NEW: "oven"}
    focal = dependency(new, f"oven/{BREAD}", "price")
    task = task_of(new, f"oven/{TEST}", ["costs"], [focal], track, f"dough/{TEST}")
    in_module = tuple(
        one.model_copy(update={"test": one.test.model_copy(update={"module": "oven"})}) for one in task.tests
    )
    return workspace, task.model_copy(update={"module": "oven", "tests": in_module})


def test_the_old_code_runs_an_edit_where_its_module_was(make: MakeWorkspace) -> None:
    workspace, task = renamed(make, Track.GENERATION)
    graded = {price: grade(workspace, task, costs(price)).methods[0] for price in (3, 1)}
    assert (graded[3].grade, graded[3].discrimination) == (Grade.SUCCESS, Discrimination.ASSERTION)
    assert graded[1].grade is Grade.REDUNDANT


def test_what_does_not_compile_on_the_old_code_is_told_by_its_place_there(make: MakeWorkspace) -> None:
    workspace, task = renamed(make, Track.GENERATION)
    content = costs(3).replace("new Bread().price() >= 3", "Bread.class != null && new Fresh().age() == 0")
    workspace.git.revisions[NEW][f"oven/{MAIN}/p/Fresh.java"] = b"package p; class Fresh { int age() { return 0; } }"  # type: ignore[index]
    [result] = grade(workspace, task, content).methods
    assert result.discrimination is Discrimination.OWN_COMPILE_ERROR


@pytest.mark.parametrize("track", list(Track))
def test_the_task_is_proven(make: MakeWorkspace, tmp_path: Path, track: Track) -> None:
    workspace, task = renamed(make, track)
    if track is Track.UPDATE:  # one that no longer holds
        exact = {
            end: {p: t.replace(b">=", b"==") for p, t in files.items()}
            for end, files in workspace.git.revisions.items()
        }
        workspace.git.revisions = exact
    target = target_file(task, workspace.git.read)
    assert Preconditions(workspace, tmp_path / "found").proven(task, target).quarantined is None  # type: ignore[arg-type]
