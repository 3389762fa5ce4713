"""The page of a snapshot: every task and number is on it, and untrusted text stays text."""

import html
import json
import re
from pathlib import Path

import pytest
from grading_factories import evidence, graded, method, task

from testevo.analysis.reporting.html_text import markdown, text
from testevo.analysis.reporting.snapshot_page import SnapshotContent, read_content, report_pages, snapshot_page
from testevo.cli.main import app
from testevo.records.evaluation.grading import Grade
from testevo.records.tasks import FunnelCount, FunnelStage, Track

HOSTILE = '<script>alert("1")</script>'
FUNNEL = (
    FunnelStage(
        stage="clone",
        unit="commits",
        entered=1234,
        left=(FunnelCount(reason="", count=1200), FunnelCount(reason="isolated", count=34)),
    ),
)
DESCRIPTION = {
    "schema": 2,
    "snapshot": "some",
    "preset": "strict",
    "rules": {"walk": {"limit": 7}},
    "config": {"licence": HOSTILE},
    "versions": {"testevo": "1.2"},
}
CONFUSION = "# Labels\n\n| expected | update |\n|---|---:|\n| update | 34 |\n\nEverything is as expected.\n"


def content(**changes: object) -> SnapshotContent:
    changed = evidence().model_copy(update={"old_source": "int a;\nold();", "new_source": f"int a;\n{HOSTILE}"})
    tasks = (
        task("first", changed),
        task("second", evidence(), track=Track.GENERATION, quarantined=HOSTILE),
        task(HOSTILE, evidence()).model_copy(update={"web_url": "javascript:alert(1)"}),
    )
    given = {
        "description": DESCRIPTION,
        "tasks": tasks,
        "funnel": FUNNEL,
        "datasheet": HOSTILE,
        "confusion": CONFUSION,
        **changes,
    }
    return SnapshotContent(**given)  # type: ignore[arg-type]


def test_every_task_is_there_with_its_diff() -> None:
    page = snapshot_page(content()).decode()
    for one in content().tasks:
        assert f"<code>{html.escape(one.task_id)}</code>" in page
    assert "<span class=removed>-old();</span>" in page
    assert f"<span class=added>+{html.escape(HOSTILE)}</span>" in page


def test_the_numbers_of_the_funnel_are_those_of_the_dataset() -> None:
    page = snapshot_page(content()).decode()
    row = re.search(r"<tr><td><code>clone</code>.*?</tr>", page)
    assert row is not None
    assert re.findall(r"[\d,]+(?=</td>)", row[0]) == ["1,234", "1,200", "34"]
    assert "isolated 34" in row[0]


def test_nothing_that_others_wrote_becomes_a_mark_or_is_fetched() -> None:
    results = [graded("first", method(Grade.SUCCESS), system=HOSTILE)]
    for name, page in report_pages(content(graded=results)).items():
        shown = page.decode()
        assert "<script" not in shown and "javascript:" not in shown, name
        assert "default-src &#x27;none&#x27;" in shown, name
        assert not re.search(r"(?:src=|href=(?!\"(?:#|https?://)))", shown), name
    assert html.escape(HOSTILE) in snapshot_page(content(graded=results)).decode()


def test_characters_that_hide_or_turn_code_are_shown_by_their_number() -> None:
    assert text("a\u202eb\x00c\ud800") == "a\\u202eb\\x00c\N{REPLACEMENT CHARACTER}"


def test_results_are_counted_by_grade_only_where_something_was_graded() -> None:
    assert 'id="results"' not in snapshot_page(content()).decode()
    results = [graded("first", method(Grade.SUCCESS), method(Grade.EXEC_FAIL, "other"), system="mine")]
    page = snapshot_page(content(graded=results)).decode()
    row = re.search(r"<tr><td>update</td><td>mine</td>.*?</tr>", page)
    assert row is not None
    numbers = re.findall(r"(\d+)</td>", row[0])
    assert dict(zip(Grade, numbers, strict=False)) == {
        grade: "1" if grade in (Grade.SUCCESS, Grade.EXEC_FAIL) else "0" for grade in Grade
    }
    assert "exec_fail 1, success 1" in page


def test_known_labels_and_every_setting_are_shown() -> None:
    page = snapshot_page(content()).decode()
    assert "<td>update</td><td class=number>34</td>" in page
    assert "<code>rules.walk.limit</code></td><td><code>7</code>" in page
    assert 'id="labels"' not in snapshot_page(content(confusion=None)).decode()


def test_the_pages_are_those_that_the_workflow_declares_and_equal_for_equal_content() -> None:
    first, again = report_pages(content()), report_pages(content())
    names = ("snapshot", "funnel", "tasks", "labels", "datasheet", "configuration")
    assert tuple(name.removesuffix(".html") for name in first) == names
    assert first == again


def test_our_markdown_becomes_html() -> None:
    assert markdown("## A & b\n\n- one\n  more\n- `two`") == (
        "<h3>A &amp; b</h3>\n<ul><li>one\n  more</li><li><code>two</code></li></ul>"
    )


def dataset(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "snapshot.json").write_text(json.dumps(DESCRIPTION))
    (folder / "funnel.json").write_text(json.dumps([one.model_dump(mode="json") for one in FUNNEL]))
    (folder / "datasheet.md").write_text("# Sheet\n")
    for track in Track:
        own = [one for one in content().tasks if one.track is track]
        (folder / f"{track.value}.jsonl").write_text("".join(f"{one.line()}\n" for one in own))
    return folder


def test_results_on_tasks_of_another_dataset_are_left_out(tmp_path: Path) -> None:
    results = [graded("first", method(Grade.SUCCESS)), graded("elsewhere", method(Grade.SUCCESS))]
    read = read_content(dataset(tmp_path / "dataset"), results)
    assert [one.task_id for one in read.graded] == ["first"]
    assert read.funnel == list(FUNNEL) and read.confusion is None


def test_the_command_writes_the_page_of_a_dataset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, output = dataset(tmp_path / "dataset"), tmp_path / "some.html"
    app(["page", str(folder), "--output", str(output)], standalone_mode=False)
    assert output.read_bytes() == snapshot_page(read_content(folder))
    assert "3 tasks" in capsys.readouterr().out
