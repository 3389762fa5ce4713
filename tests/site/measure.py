"""Sizes and times of a site in Chromium, opened from the disk: `python -m tests.site.measure SITE` (docs/site.md).

Makes no site: `python -m tests.site.synthetic_dataset` and `testevo site` do. Times are least, median and largest of
some turns, from the first request to the last change of the page that the reader waits for.
"""

import argparse
import shutil
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

PAINTED = "(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0)"
LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"


def leaderboard_shown(page: Page) -> None:
    wait(page, "document.querySelector('[data-board]:not([hidden])')?.dataset.ready === location.hash")


def list_shown(page: Page) -> None:
    wait(page, "document.querySelector('[data-listing]').dataset.ready !== undefined")


def wait(page: Page, condition: str) -> None:
    while not page.evaluate(condition):
        time.sleep(0.002)


def opened(browser: Browser, address: str) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.goto(address)
    return page


def timed(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - start)


def interactions(browser: Browser, root: str) -> dict[str, float]:
    """One turn of each interaction, in a context without anything cached."""
    found = {}
    page = opened(browser, f"{root}/leaderboard.html")
    leaderboard_shown(page)
    found["leaderboard: sort"] = timed(
        lambda: (page.evaluate("location.hash = 'sort=exec_fail&order=up'"), leaderboard_shown(page))
    )
    found["leaderboard: first window (loads values)"] = timed(
        lambda: (page.evaluate("location.hash = 'since=2024-06'"), leaderboard_shown(page))
    )
    found["leaderboard: another window, by repositories"] = timed(
        lambda: (
            page.evaluate("location.hash = 'since=2020-01&until=2023-12&by=repositories'"),
            leaderboard_shown(page),
        )
    )
    page.context.close()
    page = opened(browser, f"{root}/tasks.html")
    found["tasks: first search (loads all tasks)"] = timed(
        lambda: (page.evaluate("location.hash = 'q=project-3'"), list_shown(page))
    )
    page.evaluate("delete document.querySelector('[data-listing]').dataset.ready")
    found["tasks: filter and sort"] = timed(
        lambda: (page.evaluate("location.hash = 'f1=update&since=2020-01&sort=3&order=down'"), list_shown(page))
    )
    page.context.close()
    return found


def first_views(browser: Browser, root: str, site: Path) -> dict[str, tuple[float, float, float]]:
    """By page: KiB asked for, first paint, load."""
    task = next((site / "tasks" / "update").glob("*.html"))
    system = next((site / "systems").glob("agent*.html"))
    names = ["index.html", "leaderboard.html", "tasks.html", f"tasks/update/{task.name}", f"systems/{system.name}"]
    found = {}
    for name in names:
        page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        asked: list[str] = []
        page.on("request", lambda one, asked=asked: asked.append(one.url))
        page.goto(f"{root}/{name}")
        wait(page, f"{PAINTED} > 0 && {LOADED} > 0")
        files = {site / url.removeprefix(f"{root}/").partition("#")[0] for url in asked}
        size = sum(file.stat().st_size for file in files)
        found[name.split("/")[0]] = (size / 1024, page.evaluate(PAINTED), page.evaluate(LOADED))
        page.context.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.site.measure", description=__doc__)
    parser.add_argument("site", type=Path)
    parser.add_argument("--turns", type=int, default=7)
    options = parser.parse_args()
    site = options.site.absolute()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        views = [first_views(browser, site.as_uri(), site) for _ in range(options.turns)]
        for name in views[0]:
            paints, loads = ([view[name][place] for view in views] for place in (1, 2))
            print(f"{name:50} {views[0][name][0]:7.0f} KiB  paint {words(paints)}  load {words(loads)}")
        turns = [interactions(browser, site.as_uri()) for _ in range(options.turns)]
        for name in turns[0]:
            print(f"{name:50} {words([turn[name] for turn in turns])}")
        browser.close()


def words(times: list[float]) -> str:
    return f"{min(times):5.0f} / {statistics.median(times):5.0f} / {max(times):5.0f} ms"


if __name__ == "__main__":
    main()
