"""Shipped results are not mined again, and the sample is compared file by file (docs/artifact.md, TEB-M21)."""

import shutil
from pathlib import Path

import pytest
import yaml
from snapshots import Snapshot, command_line, one_message

from testevo.cli.mining.import_results import planned_jobs
from testevo.config.load import load_config
from testevo.config.resolved import write_resolved
from testevo.runtime.files.files import file_digest

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("mined")]

IMPORT = command_line("import", "results/small", "--configuration", "snapshot.yaml")
LEFT_OUT = ("scratch", "progress", "profile", "lock", "evaluate", "graded", "validate", "aggregate")


@pytest.fixture
def shipped(mined: Snapshot, tmp_path: Path) -> Snapshot:
    """The results of a snapshot in a folder where Snakemake has never run, with times of today as after unpacking.

    As they were mined: other tests grade the same snapshot with settings of their own.
    """
    shutil.copy(mined.folder / "snapshot.yaml", tmp_path / "snapshot.yaml")
    for file in sorted(mined.layout.root.rglob("*")):
        place = tmp_path / "results" / "small" / file.relative_to(mined.layout.root)
        if file.is_dir() or file.relative_to(mined.layout.root).parts[0] in LEFT_OUT:
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, place)
    made = Snapshot(tmp_path)
    write_resolved(load_config(yaml.safe_load((tmp_path / "snapshot.yaml").read_text())), made.layout.config)
    return made


def planned(snapshot: Snapshot) -> list[str]:
    """The jobs that a run would do, without the target itself."""
    finished = snapshot.run(snapshot.workflow("--dry-run", "all"))
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return [rule for rule in planned_jobs(finished.stdout + finished.stderr) if rule != "all"]


def changed(snapshot: Snapshot, **sections: dict[str, object]) -> None:
    """Set keys of the snapshot's configuration."""
    file = snapshot.folder / "snapshot.yaml"
    given = yaml.safe_load(file.read_text())
    for name, keys in sections.items():
        given[name] = {**given.get(name, {}), **keys}
    file.write_text(yaml.safe_dump(given))


def test_imported_results_are_not_made_again_and_a_changed_key_is(shipped: Snapshot) -> None:
    """Without it stages would run again; after `testevo import` nothing; after a changed key what depends on it."""
    assert "build_check" in planned(shipped)
    before = shipped.outputs()
    finished = shipped.run(IMPORT)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "nothing of all is to be done" in finished.stdout
    assert planned(shipped) == [] and shipped.outputs() == before
    changed(shipped, refactoring={"seconds": 77})
    again = planned(shipped)
    assert "refactoring_filter" in again and not {"clone", "build_check", "triple_execute"} & set(again)
    changed(shipped, execution={"method_seconds": 21})
    assert {"build_check", "triple_execute"} <= set(planned(shipped))


def test_results_of_another_configuration_are_not_imported(shipped: Snapshot) -> None:
    """What is told to be up to date would be believed for ever; the stages that differ are named."""
    changed(shipped, refactoring={"seconds": 77})
    message = one_message(shipped.run(IMPORT), 3)
    assert "refactoring_filter" in message and "build_check" not in message
    assert "refactoring_filter" in planned(shipped)


def test_a_damaged_dataset_is_not_imported(shipped: Snapshot) -> None:
    """It is held against its own checksums; the file is named."""
    shipped.layout.dataset.joinpath("answers/update.jsonl").write_text("")
    assert "update.jsonl" in one_message(shipped.run(IMPORT), 3)


def test_a_mined_dataset_is_compared_with_what_is_expected(mined: Snapshot, tmp_path: Path) -> None:
    """Status 0 when every file is as listed; else each difference by name, and status 3."""
    script = str(Path(__file__).resolve().parents[3] / "scripts" / "reproduce_sample.py")
    expected = tmp_path / "expected.sha256"
    compare = [*command_line()[:1], script, "--expected", str(expected)]
    compare += ["--dataset", str(mined.layout.dataset / "checksums.sha256")]
    assert mined.run([*compare, "--write"]).returncode == 0
    same = mined.run(compare)
    assert same.returncode == 0 and "as expected" in same.stderr
    lines = [line for line in expected.read_text().splitlines() if not line.endswith("  funnel.json")]
    tasks = mined.layout.dataset / "tasks/update.jsonl"
    expected.write_text("\n".join(lines).replace(file_digest(tasks), "0" * 64) + f"\n{'0' * 64}  gone.jsonl\n")
    message = one_message(mined.run(compare), 3)
    for said in ("differs: tasks/update.jsonl", "not expected: funnel.json", "missing: gone.jsonl"):
        assert said in message
