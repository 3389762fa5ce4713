"""The paper's tables from the released leaderboard and index (docs/reproduction.md).

Needs the released files: TESTEVO_ORACLE=<folder with leaderboard.json and index.json>. They carry no licence and are
not part of this project; without them the tests are skipped and say so. The same code runs on made-up files of their
shape in tests/unit/analysis/paper/test_released.py.
"""

import os
import re
from pathlib import Path

import pytest

from testevo.analysis.paper.reading import reading
from testevo.analysis.paper.released import Released, join_report, read_released
from testevo.analysis.paper.reproduction import (
    beyond_tolerance,
    dominating,
    printed_values,
    table_1,
    table_3,
    tables_6_to_9,
)
from testevo.analysis.statistics.audit import without_repository
from testevo.config.model import Analysis
from testevo.records.tasks import Track
from testevo.site.board import Board

PROJECT = Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"[+-]?\d+\.\d+")
ORACLE = Path(os.environ.get("TESTEVO_ORACLE", PROJECT.parent / "shared" / "oracle"))

pytestmark = pytest.mark.skipif(
    not (ORACLE / "leaderboard.json").is_file(), reason="TESTEVO_ORACLE names no folder with the released files"
)


@pytest.fixture(scope="module")
def released() -> Released:
    return read_released(ORACLE)


def test_table_3_comes_out_within_six_hundredths_of_a_point_in_every_cell(released: Released) -> None:
    """TEB-R03: 28 cells of generation, 24 of update."""
    cells = table_3(released, printed_values())
    assert len(cells) == 4 * 7 + 4 * 6
    assert beyond_tolerance(cells) == []
    assert max(abs(cell.difference) for cell in cells) < 0.00061


def test_wide_coverage_and_mutation_come_out_too(released: Released) -> None:
    """Tables 6 to 9, the wide columns."""
    cells = tables_6_to_9(released, printed_values())
    assert len(cells) == 16
    assert beyond_tolerance(cells) == []


def test_table_1_comes_out_as_far_as_the_files_tell(released: Released) -> None:
    rebuilt = {(cell.row, cell.column): cell.difference for cell in table_1(released, None, printed_values())}
    assert rebuilt["generation", "tasks"] == rebuilt["update", "tasks"] == 0
    assert abs(rebuilt["generation", "tests_per_task"]) < 0.005
    assert abs(rebuilt["update", "tests_per_task"]) < 0.005


def test_the_join_by_date_leaves_few_rows_without_a_repository(released: Released) -> None:
    assert join_report(released, Track.UPDATE) == {
        "rows": 509,
        "repository_known": 500,
        "shared_day": 9,
        "task_known": 79,
    }
    assert join_report(released, Track.GENERATION) == {
        "rows": 746,
        "repository_known": 691,
        "shared_day": 55,
        "task_known": 194,
    }


def test_the_repository_behind_exec_fail_is_found_and_its_absence_measured(released: Released) -> None:
    """29 % of the tasks, 99 to 100 % of ExecFail; 97.5 / 98.1 / 86.4 / 97.0 %."""
    found = {(track, one.key): one for track, one in dominating(released)}[Track.UPDATE, "exec_fail"]
    assert found.repository == "datumbox/datumbox-framework"
    assert found.task_share == pytest.approx(0.29, abs=0.005)
    assert all(one.rate_share > 0.99 or one.system.startswith("SWE") for one in found.by_system)
    rates = [
        without_repository(
            [one for one in released.results[Track.UPDATE] if one.system == system], found.repository, "success"
        )
        for system in released.systems[Track.UPDATE]
    ]
    assert rates == pytest.approx([0.975, 0.981, 0.864, 0.970], abs=0.0006)


def test_the_imported_leaderboard_shows_table_3(released: Released) -> None:
    """TEB-R09: what a reader of the site sees first is the printed value of every cell."""
    printed = printed_values()["table_3"]
    for track in Track:
        results, systems = released.results[track], released.systems[track]
        board = Board(f"imported-{track.value}", track, results, systems, Analysis(), imported=True)
        shown = {metric.key: metric for metric in board.metrics}
        for system, cells in printed[track.value].items():
            for key, value in cells.items():
                mean = board.average(system, shown[key]).value
                assert mean is not None and abs(100 * mean - value) < 0.061, (track, system, key)


def test_the_page_has_the_reading_of_the_files(released: Released) -> None:
    """Numbers may differ in their last digit: intervals and p values come from floating point sums."""
    page = (PROJECT / "docs" / "reproduction.md").read_text(encoding="utf-8")
    written = page.partition("<!-- reading.md begins -->")[2].partition("<!-- reading.md ends -->")[0].strip()
    made = reading(released, Analysis()).strip()
    assert NUMBER.sub("#", written) == NUMBER.sub("#", made)
    numbers = [[float(one) for one in NUMBER.findall(text)] for text in (written, made)]
    assert numbers[0] == pytest.approx(numbers[1], abs=0.11)
