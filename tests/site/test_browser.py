"""The site in a real Chromium, opened from the disk as a reader of `--open` does: every page, without a server.

Needs Debian's `chromium`, and npm for axe-core; what is missing is said where a test is skipped.
"""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from built_site import Built
from playwright.sync_api import Browser, Page, expect, sync_playwright

from testevo.analysis.statistics.metrics import macro
from testevo.analysis.statistics.results import included
from testevo.analysis.statistics.windows import month
from testevo.records.tasks import Track
from testevo.runtime.clock import utc_date
from testevo.site.board import boards_of
from testevo.site.mined_pages import repository_page

AXE = Path(__file__).parent / "axe"
CHROMIUM = shutil.which("chromium")
PHONE = {"width": 360, "height": 740}
A4 = {"width": 718, "height": 1047}
"""What the usual margins leave of the paper."""
WIDER = """* { font: 13pt/1.5 "DejaVu Sans Mono", "Liberation Mono", monospace !important;
  letter-spacing: .15em !important; }"""
"""Wider letters than the fonts of any machine, so that what holds with them holds elsewhere too."""
LONG = 20_000
"""Milliseconds: a busy machine is no failure."""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed (tests/tools.sh)")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Browser, built: Built) -> Iterator[Any]:
    """Open a page of the site by its name; a test fails whose pages logged an error or asked for anything elsewhere."""
    pages, wrong = [], []

    def opened(name: str, **options: Any) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        context.set_default_timeout(LONG)
        page = context.new_page()
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda asked: None if asked.url.startswith(built.site.as_uri()) else wrong.append(asked.url))
        page.on("dialog", lambda dialog: wrong.append(dialog.message))
        page.goto(f"{built.site.as_uri()}/{name}")
        pages.append(context)
        return page

    yield opened
    for one in pages:
        one.close()
    assert wrong == []


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The source of axe-core."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed, which brings axe-core")
    folder = tmp_path_factory.mktemp("axe")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(AXE / name, folder)
    done = subprocess.run(["npm", "ci", "--silent"], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"npm cannot bring axe-core: {done.stderr[-300:]}")
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text()


def systems(page: Page) -> list[str]:
    rows = page.locator("[data-board]:visible tbody tr:visible")
    return [str(one.get_attribute("data-system")) for one in rows.all()]


def settled(page: Page) -> None:
    """The leaderboard shows the state of its address, also where a click has only just led to it."""
    page.wait_for_url("**/leaderboard.html*")
    shown = "document.querySelector('[data-board]:not([hidden])')?.dataset.ready === location.hash"
    for _ in range(LONG // 50):
        if page.evaluate(shown):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"the leaderboard does not show {page.url}")


def listed(page: Page, count: int) -> None:
    expect(page.locator("[data-listing]")).to_have_attribute("data-ready", str(count), timeout=LONG)


def task_page(built: Built, track: Track = Track.UPDATE) -> str:
    return next(f"tasks/{track.value}/{one.task_id}.html" for one in built.content().tasks if one.track is track)


def test_a_click_sorts_the_leaderboard_and_the_back_button_unsorts_it(open_page: Any) -> None:
    page = open_page("leaderboard.html")
    settled(page)
    before = systems(page)
    page.get_by_role("button", name="System").click()
    settled(page)
    assert "sort=system" in page.url
    own = [name for name in systems(page) if name != "gold"]
    assert own == sorted(own) and systems(page)[-1] == "gold"
    expect(page.locator("[data-board]:visible thead th").first).to_have_attribute("aria-sort", "ascending")
    page.go_back()
    settled(page)
    assert systems(page) == before


def test_a_window_shows_the_averages_of_its_tasks(open_page: Any, built: Built) -> None:
    page = open_page("leaderboard.html")
    board = boards_of(built.content())[0]
    since, until = board.months[10], board.months[40]
    page.get_by_label("From month").select_option(since)
    page.get_by_label("To month").select_option(until)
    settled(page)
    own = [one for one in included(board.results) if since <= month(one.day) <= until]
    for system in systems(page):
        row = page.locator(f'[data-board]:visible tr[data-system="{system}"]')
        for key in ("success", "exec_fail", "coverage_pred_success"):
            value = macro([one for one in own if one.system == system], key).value
            expect(row.locator(f"[data-key={key}] [data-shown]")).to_have_text(
                "\u2013" if value is None else f"{100 * value:.1f}%"
            )
        tasks = sum(one.system == system for one in own)
        expect(row.locator("[data-count=tasks]")).to_have_text(str(tasks))


