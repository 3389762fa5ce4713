"""What grading each system took, as `testevo status --costs` adds it up."""

import json
from pathlib import Path

import pytest

from testevo.cli.main import app
from testevo.config.snapshot.layout import Layout
from testevo.records.base import write_records
from testevo.records.evaluation.grading import Grade
from testevo.runtime.errors import NotFoundError, UsageError
from testevo.runtime.files.files import url_safe_name
from tests.unit.analysis.grading_factories import graded, method


def profile_line(wall: float, processor: float, *, forked: bool = False, jvms: int = 0) -> str:
    work = {"test JVMs": {"seconds": wall, "times": jvms}}
    return json.dumps({"forked": forked, "processor": processor, "wall": wall, "work": work}) + "\n"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of two systems, one called like an attempt of the other, on two repositories."""
    one, two = method(Grade.SUCCESS), method(Grade.SUCCESS, "t1")
    write_grades(tmp_path, "ours", "o+a", graded("a", one, two, system="ours"))
    write_grades(tmp_path, "ours", "o+b", graded("b", one, system="ours"))
    write_grades(tmp_path, "ours@2", "o+a", graded("a", one, system="ours@2"))
    folder = Layout(tmp_path).root / "profile" / "evaluate"
    folder.mkdir(parents=True)
    interrupted_and_again = (
        profile_line(1.5, 2, jvms=1) + profile_line(4, 5, forked=True, jvms=3) + profile_line(2.5, 7)
    )
    (folder / "o+a@ours.jsonl").write_text(interrupted_and_again)
    (folder / "o+b@ours.jsonl").write_text(profile_line(1, 9, jvms=2))
    (folder / f"o+a@{url_safe_name('ours@2')}.jsonl").write_text(profile_line(8, 36))
    (folder / "o+a@another.jsonl").write_text(profile_line(99, 99))
    (tmp_path / "config.json").write_text("{}")
    return tmp_path


def write_grades(run: Path, system: str, slug: str, record: object) -> None:
    file = run / "evaluate" / url_safe_name(system) / f"{slug}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_records(file, [record])


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    app(["status", *words], standalone_mode=False)
    return capsys.readouterr().out


def test_each_system_has_the_time_of_its_own_jobs(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [line.split() for line in said(capsys, str(run), "--costs").splitlines()]
    assert rows[-3:] == [
        ["ours", "2", "3", "5.0", "18.0", "9.00", "6"],
        ["ours@2", "1", "1", "8.0", "36.0", "36.00", "0"],
        ["all", "3", "4", "13.0", "54.0", "18.00", "6"],
    ]


def test_energy_is_processor_time_at_the_watts_of_a_core(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(said(capsys, str(run), "--costs", "--watts", "10", "--json"))
    assert {one["system"]: one["watt_hours"] for one in found} == {"ours": 0.05, "ours@2": 0.1}
    assert said(capsys, str(run), "--costs", "--watts", "10").splitlines()[-1].split()[-1] == "0.15"


def test_what_cannot_be_shown_is_an_error(run: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--watts belongs to --costs"):
        app(["status", str(run), "--watts", "10"], standalone_mode=False)
    with pytest.raises(UsageError, match="Give one of them"):
        app(["status", str(run), "--costs", "--profile"], standalone_mode=False)
    for file in run.glob("evaluate/*/*.jsonl"):
        file.unlink()
    with pytest.raises(NotFoundError, match="holds no grades"):
        app(["status", str(run), "--costs"], standalone_mode=False)
