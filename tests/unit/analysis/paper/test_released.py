"""The released files joined by date, and the paper's tables rebuilt from them (TEB-R*)."""

import json
from pathlib import Path

import pytest
from released_files import leaderboard, write_released

from testevo.analysis.output.file_names import reproduction_names
from testevo.analysis.paper.released import join_report, read_released
from testevo.analysis.paper.released_tasks import read_tasks
from testevo.analysis.paper.reproduction import beyond_tolerance, dominating, printed_values, table_1, table_3, table_5
from testevo.analysis.paper.reproduction_outputs import reproduction_files
from testevo.analysis.statistics.metrics import macro
from testevo.config.model import Analysis
from testevo.records.tasks import Track
from testevo.runtime.errors import UserError

QUICK = Analysis()


def test_a_row_belongs_to_the_repository_of_its_day(tmp_path: Path) -> None:
    released = read_released(write_released(tmp_path))
    rows = [one for one in released.results[Track.UPDATE] if one.system == "A + m"]
    assert sorted(one.repository for one in rows) == [
        "o/heavy",
        "o/heavy",
        "o/heavy",
        "o/other | o/twin",
        "o/other | o/twin",
        "o/steady",
    ]


def test_days_that_repositories_share_are_not_guessed(tmp_path: Path) -> None:
    released = read_released(write_released(tmp_path))
    assert join_report(released, Track.UPDATE) == {"rows": 6, "repository_known": 4, "shared_day": 2, "task_known": 2}


def test_success_and_redundant_are_what_compatibility_section_6_says(tmp_path: Path) -> None:
    released = read_released(write_released(tmp_path))
    rows = [one for one in released.results[Track.GENERATION] if one.system == "B + m"]
    assert macro(rows, "success").value == pytest.approx(0.5)
    assert macro(rows, "redundant").value == pytest.approx(0.5)
    assert macro(rows, "coverage_pred_success").value == pytest.approx(0.8)
    assert macro(rows, "mutation_score_pred_success").value is None


def test_files_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    """The join is sound only when the dates of every system are those of the index, as a multiset."""
    board = leaderboard()
    board["tracks"]["test_update"][1]["tasks"][0]["d"] = "2016-03-01"
    with pytest.raises(UserError, match=r"rows of B \+ m in test_update do not belong to the index: .* on 2 days"):
        read_released(write_released(tmp_path, board=board))


def test_missing_files_come_with_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"index.json cannot be read.*Clone the public repository"):
        read_released(tmp_path)


def test_files_of_another_shape_are_refused(tmp_path: Path) -> None:
    write_released(tmp_path)
    (tmp_path / "index.json").write_text(json.dumps({"repos": [{}]}))
    with pytest.raises(UserError, match="not hold the released files in the expected shape"):
        read_released(tmp_path)


def test_the_dominating_repository_is_found_through_the_join(tmp_path: Path) -> None:
    found = dominating(read_released(write_released(tmp_path)))
    assert [(track, one.key, one.repository) for track, one in found] == [(Track.UPDATE, "exec_fail", "o/heavy")]
    assert [one.without_it for one in found[0][1].by_system] == [0.0, 0.0]


def test_tables_1_and_5_need_all_task_files(tmp_path: Path) -> None:
    """Counts come from the index; code methods and commit pairs only from the complete task files."""
    folder = write_released(tmp_path, with_tasks=True)
    released, tasks = read_released(folder), read_tasks(folder, 10)
    cells = {(cell.row, cell.column): cell.rebuilt for cell in table_1(released, tasks, printed_values())}
    assert cells["update", "tests_per_task"] == pytest.approx(42 / 6)
    assert cells["update", "code_per_task"] == 2
    assert cells["update", "agent_time"] is None
    sizes = {cell.column: cell.rebuilt for cell in table_5(released, tasks, printed_values())}
    assert sizes["repositories"] == 4
    assert sizes["tasks"] == pytest.approx(10 / 4)
    assert sizes["commits"] == pytest.approx((2 + 2 + 3 + 1) / 4)
    next((folder / "repos").glob("*.json")).unlink()
    assert read_tasks(folder, 10) is None


def test_systems_that_the_paper_does_not_print_have_no_cell(tmp_path: Path) -> None:
    released = read_released(write_released(tmp_path))
    assert table_3(released, printed_values()) == []


def test_differences_are_told_per_cell(tmp_path: Path) -> None:
    printed = {"table_3": {"update": {"A + m": {"success": 50.0, "exec_fail": 49.9}}, "generation": {}}}
    cells = table_3(read_released(write_released(tmp_path)), printed)
    assert [(cell.column, cell.difference) for cell in cells] == [
        ("Success", pytest.approx(0.0)),
        ("ExecFail", pytest.approx(0.001)),
    ]
    assert [cell.column for cell in beyond_tolerance(cells)] == ["ExecFail"]


def test_all_declared_files_are_made_and_equal_input_gives_equal_bytes(tmp_path: Path) -> None:
    folder = write_released(tmp_path, with_tasks=True)
    files = reproduction_files(folder, QUICK)
    assert sorted(files) == sorted(reproduction_names())
    assert "o/heavy" in files["tables/without_dominating_repository.csv"].decode()
    assert files == reproduction_files(folder, QUICK)