def test_an_address_shared_shows_the_same_view(open_page: Any, built: Built) -> None:
    name = "leaderboard.html#board=generation&q=agent&by=repositories&since=2019-01&columns=all&sort=exec_fail&order=up"
    page = open_page(name)
    settled(page)
    expect(page.get_by_label("System")).to_have_value("agent")
    expect(page.get_by_label("Average over")).to_have_value("repositories")
    board = boards_of(built.content())[1]
    assert len(systems(page)) == len(board.systems) - 1
    since = next(one for one in board.months if one >= "2019-01")
    low, high = board.bounds(since, per_repository=1.0)[0] or (0.0, 0.0)
    row = page.locator(f'[data-board]:visible tr[data-system="{board.systems[0]}"]')
    expect(row.locator("[data-bounds]")).to_have_text(f"{100 * low:.1f} to {100 * high:.1f}")
    expect(page.locator("[data-board]:visible th[data-key=behavioural]")).to_be_visible()


def test_every_window_has_the_intervals_of_the_analysis(open_page: Any, built: Built) -> None:
    """The browser's own formula, for windows that end anywhere and both averages; too few repositories give none."""
    page = open_page("leaderboard.html")
    compared, without = 0, 0
    for board in boards_of(built.content()):
        months = board.months
        windows = [
            ("", ""),
            *((months[at], months[-1 - at // 2]) for at in range(0, len(months) - 1, 6)),
            (months[0],) * 2,
        ]
        for since, until in windows:
            for by, weight in (("tasks", None), ("repositories", 1.0)):
                page.goto(
                    f"{built.site.as_uri()}/leaderboard.html#board={board.name}&since={since}&until={until}&by={by}"
                )
                settled(page)
                for system, wanted in zip(
                    board.systems, board.bounds(since, until, per_repository=weight), strict=True
                ):
                    shown = page.locator(f'[data-board]:visible tr[data-system="{system}"] [data-bounds]').inner_text()
                    assert shown == (f"{100 * wanted[0]:.1f} to {100 * wanted[1]:.1f}" if wanted else ""), (
                        since,
                        until,
                        by,
                    )
                    compared, without = compared + (wanted is not None), without + (wanted is None)
    assert compared > 50 and without > 10


def test_the_window_goes_with_the_reader_to_the_tasks_and_back(open_page: Any, built: Built) -> None:
    """Chosen on the leaderboard, the window filters the list, whose own choice goes to the leaderboard again."""
    tasks = built.content().tasks
    since, until = "2019-03", "2024-06"
    inside = [one for one in tasks if since <= utc_date(one.new_time).isoformat()[:7] <= until]
    page = open_page(f"leaderboard.html#board=generation&since={since}&until={until}")
    settled(page)
    page.get_by_role("link", name="The tasks of this window").click()
    listed(page, sum(one.track is Track.GENERATION for one in inside))
    expect(page.get_by_label("From month")).to_have_value(since)
    page.go_back()
    settled(page)
    expect(page.get_by_label("To month")).to_have_value(until)
    page.get_by_role("link", name="Tasks", exact=True).click()
    listed(page, len(inside))
    page.get_by_label("To month").select_option("")
    listed(page, sum(utc_date(one.new_time).isoformat()[:7] >= since for one in tasks))
    page.get_by_role("link", name="Leaderboard", exact=True).click()
    settled(page)
    expect(page.get_by_label("From month")).to_have_value(since)
    expect(page.get_by_label("To month")).to_have_value("")
    page.go_back()
    listed(page, sum(utc_date(one.new_time).isoformat()[:7] >= since for one in tasks))
    page.go_back()
    listed(page, len(inside))


def test_imported_boards_lead_to_no_tasks(open_page: Any) -> None:
    page = open_page("leaderboard.html#board=imported-update")
    settled(page)
    expect(page.get_by_role("link", name="The tasks of this window")).to_be_hidden()


def test_a_training_cutoff_sets_the_window(open_page: Any) -> None:
    page = open_page("leaderboard.html")
    settled(page)
    page.get_by_label("After the training cutoff of").select_option("Gemini 3 Pro")
    settled(page)
    assert "since=2025-02" in page.url
    expect(page.get_by_role("status")).to_contain_text("from 2025-02")


def test_imported_results_are_marked(open_page: Any) -> None:
    page = open_page("leaderboard.html")
    page.get_by_role("link", name="Test update (imported)").click()
    settled(page)
    assert set(systems(page)) == {"A + m", "B + m"}
    expect(page.get_by_text("Imported from the leaderboard").first).to_be_visible()


def test_tasks_are_searched_filtered_and_sorted(open_page: Any, built: Built) -> None:
    tasks = built.content().tasks
    page = open_page("tasks.html")
    page.get_by_label("Search").fill("project-3 account")
    own = [one for one in tasks if one.repository.endswith("project-3")]
    listed(page, len(own))
    page.get_by_label("Track").select_option("update")
    listed(page, sum(one.track is Track.UPDATE for one in own))
    page.get_by_role("button", name="Show all").click()
    listed(page, len(tasks))
    page.get_by_label("From month").select_option("2024-01")
    late = [one for one in tasks if one.new_time >= 1704067200]
    listed(page, len(late))
    page.get_by_role("button", name="Day").click()
    page.get_by_role("button", name="Day").click()
    expect(page.locator("tbody tr td.day").first).to_have_text("2026-06-30")
    page.go_back()
    expect(page.locator("tbody tr td.day").first).to_contain_text("2024-")


def test_two_clicks_lead_to_the_evidence_of_a_task(open_page: Any, built: Built) -> None:
    page = open_page("index.html")
    page.get_by_role("link", name="Tasks", exact=True).click()
    page.locator("tbody a").first.click()
    expect(page.get_by_text("Old test, new code")).to_be_visible()
    code = page.locator("table.diff").nth(1)
    expect(code.locator("td.was", has_text="addInterest(int percent) {")).to_be_visible()
    expect(code.locator("td.is", has_text="Rounding rounding")).to_be_visible()
    assert code.locator("tr.method").count() >= 6
    page.get_by_text("3 mutants", exact=True).click()
    expect(page.get_by_role("cell", name="killed by assertion")).to_be_visible()


def test_a_pattern_of_failures_leads_to_its_tasks(open_page: Any, built: Built) -> None:
    page = open_page("systems.html")
    page.get_by_role("link", name="agent-02").click()
    row = page.locator("tr", has=page.get_by_role("link", name="java.lang.NullPointerException"))
    tasks = int(row.locator("td").nth(3).inner_text())
    row.get_by_role("link").click()
    expect(page.get_by_label("Pattern")).to_have_value("java.lang.NullPointerException")
    listed(page, tasks)


def test_two_systems_stand_side_by_side(open_page: Any) -> None:
    page = open_page("compare.html")
    page.get_by_label("Other").select_option("gold")
    expect(page.locator("#compared")).to_be_visible()
    expect(page.locator("#compared .tiles li", has_text="only gold")).to_be_visible()
    assert page.locator("#compared tbody tr").count() > 0


def test_a_hostile_name_is_text(open_page: Any) -> None:
    page = open_page("tasks.html#q=onerror")
    listed(page, 1)
    expect(page.get_by_role("cell", name="<img src=x onerror=alert(1)>\\u202e")).to_be_visible()
    page.locator("tbody a").first.click()
    expect(page.locator("h2", has_text="onerror=alert(1)")).to_be_visible()
    assert page.locator("img").count() == 0


PAGES = ("index", "leaderboard", "tasks", "systems", "compare", "repositories", "dropped", "snapshots", "methods")
PAGES = (*(f"{name}.html" for name in (*PAGES, "submit", "about")), "systems/gold.html")


def test_no_page_is_wider_than_a_phone(open_page: Any, built: Built) -> None:
    """In no font: tables become cards, or scroll inside their own box."""
    page = open_page("index.html", viewport=PHONE, bypass_csp=True)
    for name in (*PAGES, task_page(built), repository_page("owner0/project-0")):
        page.goto(f"{built.site.as_uri()}/{name}")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name
        page.add_style_tag(content=WIDER)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], f"{name}, wider letters"


def test_the_keyboard_alone_sorts_and_opens(open_page: Any) -> None:
    page = open_page("leaderboard.html")
    settled(page)
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the content")
    page.locator("[data-board]:visible th button").nth(1).focus()
    page.keyboard.press("Enter")
    settled(page)
    assert "sort=rank" in page.url
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('tbody') !== null"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/systems/*.html")


def test_the_trace_of_a_run_unfolds(open_page: Any, built: Built) -> None:
    page = open_page(task_page(built))
    frame = page.get_by_text("at p.AccountTest.paysInterest(AccountTest.java:7)")
    expect(frame).to_be_hidden()
    page.get_by_text("stack trace, 5 lines").click()
    expect(frame).to_be_visible()
    library = page.get_by_text("at org.junit.jupiter.api.AssertEquals")
    weight = "one => getComputedStyle(one).fontWeight"
    assert frame.evaluate(weight) == "700" and library.evaluate(weight) == "400"


def test_dark_mode_is_dark(open_page: Any) -> None:
    shade = "getComputedStyle(document.body).backgroundColor"
    assert open_page("index.html", color_scheme="dark").evaluate(shade) == "rgb(20, 23, 26)"
    assert open_page("index.html", color_scheme="light").evaluate(shade) == "rgb(255, 255, 255)"


def test_pages_read_without_scripts(open_page: Any, built: Built) -> None:
    """Every table stands in its page, what only scripts can do is hidden or said, and details unfold."""
    page = open_page("leaderboard.html", java_script_enabled=False)
    assert page.locator("[data-board]:visible").count() == 4
    for name in PAGES:
        page.goto(f"{built.site.as_uri()}/{name}")
        assert page.locator("h1:visible").count() == 1
        assert page.locator("form:visible").count() == 0, name
    page.goto(f"{built.site.as_uri()}/tasks.html")
    assert page.locator("tbody tr:visible").count() == 50
    expect(page.get_by_text("The first 50 of 110.")).to_be_visible()
    page.get_by_role("link", name="the pages of repositories").click()
    page.locator("tbody a").first.click()
    page.locator("tbody a").first.click()
    expect(page.locator("td.is").first).to_be_visible()
    page.get_by_text("3 mutants", exact=True).click()
    expect(page.get_by_role("cell", name="survived")).to_be_visible()


OVERHANG = """() => [...document.querySelectorAll("main *")]
  .filter((one) => one.checkVisibility() && !one.closest("svg"))
  .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((one) => one.outerHTML.slice(0, 120))"""


def test_pages_print_whole(open_page: Any, built: Built) -> None:
    """On A4 nothing is cut on the right in any font, menus and forms are gone, and what was folded is shown."""
    page = open_page("index.html", viewport=A4, color_scheme="dark", bypass_csp=True)
    page.emulate_media(media="print")
    for name in (
        *PAGES,
        task_page(built),
        repository_page("owner0/project-0"),
        "leaderboard.html#columns=all&since=2020-01",
    ):
        page.goto(f"{built.site.as_uri()}/{name}")
        if "#" in name:
            settled(page)
        assert page.evaluate(OVERHANG) == [], name
        assert page.locator("nav:visible, form:visible, .more:visible").count() == 0, name
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        page.add_style_tag(content=WIDER)
        assert page.evaluate(OVERHANG) == [], f"{name}, wider letters"
    page.goto(f"{built.site.as_uri()}/{task_page(built)}")
    expect(page.get_by_role("cell", name="survived")).to_be_visible()
    expect(page.get_by_text("at p.AccountTest.paysInterest(AccountTest.java:7)")).to_be_visible()


def test_a_page_becomes_a_pdf_with_its_folded_parts(open_page: Any, built: Built, tmp_path: Path) -> None:
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed (poppler-utils)")
    page = open_page(task_page(built))
    page.pdf(path=tmp_path / "task.pdf", format="A4")
    text = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "task.pdf", "-"], capture_output=True, text=True, check=True
    ).stdout
    assert "AccountTest.java:7" in text and "survived" in text and "rounding.round(" in text
    assert "Leaderboard" not in text


