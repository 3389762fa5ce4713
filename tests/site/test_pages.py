"""The files of a site: complete, safe, the same for the same data; and the numbers in them are those of the tables."""

import html
import json
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from built_site import Built

from testevo.analysis.statistics.intervals import interval
from testevo.analysis.statistics.windows import month
from testevo.cli.main import app
from testevo.records.tasks import Track
from testevo.runtime.errors import UserError
from testevo.site.board import Board, boards_of, month_after
from testevo.site.diffs import cut, rows_of
from testevo.site.mined_pages import differences
from testevo.site.pages import site_files
from testevo.site.rendering import POLICY
from testevo.site.system_pages import patterns_of
from tests.site.synthetic_dataset import HOSTILE, NEW_CODE, NEW_TEST

FIRST_VIEW = 300 * 1024


class References(HTMLParser):
    """Every address and element of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[tuple[str, str, dict[str, str | None]]] = []
        self.names: set[str] = set()
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.tags.add(tag)
        self.names |= given.keys()
        self.addresses += [(tag, value, given) for key in ("href", "src") if (value := given.get(key)) is not None]


def references(page: Path) -> References:
    found = References()
    found.feed(page.read_text(encoding="utf-8"))
    return found


def test_every_link_leads_to_a_file_of_the_site(built: Built) -> None:
    pages = sorted(built.site.rglob("*.html"))
    assert len(pages) > 110
    for page in pages:
        for tag, address, given in references(page).addresses:
            parts = urlparse(address)
            if parts.scheme:
                assert tag == "a" and parts.scheme in ("http", "https") and given["rel"] == "noreferrer", (
                    page,
                    address,
                )
            elif parts.path:
                assert (page.parent / unquote(parts.path)).is_file(), (page, address)


def test_no_page_runs_or_fetches_anything_but_files_of_the_site(built: Built) -> None:
    for page in built.site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        found = references(page)
        assert f'content="{html.escape(POLICY)}"' in text
        assert not found.tags & {"iframe", "object", "embed", "style", "base"}
        assert not [name for name in found.names if name.startswith("on") or name == "style"], page
        assert not re.search(r"<script(?! src=)", text), page


def test_hostile_names_and_sources_are_shown_as_text(built: Built) -> None:
    [task] = [one for one in built.content().tasks if one.tests[0].test.name == HOSTILE]
    text = (built.site / "tasks" / "generation" / f"{task.task_id}.html").read_text(encoding="utf-8")
    shown = html.escape(HOSTILE.replace("\u202e", "\\u202e"))
    assert f"AccountTest#{shown}" in text and f"// {shown}" in text
    assert HOSTILE not in text
    for chunk in (built.site / "data").glob("tasks-*.js"):
        assert "\u202e" not in chunk.read_text(encoding="utf-8")


def test_equal_data_gives_equal_bytes(built: Built) -> None:
    made = dict(site_files(built.content()))
    assert made == {name: (built.site / name).read_bytes() for name in made}


def test_the_first_view_of_each_page_is_small(built: Built) -> None:
    shared = sum(file.stat().st_size for file in (built.site / "static").iterdir())
    for page in built.site.rglob("*.html"):
        assert page.stat().st_size + shared < FIRST_VIEW, page


def boards(built: Built) -> dict[str, Board]:
    return {one.name: one for one in boards_of(built.content())}


def test_the_table_shows_the_averages_intervals_and_ranks_of_the_analysis(built: Built) -> None:
    text = (built.site / "leaderboard.html").read_text(encoding="utf-8")
    for board in boards(built).values():
        section = text.split(f'data-board="{board.name}"')[1].split("</section>")[0]
        for system in board.systems:
            row = section.split(f'data-system="{html.escape(system)}"')[1].split("</tr>")[0]
            for metric in board.metrics:
                value = board.average(system, metric).value
                assert f'data-key="{metric.key}" data-value="{"" if value is None else value}"' in row
            bounds = interval(board.by_system[system], "success", board.settings)
            if bounds.low is not None and bounds.high is not None:
                assert f"{100 * bounds.low:.1f} to {100 * bounds.high:.1f}" in row


def test_imported_results_have_boards_of_their_own(built: Built) -> None:
    found = boards(built)
    assert list(found) == ["update", "generation", "imported-update", "imported-generation"]
    assert set(found["imported-update"].systems) == {"A + m", "B + m"}
    own = {one.system for one in found["update"].results}
    assert not own & {one.system for one in found["imported-update"].results}
    text = (built.site / "leaderboard.html").read_text(encoding="utf-8")
    assert text.count("Imported from the leaderboard") == 2


def test_chunks_hold_the_values_of_every_task(built: Built) -> None:
    board = boards(built)["update"]
    data = (built.site / "data" / "board-update-success.js").read_text(encoding="utf-8")
    values = json.loads(data.removeprefix('testevo.receive("board-update-success",').removesuffix(");\n"))
    for place, system in enumerate(board.systems):
        defined = [value for value in values[place] if value is not None]
        mean = board.average(system, board.metrics[0]).value
        assert mean is not None and abs(sum(defined) / len(defined) - mean) < 1e-4


def test_intervals_of_a_window_are_those_of_its_tasks(built: Built) -> None:
    board = boards(built)["generation"]
    since, until = board.months[len(board.months) // 2], board.months[-4]
    for weight in (None, 1.0):
        for given, system in zip(board.bounds(since, until, per_repository=weight), board.systems, strict=True):
            own = [one for one in board.by_system[system] if since <= month(one.day) <= until]
            wanted = interval(own, "success", board.settings, per_repository=weight)
            assert given is not None and wanted.low is not None and wanted.high is not None
            assert given == pytest.approx((wanted.low, wanted.high), abs=1e-4)


def test_a_rank_counts_the_systems_that_are_significantly_better(built: Built) -> None:
    board = boards(built)["update"]
    found = dict(zip(board.systems, board.ranks(), strict=True))
    assert found.pop("gold") == 0
    assert min(found.values()) == 1
    worse = [one for one in board.comparisons if one.corrected is not None and one.corrected <= 0.05]
    assert sum(found.values()) - len(found) == len(worse)


def test_there_are_no_ranks_where_no_difference_could_be_significant(built: Built) -> None:
    """Else all systems were of rank 1, the best and the worst alike."""
    board = boards(built)["update"]
    few = sorted({one.repository for one in board.results})[:4]
    assert set(board.ranks()) != {0}
    small = replace(board, results=[one for one in board.results if one.repository in few])
    assert set(small.ranks()) == {0}


def test_the_month_after_a_cutoff_is_wholly_after_it() -> None:
    from datetime import date

    assert month_after(date(2025, 1, 31)) == "2025-02"
    assert month_after(date(2025, 1, 30)) == "2025-02"
    assert month_after(date(2024, 12, 31)) == "2025-01"
    assert month_after(date(2024, 12, 1)) == "2025-01"


def test_the_difference_of_snapshots_names_each_task_once(built: Built) -> None:
    content = built.content()
    rows = list(differences(content))
    assert content.before is not None
    keys = {(one.task_id, one.track) for one in content.tasks} ^ {
        (one.task_id, one.track) for one in content.before.tasks
    }
    assert {(row[2], Track(row[1])) for row in rows if row[0] in ("new", "lost")} == keys
    assert len({(row[2], row[1]) for row in rows}) == len(rows)


def test_ways_to_fail_count_every_method_that_did_not_succeed(built: Built) -> None:
    content = built.content()
    for system in content.systems:
        own = [one for one in content.graded if one.system == system]
        failed = [m for one in own if one.quarantined is None for m in one.methods if m.grade.value != "success"]
        assert sum(one.methods for one in patterns_of(own)) == len(failed)


def test_lines_stand_beside_their_counterparts() -> None:
    rows = rows_of(["a", "b", "c"], ["a", "B", "new", "c"], old_first=10, new_first=20)
    assert [(row.kind, row.old_number, row.new_number) for row in rows] == [
        ("same", 10, 20),
        ("changed", 11, 21),
        ("added", None, 22),
        ("same", 12, 23),
    ]


def test_a_cut_diff_keeps_changes_wanted_lines_and_the_count_of_the_rest() -> None:
    old = [str(number) for number in range(100)]
    rows = cut(rows_of(old, [*old[:50], "new", *old[50:]]), lambda row: row.old_number == 90)
    assert sum(row.skipped or 1 for row in rows) == 101
    assert [row.kind for row in rows].count("gap") == 3
    assert any(row.old_number == 90 for row in rows)


def test_a_folder_of_other_things_is_not_written_over(built: Built, tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("mine")
    with pytest.raises(UserError, match="something other than a site"):
        app(["site", str(built.dataset), "--output", str(tmp_path)], standalone_mode=False)
    assert (tmp_path / "precious.txt").read_text() == "mine"


def test_files_of_an_earlier_site_are_removed(built: Built, tmp_path: Path) -> None:
    site = tmp_path / "copy"
    shutil.copytree(built.site, site)
    (site / ".git").mkdir()
    own = [site / "CNAME", site / ".git" / "HEAD"]
    for file in own:
        file.write_text("mine")
    app(["site", str(built.dataset), "--output", str(site)], standalone_mode=False)
    assert [file.read_text() for file in own] == ["mine", "mine"], "no page of the earlier site"
    assert not list((site / "systems").glob("*.html"))
    assert not (site / "data" / "board-update.js").exists()


def test_repositories_have_the_size_of_their_code(built: Built) -> None:
    """Two Java files of the synthetic history: 177 lines of code, and the test with its class around it."""
    size = built.content().code.sizes["owner0/project-0"]
    assert (size.files, size.lines) == (2, len(NEW_CODE.splitlines()) + len(NEW_TEST.splitlines()) + 4)
    page = (built.site / "repositories" / "owner0__project-0.html").read_text(encoding="utf-8")
    assert f"2 Java files of {size.lines} lines" in page


def test_a_system_has_the_share_of_its_tasks_within_each_cost_cap(built: Built) -> None:
    content = built.content()
    own = [one for one in content.graded if one.system == "agent-00 + model-0" and one.quarantined is None]
    update = [one.cost_usd for one in own if one.track is Track.UPDATE and one.cost_usd is not None]
    page = (built.site / "systems" / "agent-00______model-0.html").read_text(encoding="utf-8")
    section = page.split("<h2>Within a cost cap</h2>")[1]
    for cap in content.settings.caps:
        kept = sum(cost <= cap for cost in update) / len(update)
        assert f'<td>update</td><td class="number">${cap:.2f}</td><td class="number">{100 * kept:.1f}%</td>' in section
    assert "Within a cost cap" not in (built.site / "systems" / "gold.html").read_text(encoding="utf-8")
