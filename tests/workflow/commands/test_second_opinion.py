"""PIT is asked only where the configuration says so, and then after grading."""

from collections import Counter
from pathlib import Path

from snapshots import Snapshot, jobs_of

SOURCES = {"worlds": ["savings"]}
CONTROLS = ["gold", "trivial"]


def planned(folder: Path, **evaluation: object) -> Counter[str]:
    snapshot = Snapshot.made(folder, folder / "cache", SOURCES, evaluation={"controls": CONTROLS, **evaluation})
    finished = snapshot.run(snapshot.workflow("--dry-run", "aggregate"))
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return Counter(jobs_of(finished.stdout + finished.stderr))


def test_a_second_opinion_is_one_more_job_per_system_and_repository_and_none_by_default(tmp_path: Path) -> None:
    plain = planned(tmp_path / "plain")
    assert plain["evaluate_repository"] == len(CONTROLS)
    assert plain["second_opinion"] == 0
    asked = planned(tmp_path / "asked", second_opinion="pit")
    assert asked - plain == Counter({"second_opinion": len(CONTROLS)})
    assert not plain - asked


def test_the_table_of_agreement_is_a_target(tmp_path: Path) -> None:
    snapshot = Snapshot.made(tmp_path, tmp_path / "cache", SOURCES, evaluation={"second_opinion": "pit"})
    table = snapshot.layout.aggregate.relative_to(tmp_path) / "tables" / "second_opinion.csv"
    finished = snapshot.run(snapshot.workflow("--dry-run", str(table)))
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert {"second_opinion", "aggregate"} <= set(jobs_of(finished.stdout + finished.stderr))