def violations(page: Page, axe: str, options: str) -> list[tuple[str, str, str]]:
    """What axe finds serious or worse: page, rule, the first element."""
    page.evaluate(axe)
    result = page.evaluate(f"axe.run(document, {{ preload: false, {options} }})")
    assert result["passes"]
    return [
        (page.url, one["id"], one["nodes"][0]["html"][:200])
        for one in result["violations"]
        if one["impact"] in ("serious", "critical")
    ]


def test_axe_finds_nothing_serious(open_page: Any, built: Built, axe: str) -> None:
    page = open_page("index.html")
    found = []
    for name in (*PAGES, task_page(built), "leaderboard.html#columns=all&since=2020-01", "tasks.html#q=project"):
        page.goto(f"{built.site.as_uri()}/{name}")
        found += violations(page, axe, "resultTypes: ['violations']")
    assert found == []


def test_colours_are_told_apart_in_the_dark_and_on_a_phone(open_page: Any, built: Built, axe: str) -> None:
    page = open_page("index.html", color_scheme="dark", viewport=PHONE)
    found = []
    for name in ("index.html", "leaderboard.html", "tasks.html", "systems/gold.html", task_page(built)):
        page.goto(f"{built.site.as_uri()}/{name}")
        found += violations(page, axe, "runOnly: ['color-contrast']")
    assert found == []
