"""What a failed stage leaves behind: one record whatever machine it ran on, outputs without content, files to retry."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from testevo.config.snapshot.layout import RepositoryFiles
from testevo.config.snapshot.stage_failures import (
    RULES,
    failed_files,
    failure_before,
    failure_of_shard,
    failures_of,
    recorded,
    without_places,
    write_failure,
    write_shard,
)
from testevo.grading.mutation.mutant_archive import read_collection
from testevo.records.base import read_records, write_records
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


def end(files: RepositoryFiles, rule: str, *failures: StageFailure) -> None:
    write_records(files.failure(rule), failures)


def test_a_failed_stage_leaves_files_that_can_be_read_and_are_empty(files: RepositoryFiles) -> None:
    outputs = [files.measured, files.mutants, files.mutant_archives]
    write_failure(outputs, files.failure("measure_gold"), failure("measure_gold"))
    assert read_records(files.failure("measure_gold"), StageFailure) == [failure("measure_gold")]
    assert files.measured.read_bytes() == files.mutants.read_bytes() == b""
    assert read_collection(files.mutant_archives) == {}


def test_a_stage_passes_the_failure_of_the_one_before_on(files: RepositoryFiles) -> None:
    """The first one has none before it."""
    assert failure_before(None) is None
    end(files, "commit_pair")
    assert failure_before(files.failure("commit_pair")) is None
    end(files, "commit_pair", failure("clone"))
    assert failure_before(files.failure("commit_pair")) == failure("clone")


def test_a_failed_shard_is_the_failure_of_the_repository(files: RepositoryFiles) -> None:
    """Only of the shards that the job was given: those of an earlier cut are nobody's business."""
    end(files, "clone")
    good, bad = (files.of_shard(one).finished_shard("build_check") for one in ("1of2", "2of2"))
    write_shard(good, 5)
    write_shard(bad, 0, failure("build_check", "2of2"))
    assert failure_of_shard(good) is None
    assert failure_before(files.failure("clone"), [good, bad]) == failure("build_check", "2of2")
    assert failure_before(files.failure("clone"), [good]) is None


def test_a_retry_makes_only_what_failed_itself_again(files: RepositoryFiles) -> None:
    end(files, "clone")
    good, bad = (files.of_shard(one).finished_shard("build_check") for one in ("1of2", "2of2"))
    write_shard(good, 5)
    write_shard(bad, 0, failure("build_check", "2of2"))
    for rule in RULES[3:]:
        end(files, rule, failure("build_check", "2of2"))
    assert failed_files(files) == [bad, files.failure("build_check")]


def test_only_the_last_stage_tells_of_a_repository_that_left(files: RepositoryFiles) -> None:
    end(files, "clone", failure("clone"))
    assert failures_of([files]) == []
    end(files, "measure_gold", failure("clone"))
    assert failures_of([files]) == [failure("clone")]


def test_a_damaged_note_of_a_shard_is_named(tmp_path: Path) -> None:
    (tmp_path / "1of2.json").write_text("[]")
    with pytest.raises(UserError, match=r"1of2\.json is not the note of a shard"):
        failure_of_shard(tmp_path / "1of2.json")
