"""What a task claims is proven on this machine before anything is graded on it (TEB-E08)."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tiny_revisions import NEW, OLD, MakeWorkspace, TinyWorkspace, dependency, make, task_of, worker

from testevo.grading.preconditions import Preconditions
from testevo.packaging.start_states.start_state import TargetFile
from testevo.records.tasks import Task, Track

__all__ = ["make", "worker"]

pytestmark = pytest.mark.maven
MAIN, TEST = "src/main/java/p/Price.java", "src/test/java/p/PriceTest.java"


def files(cents: int, expected: int) -> dict[str, str]:
    return {
        MAIN: f"package p; public class Price {{ public int cents() {{ return {cents}; }} }}",
        TEST: "package p; import static org.junit.Assert.*; import org.junit.Test; public class PriceTest {\n"
        f"@Test public void prices() {{ assertEquals({expected}, new Price().cents()); }} }}",
    }


@pytest.fixture
def prove(tmp_path: Path) -> Callable[[TinyWorkspace, Track], Task]:
    """Proves the task of a workspace, with one folder of what was found."""

    def proven(workspace: TinyWorkspace, track: Track) -> Task:
        new = {path: text.decode() for path, text in workspace.git.revisions[NEW].items()}
        task = task_of(new, TEST, ["prices"], [dependency(new, MAIN, "cents")], track, TEST)
        target = TargetFile(TEST, workspace.git.read(OLD, TEST), new[TEST].encode())
        return Preconditions(workspace, tmp_path / "found").proven(task, target)  # type: ignore[arg-type]

    return proven


@pytest.mark.parametrize(
    ("old", "new", "track", "broken"),
    [
        (files(1, 1), files(2, 2), Track.UPDATE, None),
        (files(1, 1), files(2, 2), Track.GENERATION, None),
        (files(1, 1), files(1, 1), Track.UPDATE, "PriceTest#prices: old_test_new_code ends as passed"),
        (files(1, 1), files(1, 1), Track.GENERATION, "PriceTest#prices: new_test_old_code ends as passed"),
        (files(1, 7), files(2, 2), Track.UPDATE, "PriceTest#prices: old_test_old_code ends as assertion_failed"),
        (files(1, 1), files(2, 7), Track.GENERATION, "PriceTest#prices: new_test_new_code ends as assertion_failed"),
    ],
)
def test_a_task_that_does_not_end_as_it_claims_is_quarantined(
    make: MakeWorkspace,
    prove: Callable[[TinyWorkspace, Track], Task],
    old: dict[str, str],
    new: dict[str, str],
    track: Track,
    broken: str | None,
) -> None:
    expected = None if broken is None else f"On this machine its preconditions do not hold: {broken}."
    assert prove(make(old, new), track).quarantined == expected


def test_it_is_proven_once_and_again_for_another_way_to_run(
    make: MakeWorkspace, prove: Callable[[TinyWorkspace, Track], Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On another machine, too; a failure of the harness is not kept."""
    workspace = make(files(1, 1), files(2, 2))
    workspace.runner.without_verdict = 2
    assert "no verdict" in (prove(workspace, Track.UPDATE).quarantined or "")
    workspace.runner.asked.clear()
    assert [prove(workspace, Track.UPDATE).quarantined for _ in range(2)] == [None, None]
    assert len(workspace.runner.asked) == 3
    monkeypatch.setattr("platform.node", lambda: "another")
    assert prove(workspace, Track.UPDATE).quarantined is None
    workspace.runner.key = "another"
    assert prove(workspace, Track.UPDATE).quarantined is None
    assert len(workspace.runner.asked) == 9
