"""The memory of the stages that make and read call maps does not grow with the number of revisions (S-M4)."""

import gc
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from testevo.records.base import read_records, write_records
from testevo.records.calls import CallMap
from testevo.revisions.recorded_calls import RecordedCalls
from tests.bench.call_maps import (
    MadeRepository,
    Size,
    instrument,
    made_repository,
    run_instrument,
    run_triple_execute,
    triple_execute,
)

TESTS, CLOSURE = 12, 60
FEW, MANY = 5, 20
"""Revisions. Stages that hold the maps of all take four times the memory; half as much again is allowed."""
GROWTH = 1.5


@pytest.fixture(autouse=True)
def few_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as both ends of a pair have: what is held for a large repository would be all of this one."""
    for script in (instrument, triple_execute):
        monkeypatch.setattr(script, "RecordedCalls", partial(RecordedCalls, held=2 * TESTS))


def made(folder: Path, revisions: int) -> MadeRepository:
    repository = made_repository(folder / str(revisions), Size(TESTS, revisions, CLOSURE))
    repository.write()
    return repository


def peak_of(run: Callable[[], None]) -> int:
    gc.collect()
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_no_stage_holds_the_maps_of_all_revisions(tmp_path: Path) -> None:
    warm, few, many = (made(tmp_path, revisions) for revisions in (3, FEW, MANY))
    for stage in (run_instrument, run_triple_execute):
        stage(warm, 1)
        assert peak_of(partial(stage, many, 1)) < GROWTH * peak_of(partial(stage, few, 1)), stage.__name__


@pytest.mark.parametrize("processes", [1, 2])
def test_the_bytes_are_those_of_all_maps_at_once(processes: int, tmp_path: Path) -> None:
    repository = made(tmp_path, FEW)
    run_instrument(repository, processes)
    calls = read_records(repository.files.calls, CallMap)
    assert len(calls) == TESTS * FEW  # of the oldest, too: its tests call what the next revision modifies
    write_records(tmp_path / "at_once.jsonl", reversed(calls))
    assert repository.files.calls.read_bytes() == (tmp_path / "at_once.jsonl").read_bytes()
    assert not list(repository.files.scratch.iterdir())
    run_triple_execute(repository, processes)
    assert repository.files.first_labels.stat().st_size > 0
