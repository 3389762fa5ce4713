"""Whole runs of the workflow on small embedded histories (TEB-D01)."""

import json
from pathlib import Path

import pytest
from snapshots import PROJECT, WORLDS, Snapshot, jobs_of, warm_cache

from testevo.config.snapshot.layout import STAGES
from testevo.records.tasks import Track
from testevo.sources.embedded.worlds import load_world

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("mined")]


def test_a_run_ends_with_the_tasks_that_the_authors_of_the_worlds_know(mined: Snapshot) -> None:
    """`snakemake --cores 1` goes from the source of a history to a packaged dataset (TEB-D01)."""
    dataset = mined.layout.dataset
    tracks = {
        name: len((dataset / "tasks" / f"{name}.jsonl").read_text().splitlines()) for name in ("update", "generation")
    }
    known = [load_world(PROJECT / "worlds" / name).expected["strict"].tasks for name in WORLDS]
    assert tracks == {track: sum(tasks[Track(track)] for tasks in known) for track in tracks}
    assert "Everything is as expected" in (dataset / "confusion.md").read_text()


def test_a_second_run_does_nothing(mined: Snapshot) -> None:
    """With nothing changed no job runs and no output is written again."""
    before = {file: file.stat().st_mtime_ns for file in mined.layout.root.rglob("*.jsonl")}
    finished = mined.run(mined.workflow(cores=1))
    assert finished.returncode == 0, finished.stderr
    assert jobs_of(finished.stdout + finished.stderr) == []
    assert {file: file.stat().st_mtime_ns for file in mined.layout.root.rglob("*.jsonl")} == before


def test_a_changed_filter_runs_only_the_stages_that_read_it(mined: Snapshot) -> None:
    """A dry run after a change of the rules plans no clone and no build (TEB-M21)."""
    finished = mined.run(mined.workflow("--dry-run", "--config", "rules={filters: {moves: false}}"))
    jobs = set(jobs_of(finished.stdout + finished.stderr))
    assert finished.returncode == 0, finished.stderr
    assert "triple_execute" in jobs and not jobs & {"clone", "build_check"}


def test_two_cores_give_the_bytes_of_one(mined: Snapshot, shared_cache: Path, tmp_path: Path) -> None:
    """All stage outputs and the dataset folder are equal on any number of cores."""
    twice = Snapshot.made(tmp_path, warm_cache(shared_cache, tmp_path / "cache"), {"worlds": list(WORLDS)})
    finished = twice.run(twice.workflow(cores=2))
    assert finished.returncode == 0, finished.stdout[-3000:] + finished.stderr[-3000:]
    assert twice.outputs() == mined.outputs()


def test_no_output_names_a_folder_of_this_machine(mined: Snapshot) -> None:
    """Records and dataset hold no absolute path of the machine that made them."""
    for path in mined.outputs():
        content = (mined.layout.root / path).read_bytes()
        assert str(mined.folder).encode() not in content, path


def test_status_of_a_finished_snapshot_says_done(mined: Snapshot) -> None:
    """`testevo status` knows every stage of every repository."""
    states = mined.states()
    assert {repository for repository, _ in states} == {"all", *(f"worlds/{name}" for name in WORLDS)}
    assert {state for (_, stage), state in states.items() if stage in STAGES} == {"done"}


def test_checksums_cover_the_dataset(mined: Snapshot) -> None:
    """The dataset's own list of checksums names every file in it but itself and the versions of tools."""
    dataset = mined.layout.dataset
    listed = {line.split(maxsplit=1)[1] for line in (dataset / "checksums.sha256").read_text().splitlines()}
    files = {file.relative_to(dataset).as_posix() for file in dataset.rglob("*") if file.is_file()}
    assert files - listed == {"checksums.sha256", "provenance.json"}
    assert json.loads((dataset / "funnel.json").read_bytes())
