"""A snapshot as HTML for people: the funnel, the tasks with their diffs, what systems reached, and the configuration.

Every number is one of the dataset or of its graded tasks; nothing is averaged here.
"""

import difflib
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testevo.analysis.reporting.html_text import Section, document, link, markdown, numbers_list, table, text
from testevo.analysis.reporting.run_folder import funnel_of
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.records.evaluation.grading import Grade, GradedTask
from testevo.records.tasks import FunnelStage, Task, TestEvidence, Track
from testevo.runtime.clock import utc_date

SHOWN_DIFFS = 400
"""Tasks that are shown with their sources; so many more that a page grows too large for a phone are only listed."""
TRACKS = {
    Track.UPDATE: "Update tasks: the code change broke these tests, and their developers adapted them",
    Track.GENERATION: "Generation tasks: their developers wrote these tests for the new code",
}


@dataclass(frozen=True)
class SnapshotContent:
    """The contents of a page."""

    description: Mapping[str, Any]
    """As in `snapshot.json`."""
    tasks: Sequence[Task]
    funnel: Sequence[FunnelStage]
    datasheet: str
    """Markdown."""
    confusion: str | None
    """Markdown; None without embedded histories."""
    graded: Sequence[GradedTask] = ()

    @property
    def name(self) -> str:
        return str(self.description.get("snapshot", "without a name"))


def read_content(dataset: Path, graded: Sequence[GradedTask] = ()) -> SnapshotContent:
    """The contents of a dataset folder.

    Args:
        graded: results on its tasks; those on other tasks are left out.

    Raises:
        UserError: the folder holds no dataset of this version.
    """
    opened = open_dataset(dataset)
    known = {(task.task_id, task.track) for task in opened.tasks}
    return SnapshotContent(
        description=opened.description,
        tasks=opened.tasks,
        funnel=funnel_of(dataset),
        datasheet=_read(dataset / "datasheet.md") or "",
        confusion=_read(dataset / "confusion.md"),
        graded=[one for one in graded if (one.task_id, one.track) in known],
    )


def _read(file: Path) -> str | None:
    return file.read_text(encoding="utf-8") if file.is_file() else None


def snapshot_page(content: SnapshotContent) -> bytes:
    """One page with everything; equal content gives equal bytes."""
    sections = [funnel_section(content.funnel)]
    sections += [result_section(content.graded)] if content.graded else []
    sections.append(task_section(content.tasks, content.graded))
    sections += [label_section(content.confusion)] if content.confusion is not None else []
    sections.append(configuration_section(content.description))
    return document(f"Snapshot {content.name}", introduction(content), sections)


def report_pages(content: SnapshotContent) -> dict[str, bytes]:
    """The same by parts, for a report that has a menu of its own: pages by file name."""
    parts = (
        funnel_section(content.funnel),
        task_section(content.tasks),
        label_section(content.confusion),
        Section("datasheet", "Datasheet", markdown(content.datasheet)),
        configuration_section(content.description),
    )
    pages = {f"{part.name}.html": document(f"Snapshot {content.name}", "", [part]) for part in parts}
    return {"snapshot.html": snapshot_page(content), **pages}


def introduction(content: SnapshotContent) -> str:
    counts = Counter(task.track for task in content.tasks)
    numbers = {
        "repositories with tasks": len({task.repository for task in content.tasks}),
        **{f"{track.value} tasks": counts[track] for track in Track},
        "test methods": sum(len(task.tests) for task in content.tasks),
    }
    preset = text(content.description.get("preset", "not recorded"))
    return (
        "<p>Moments in the histories of Java projects where code and tests evolved together, proven by execution. "
        f"Preset <code>{preset}</code>.</p>\n{numbers_list(numbers)}"
    )


def funnel_section(funnel: Sequence[FunnelStage]) -> Section:
    """The funnel: what entered each stage, what went on, and why the rest did not."""
    if not funnel:
        return Section("funnel", "Funnel", "<p>The dataset has no funnel.</p>")
    rows = []
    for stage in funnel:
        share = 100 * stage.went_on / stage.entered if stage.entered else 0
        bar = f'<div class="bar"><div><i style="width:{share:.1f}%"></i></div></div>'
        reasons = ", ".join(f"{text(one.reason)} {one.count:,}" for one in stage.left if one.reason)
        name, entered = f"<code>{text(stage.stage)}</code>", f"{stage.entered:,}"
        rows.append((name, text(stage.unit), entered, bar, f"{stage.went_on:,}", reasons))
    note = "<p>A bar is the share that went on. What left a stage did so for one of the reasons beside it.</p>\n"
    headings = ("Stage", "What", "Entered", "", "Went on", "Left, by reason")
    return Section("funnel", "Funnel", note + table(headings, rows, (2, 4)))


