"""Sections about a snapshot, as HTML for people: the funnel, the known labels, the datasheet and the configuration.

The site (`testevo.site`) and Snakemake's report show the same ones.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from testevo.analysis.reporting.html_text import Section, document, markdown, table, text
from testevo.labels.reasons.paper_funnel import beside_paper
from testevo.records.tasks import FunnelStage


def report_pages(
    description: Mapping[str, Any], funnel: Sequence[FunnelStage], datasheet: str, confusion: str | None
) -> dict[str, bytes]:
    """A page per section, by file name, for a report that has a menu of its own.

    Args:
        description: as in `snapshot.json`.
        funnel: the stages in order.
        datasheet: Markdown.
        confusion: Markdown; None without embedded histories.
    """
    parts = (
        funnel_section(funnel),
        label_section(confusion),
        Section("datasheet", "Datasheet", markdown(datasheet)),
        configuration_section(description),
    )
    title = f"Snapshot {description.get('snapshot', 'without a name')}"
    return {f"{part.name}.html": document(title, "", [part]) for part in parts}


def funnel_section(funnel: Sequence[FunnelStage]) -> Section:
    """The funnel: what entered each stage, what went on, and why the rest did not."""
    if not funnel:
        return Section("funnel", "Funnel", "<p>The dataset has no funnel.</p>")
    rows = []
    for stage in funnel:
        share = 100 * stage.went_on / stage.entered if stage.entered else 0
        bar = (
            '<svg class="bar" aria-hidden="true"><rect class="rest" width="100%" height="100%"/>'
            f'<rect width="{share:.1f}%" height="100%"/></svg>'
        )
        reasons = ", ".join(f"{text(one.reason)} {one.count:,}" for one in stage.left if one.reason)
        name, entered = f"<code>{text(stage.stage)}</code>", f"{stage.entered:,}"
        rows.append((name, text(stage.unit), entered, bar, f"{stage.went_on:,}", reasons))
    note = "<p>A bar is the share that went on. What left a stage did so for one of the reasons beside it.</p>\n"
    headings = ("Stage", "What", "Entered", "Share", "Went on", "Left, by reason")
    return Section("funnel", "Funnel", note + table(headings, rows, (2, 4)) + _paper_table(funnel))


def _paper_table(funnel: Sequence[FunnelStage]) -> str:
    """The paper's counts of repositories beside ours."""
    rows = [
        (
            text(one.what),
            f"{one.paper:,}",
            f"<code>{text(one.stage)}</code>" if one.stage else "no count of its own",
            "" if one.here is None else f"{one.here:,}",
        )
        for one in beside_paper(funnel)
    ]
    note = "<p>Repositories in the paper, and what the stages here leave that count the same.</p>\n"
    return note + table(("In the paper", "Repositories", "Stage here", "Repositories here"), rows, (1, 3))


def label_section(confusion: str | None) -> Section:
    """The labels mined in the embedded histories against those of their authors."""
    content = markdown(confusion) if confusion else "<p>None of the histories has labels that are known before.</p>"
    return Section("labels", "Known labels", content)


def configuration_section(description: Mapping[str, Any]) -> Section:
    """Everything that was configured, setting by setting."""
    settings = {**description.get("config", {}), "rules": description.get("rules", {})}
    rows = [(f"<code>{text(name)}</code>", f"<code>{text(value)}</code>") for name, value in _flat(settings)]
    versions = ", ".join(f"{name} {version}" for name, version in sorted(description.get("versions", {}).items()))
    note = f"<p>Written by {text(versions or 'a version that is not recorded')}.</p>\n"
    return Section("configuration", "Configuration", note + table(("Setting", "Value"), rows))


def _flat(settings: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for name, value in settings.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
