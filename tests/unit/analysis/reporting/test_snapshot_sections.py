"""Sections about a snapshot: every number is that of the dataset, and untrusted text stays text."""

import html
import re

from testevo.analysis.reporting.html_text import markdown, text
from testevo.analysis.reporting.snapshot_sections import configuration_section, funnel_section, report_pages
from testevo.cli.mining.summary import paper_lines
from testevo.labels.reasons.paper_funnel import beside_paper
from testevo.records.tasks import FunnelCount, FunnelStage

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


def pages() -> dict[str, str]:
    made = report_pages(DESCRIPTION, FUNNEL, HOSTILE, CONFUSION)
    return {name.removesuffix(".html"): page.decode() for name, page in made.items()}


def test_the_numbers_of_the_funnel_are_those_of_the_dataset() -> None:
    row = re.search(r"<tr><td><code>clone</code>.*?</tr>", funnel_section(FUNNEL).content)
    assert row is not None
    assert re.findall(r"[\d,]+(?=</td>)", row[0]) == ["1,234", "1,200", "34"]
    assert "isolated 34" in row[0]


def test_the_counts_of_the_paper_stand_beside_ours() -> None:
    """What went on, of repositories alone; a stage that the snapshot does not have stays empty."""
    stage = FunnelStage(
        stage="commit_pair",
        unit="repositories",
        entered=70,
        left=(FunnelCount(reason="", count=61), FunnelCount(reason="no_pair", count=9)),
    )
    here = {one.paper: one.here for one in beside_paper((*FUNNEL, stage))}
    assert here == {2262: None, 248: None, 166: 61, 152: None, 91: None}
    row = re.search(r"<tr><td>after commit-level filters</td>.*?</tr>", funnel_section((*FUNNEL, stage)).content)
    assert row is not None and re.findall(r"[\d,]+(?=</td>)", row[0]) == ["166", "61"]
    assert paper_lines([*FUNNEL, stage]) == []
    searched = stage.model_copy(update={"stage": "search"})
    said = [str(line) for line in paper_lines([searched, stage])]
    assert len(said) == 6 and "2262" in said[1] and "61" in said[1]


def test_nothing_that_others_wrote_becomes_a_mark_or_is_fetched() -> None:
    for name, page in pages().items():
        assert "<script" not in page and "javascript:" not in page, name
        assert "default-src &#x27;none&#x27;" in page, name
        assert not re.search(r"(?:src=|href=(?!\"(?:#|https?://)))", page), name
    assert html.escape(HOSTILE) in pages()["configuration"]


def test_characters_that_hide_or_turn_code_are_shown_by_their_number() -> None:
    assert text("a\u202eb\x00c\ud800") == "a\\u202eb\\x00c\N{REPLACEMENT CHARACTER}"


def test_known_labels_and_every_setting_are_shown() -> None:
    assert "<td>update</td><td class=number>34</td>" in pages()["labels"]
    assert "<code>rules.walk.limit</code></td><td><code>7</code>" in configuration_section(DESCRIPTION).content
    without = report_pages(DESCRIPTION, FUNNEL, "", None)["labels.html"].decode()
    assert "None of the histories has labels" in without


def test_the_pages_are_those_that_the_workflow_declares_and_equal_for_equal_content() -> None:
    assert tuple(pages()) == ("funnel", "labels", "datasheet", "configuration")
    assert pages() == pages()


def test_our_markdown_becomes_html() -> None:
    assert markdown("## A & b\n\n- one\n  more\n- `two`") == (
        "<h3>A &amp; b</h3>\n<ul><li>one\n  more</li><li><code>two</code></li></ul>"
    )
