"""Days without any success, and the reading of made-up released files."""

from datetime import date
from pathlib import Path

from released_files import write_released

from testevo.analysis.paper.reading import doubtful_days, reading
from testevo.analysis.paper.released import read_released
from testevo.analysis.statistics.results import TaskResult
from testevo.config.model import Analysis
from testevo.records.tasks import Track


def row(system: str, task: str, day: int, success: float, **failures: float) -> TaskResult:
    return TaskResult(
        system=system,
        task_id=task,
        track=Track.UPDATE,
        repository="o/r",
        pair=f"o/r {day}",
        day=date(2024, 1, day),
        values={"success": success, **failures},
        methods=1,
    )


def test_a_day_is_doubtful_when_no_row_of_any_system_succeeds() -> None:
    """Whichever row is whose: on such a day all tasks are failed by all."""
    rows = [
        *(row(system, task, 1, 0.0, compile_fail=1.0) for system in "ab" for task in ("x", "y")),
        *(row(system, "z", 2, 0.0, exec_fail=1.0 if system == "a" else 0.5, harness_fail=0.0) for system in "ab"),
        row("a", "u", 3, 0.0, exec_fail=1.0),
        row("b", "u", 3, 0.5, exec_fail=0.5),
        row("a", "only a", 4, 0.0, exec_fail=1.0),
    ]
    found = doubtful_days(rows)
    assert [(one.day.day, one.tasks, one.told) for one in found] == [(1, 2, "CmplFail 100 %"), (2, 1, "ExecFail 75 %")]


def test_the_reading_has_both_tracks(tmp_path: Path) -> None:
    text = reading(read_released(write_released(tmp_path)), Analysis())
    for track in ("test update", "test generation"):
        for title in ("Success of every two systems on the same tasks", "Success by half-year", "Days without any"):
            assert f"### {title}" in text and track in text
