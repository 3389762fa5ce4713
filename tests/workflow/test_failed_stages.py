"""A repository that makes a stage fail leaves the snapshot with a record; all others stay."""

import json
from pathlib import Path

import pytest
from opened_files import environment
from snapshots import WORLDS, Snapshot, command_line, jobs_of, warm_cache

from testevo.ground.errors import ExitStatus
from testevo.records.base import read_records
from testevo.records.failures import StageFailure

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("failed stages")]

BAD, GOOD = WORLDS
BAD_SLUG = f"worlds+{BAD}"


def funnel(snapshot: Snapshot) -> dict[str, dict[str, int]]:
    """What became of repositories, by stage and reason."""
    stages = json.loads((snapshot.layout.dataset / "funnel.json").read_bytes())
    return {
        one["stage"]: {part["reason"]: part["count"] for part in one["left"]}
        for one in stages if one["unit"] == "repositories"
    }


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory, shared_cache: Path) -> tuple[Snapshot, str]:
    """Two worlds, of which one makes `commit_pair` fail with a bug, and what `testevo mine` said."""
    folder = tmp_path_factory.mktemp("broken")
    snapshot = Snapshot.made(folder, warm_cache(shared_cache, folder / "cache"), {"worlds": list(WORLDS)})
    poison = ("commit_pair.py", f"{BAD_SLUG}/builds.jsonl")
    finished = snapshot.run(snapshot.mine(), env=environment(folder / "hook", failing=(poison,)))
    assert finished.returncode == ExitStatus.PARTIAL, finished.stdout + finished.stderr
    return snapshot, finished.stdout


def test_the_dataset_is_that_of_all_other_repositories(broken: tuple[Snapshot, str], mined: Snapshot) -> None:
    """Tasks of the good world are as if it had been mined beside a good one; the bad one is in the funnel."""
    snapshot, _ = broken
    own = f"records/worlds+{GOOD}.jsonl"
    assert (snapshot.layout.dataset / own).read_bytes() == (mined.layout.dataset / own).read_bytes()
    assert (snapshot.layout.dataset / f"records/{BAD_SLUG}.jsonl").read_bytes() == b""
    assert not (snapshot.layout.dataset / f"histories/{BAD_SLUG}.bundle").exists()
    assert (snapshot.layout.dataset / f"histories/worlds+{GOOD}.bundle").is_file()
    assert funnel(snapshot) == {"clone": {"": 2}, "commit_pair": {"": 1, "stage_failed": 1}, "package": {"": 1}}


def test_the_failure_is_a_record_without_places_of_the_machine(broken: tuple[Snapshot, str]) -> None:
    snapshot, _ = broken
    record = read_records(snapshot.layout.dataset / "failures.jsonl", StageFailure)
    assert record == read_records(snapshot.files(BAD_SLUG).failure("commit_pair"), StageFailure)
    assert [(one.repository, one.stage, one.error) for one in record] == [(f"worlds/{BAD}", "commit_pair", "KeyError")]
    assert record[0].log[-1].startswith("KeyError: 'poisoned at ")
    assert any("scripts/commit_pair.py" in line for line in record[0].log)
    assert str(snapshot.folder) not in record[0].line() and "/work" not in record[0].line()


def test_the_summary_and_the_status_name_stage_reason_log_and_next_step(broken: tuple[Snapshot, str]) -> None:
    snapshot, said = broken
    shown = snapshot.run(command_line("status", "results/small")).stdout
    log = f"results/small/logs/commit_pair/{BAD_SLUG}.log"
    for text in (said, shown):
        assert f"worlds/{BAD}: commit_pair failed with KeyError" in text and log in text and "--retry" in text
    assert "Traceback" in (snapshot.folder / log).read_text()
    states = snapshot.states()
    assert states[f"worlds/{BAD}", "build_check"] == "done"
    assert states[f"worlds/{BAD}", "commit_pair"] == "failed"
    assert states[f"worlds/{BAD}", "package"] == "skipped"
    assert states[f"worlds/{GOOD}", "package"] == "done"


def test_a_retry_runs_the_failed_stage_and_what_follows(broken: tuple[Snapshot, str], mined: Snapshot) -> None:
    """Without --retry nothing is done again; with it the snapshot becomes the one that never failed."""
    snapshot, _ = broken
    again = snapshot.run(snapshot.mine())
    assert again.returncode == ExitStatus.PARTIAL and not jobs_of(again.stdout + again.stderr)
    mended = snapshot.run(snapshot.mine("--retry"))
    assert mended.returncode == ExitStatus.OK, mended.stdout + mended.stderr
    found, wanted = snapshot.outputs(), mined.outputs()
    assert sorted(name for name in found.keys() | wanted.keys() if found.get(name) != wanted.get(name)) == []
