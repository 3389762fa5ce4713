"""What a failed stage leaves behind: one record whatever machine it ran on, outputs without content, files to retry."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from testevo.config.layout import RepositoryFiles
from testevo.config.stage_failures import (
    BEFORE,
    OUTPUTS,
    failed_files,
    failure_before,
    failure_of_shard,
    failures_of,
    recorded,
    without_places,
    write_failure,
    write_shard,
    write_success,
)
from testevo.grading.mutation.mutant_collection import read_collection
from testevo.records.base import read_records
from testevo.records.failures import StageFailure
from testevo.runtime.errors import UserError
from testevo.runtime.processes.pool import results_of

SLUG = "owner+name"


@pytest.fixture
def files(tmp_path: Path) -> RepositoryFiles:
    return RepositoryFiles(tmp_path, SLUG)


def failure(stage: str, shard: str = "") -> StageFailure:
    return StageFailure(repository="owner/name", stage=stage, error="KeyError", reason="x", shard=shard)


@contextmanager
def opened(process: int) -> Iterator[Callable[[int], int]]:
    yield lambda unit: {}[f"unit {unit} of {Path.cwd()}"]  # type: ignore[no-any-return]


def error_of(files: RepositoryFiles, units: int, processes: int) -> Exception:
    """The error of a bug in a unit of work."""
    try:
        results_of([7] * units, opened, processes=processes, progress=files.progress("x"), what="units")
    except Exception as error:  # noqa: BLE001 - it is the result
        return error
    raise AssertionError("nothing failed")


def test_a_bug_gives_one_record_with_one_process_and_with_several(files: RepositoryFiles) -> None:
    """What happened, and where in our code; not in which folder, and not by how many processes."""
    records = [recorded(error_of(files, 2, count), files, "commit_pair", "owner/name") for count in (1, 2)]
    assert records[0] == records[1]
    one = records[0]
    assert (one.repository, one.stage, one.error) == ("owner/name", "commit_pair", "KeyError")
    assert one.reason.startswith("'unit 7 of ") and str(Path.cwd()) not in one.line()
    assert one.log[-1].startswith("KeyError: ") and any("test_stage_failures.py" in line for line in one.log)


def test_an_error_with_a_message_is_recorded_without_a_traceback(files: RepositoryFiles) -> None:
    one = recorded(UserError(f"{files.root}/a/b.txt is not a thing. Fix it."), files, "clone", "owner/name")
    assert one.reason == ".../b.txt is not a thing. Fix it."
    assert one.log == (f"error: {one.reason}",)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("no /home/someone/x/Y.java here", "no .../Y.java here"),
        ("see https://example.org/a/b for more", "see https://example.org/a/b for more"),
        ("<object at 0x7f12ab34cd>", "<object at 0x...>"),
        ("at 12:01:59.5 it took 3.25 s", "at (time) it took ... s"),
        ("src/main/java/A.java:3", "src/main/java/A.java:3"),
        ("process 4711 ended", "process ... ended"),
    ],
)
def test_a_record_holds_nothing_of_the_machine(files: RepositoryFiles, text: str, left: str) -> None:
    assert without_places(text, files) == left


@pytest.mark.parametrize("rule", OUTPUTS)
def test_a_failed_stage_leaves_files_that_can_be_read_and_are_empty(files: RepositoryFiles, rule: str) -> None:
    write_failure(files, rule, failure(rule))
    assert read_records(files.failure(rule), StageFailure) == [failure(rule)]
    for name in OUTPUTS[rule]:
        path: Path = getattr(files, name)
        assert (read_collection(path) == {}) if path.suffix == ".zip" else (path.read_bytes() == b"")


@pytest.mark.parametrize("rule", BEFORE)
def test_each_stage_passes_the_failure_of_the_one_before_on(files: RepositoryFiles, rule: str) -> None:
    assert failure_before(files, rule, offline=False) is None
    write_success(files, BEFORE[rule])
    assert failure_before(files, rule, offline=False) is None
    write_failure(files, BEFORE[rule], failure("clone"))
    assert failure_before(files, rule, offline=False) == failure("clone")


def test_offline_the_builds_come_after_their_proof(files: RepositoryFiles) -> None:
    write_success(files, "clone")
    write_failure(files, "prove_offline", failure("warm_up"))
    assert failure_before(files, "build_check", offline=True) == failure("warm_up")
    assert failure_before(files, "build_check", offline=False) is None


def test_a_failed_shard_is_the_failure_of_the_repository(files: RepositoryFiles) -> None:
    """Only of the shards that the job was given: those of an earlier cut are nobody's business."""
    write_success(files, "clone")
    write_shard(files.of_shard("1of2"), "build_check", 5)
    write_shard(files.of_shard("2of2"), "build_check", 0, failure("build_check", "2of2"))
    write_shard(files.of_shard("1of3"), "build_check", 0, failure("build_check", "1of3"))
    assert failure_of_shard(files.of_shard("1of2").finished_shard("build_check")) is None
    found = failure_before(files, "build_check", offline=False, shards=["1of2", "2of2"])
    assert found == failure("build_check", "2of2")
    assert failure_before(files, "build_check", offline=False, shards=["1of2"]) is None


def test_a_retry_makes_only_what_failed_itself_again(files: RepositoryFiles) -> None:
    write_success(files, "clone")
    write_shard(files.of_shard("1of2"), "build_check", 5)
    write_shard(files.of_shard("2of2"), "build_check", 0, failure("build_check", "2of2"))
    write_failure(files, "build_check", failure("build_check", "2of2"))
    write_failure(files, "commit_pair", failure("build_check", "2of2"))
    failed_shard = files.of_shard("2of2").finished_shard("build_check")
    assert failed_files(files) == [failed_shard, files.failure("build_check")]


def test_only_the_last_stage_tells_of_a_repository_that_left(files: RepositoryFiles) -> None:
    write_failure(files, "clone", failure("clone"))
    assert failures_of([files]) == []
    write_failure(files, "measure_gold", failure("clone"))
    assert failures_of([files]) == [failure("clone")]


def test_a_damaged_note_of_a_shard_is_named(tmp_path: Path) -> None:
    (tmp_path / "1of2.json").write_text("[]")
    with pytest.raises(UserError, match=r"1of2\.json is not the note of a shard"):
        failure_of_shard(tmp_path / "1of2.json")
