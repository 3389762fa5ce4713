"""The same grading run in every sandbox gives the same records."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from snapshots import Snapshot

from testevo.grading.dataset.dataset_config import config_for
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.grading.grader import Grader
from testevo.grading.lint import submitted
from testevo.grading.result_store import ResultStore
from testevo.records.evaluation.grading import Grade, GradedTask
from testevo.sandboxes.sandbox import bubblewrap_works
from tests.sandbox.podman import Podman, missing, started

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("mined")]

REPOSITORY = "worlds/orchard"


@pytest.fixture(scope="module")
def podman() -> Iterator[Podman | None]:
    """None where there is none: then what needs it is left out."""
    if missing():
        yield None
        return
    with started() as service:
        yield service


def graded(folder: Path, mined: Snapshot, cache: Path, sandbox: str, podman: Podman | None) -> list[GradedTask]:
    """What the developer wrote and what is hostile, graded as the stage `evaluate` does it."""
    execution = {"sandbox": sandbox, "method_seconds": 10, "container_engine": podman and podman.address}
    found = []
    with DatasetHistories(mined.layout.dataset, folder / "scratch") as histories:
        config = config_for(histories.dataset, {"build": {"cache": str(cache)}, "execution": execution})
        tasks = [task for task in histories.tasks if task.repository == REPOSITORY]
        with (
            histories.workspace(REPOSITORY, config) as workspace,
            closing(Grader(workspace, ResultStore(folder / "kept"), folder / "logs", histories.mutants_of)) as grader,
        ):
            for system in ("gold", "sabotage"):
                edits = submitted(system, None, tasks, histories.target_of, repair=False)
                found += [
                    grader.grade(task, edit, histories.target_of(task)) for task, edit in zip(tasks, edits, strict=True)
                ]
    assert {record.sandbox for record in found} == {sandbox}
    return found


def without_key(record: GradedTask) -> dict[str, Any]:
    """All but what names the sandbox: the field of that name, and the key, which folders of logs are called by."""
    said = record.model_dump(mode="json", exclude={"key", "sandbox"})
    for method in said["methods"]:
        method.pop("logs")
    return said


def test_records_are_the_same_in_every_sandbox(
    mined: Snapshot, shared_cache: Path, tmp_path: Path, podman: Podman | None
) -> None:
    """All that is said of coverage, mutants and hostile tests among it."""
    confined = ["bubblewrap"] if bubblewrap_works() else []
    confined += ["docker"] if podman is not None else []
    if not confined:
        pytest.skip(f"neither bubblewrap nor Podman works on this machine ({missing()})")
    plain = graded(tmp_path / "none", mined, shared_cache, "none", podman)
    grades = {record.system: {method.grade for method in record.methods} for record in plain}
    assert grades["gold"] == {Grade.SUCCESS}
    assert Grade.SUCCESS not in grades["sabotage"]
    assert any(method.coverage and method.mutant_runs for record in plain for method in record.methods)
    for sandbox in confined:
        found = graded(tmp_path / sandbox, mined, shared_cache, sandbox, podman)
        assert [without_key(record) for record in found] == [without_key(record) for record in plain]
    if podman is not None:
        assert podman.containers() == []