def result_section(graded: Sequence[GradedTask]) -> Section:
    """How many target methods of each system ended with which grade."""
    counts: dict[tuple[Track, str], Counter[Grade]] = defaultdict(Counter)
    faults: Counter[tuple[Track, str]] = Counter()
    for one in graded:
        counts[one.track, one.system].update(method.grade for method in one.methods if one.infrastructure is None)
        faults[one.track, one.system] += one.infrastructure is not None
    rows = [
        (
            text(track.value),
            text(system),
            *(f"{counts[track, system][grade]:,}" for grade in Grade),
            f"{faults[track, system]:,}",
        )
        for track, system in sorted(counts, key=lambda key: (key[0].value, key[1]))
    ]
    headings = ("Track", "System", *(grade.value for grade in Grade), "tasks not graded")
    note = "<p>Target methods by grade, quarantined tasks included; <code>testevo report</code> averages them.</p>\n"
    return Section("results", "Results", note + table(headings, rows, range(2, len(headings))))


def task_section(tasks: Sequence[Task], graded: Sequence[GradedTask] = ()) -> Section:
    """Every task, by track and repository; most with what their developers changed."""
    results: dict[tuple[str, Track], list[GradedTask]] = defaultdict(list)
    for one in sorted(graded, key=GradedTask.sort_key):
        results[one.task_id, one.track].append(one)
    parts = []
    ordered = sorted(tasks, key=Task.sort_key)
    if len(ordered) > SHOWN_DIFFS:
        parts.append(f"<p>The first {SHOWN_DIFFS} of {len(ordered):,} tasks are shown with their sources.</p>")
    with_source = {(task.task_id, task.track) for task in ordered[:SHOWN_DIFFS]}
    for track, heading in TRACKS.items():
        own = [task for task in ordered if task.track is track]
        parts.append(f"<h3>{text(heading)} ({len(own):,})</h3>")
        parts += [_task(task, results[task.task_id, track], (task.task_id, track) in with_source) for task in own]
    return Section("tasks", "Tasks", "\n".join(parts))


def _task(task: Task, results: Sequence[GradedTask], with_source: bool) -> str:
    quarantined = f", quarantined: {text(task.quarantined)}" if task.quarantined else ""
    revisions = " to ".join(f"<code>{text(one[:10])}</code>" for one in (task.old_revision, task.new_revision))
    facts = [
        f"<p>{link(task.web_url, task.repository)}, {revisions}, {utc_date(task.new_time)}, "
        f"JDK {task.jdk}{quarantined}<br><code>{text(task.test_file)}</code></p>"
    ]
    facts += [_method(one) for one in task.tests] if with_source else []
    facts += [_reached(results)] if results else []
    names = ", ".join(one.test.name for one in task.tests)
    summary = f'<code>{text(task.task_id)}</code> <span class="faint">{text(names)}</span>'
    return f"<details><summary>{summary}</summary>\n{''.join(facts)}</details>"


def _method(evidence: TestEvidence) -> str:
    outcomes = "; ".join(f"{name.replace('_', ' ')}: {run.value}" for name, run in sorted(evidence.outcomes.items()))
    focal = f", focal method <code>{text(evidence.focal)}</code>" if evidence.focal else ""
    heading = f"<h4><code>{text(evidence.test.short)}</code> ({text(evidence.label.value)})</h4>"
    return f'{heading}<p class="faint">{text(outcomes)}{focal}</p>\n{source_diff(evidence)}\n'


def source_diff(evidence: TestEvidence) -> str:
    """The test method before and after, as a diff; all of it is new where there was none before."""
    old = (evidence.old_source or "").splitlines()
    new = evidence.new_source.splitlines()
    marks = {"+": "added", "-": "removed", "@": "hunk"}

    def line(one: str) -> str:
        kind = marks.get(one[:1])
        return f"<span{f' class={kind}' if kind else ''}>{text(one) or ' '}</span>"

    return f"<pre>{''.join(map(line, _changed(old, new)))}</pre>"


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """The lines of the diff without the two that name files."""
    lines = list(difflib.unified_diff(old, new, lineterm="", n=6))
    return iter(lines[2:] or [f" {one}" for one in new])


def _reached(results: Sequence[GradedTask]) -> str:
    rows = []
    for one in results:
        grades = Counter(method.grade.value for method in one.methods)
        words = one.infrastructure or ", ".join(f"{grade} {count}" for grade, count in sorted(grades.items()))
        rows.append((text(one.system), text(words)))
    return table(("System", "Target methods by grade"), rows)


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
