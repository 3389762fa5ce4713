"""The pages about what was mined: repositories, dropped candidates, an earlier snapshot beside it, the settings."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from testevo.analysis.reporting.dataset_tables import codebase_table, size_table
from testevo.analysis.reporting.html_text import data_table, markdown
from testevo.analysis.reporting.snapshot_sections import configuration_section, label_section
from testevo.packaging.dataset_writer import TestRecord
from testevo.packaging.series.task_states import locked_task
from testevo.records.labels import DropReason
from testevo.records.repository import Repository
from testevo.records.tasks import Task, Track
from testevo.runtime.files.files import url_safe_name
from testevo.site.content import SiteContent
from testevo.site.listings import FACET, TEXT, Field, Listing
from testevo.site.rendering import Page, trusted
from testevo.site.task_pages import page_of, success_shares

SHORT = 10
"""Characters of a revision."""


def repository_page(name: str) -> str:
    return f"repositories/{url_safe_name(name)}.html"


def repository_pages(content: SiteContent) -> Iterator[Page]:
    """The list of repositories, and a page for each that has tasks or dropped candidates."""
    tasks: dict[str, list[Task]] = defaultdict(list)
    dropped: dict[str, Counter[DropReason | None]] = defaultdict(Counter)
    for task in content.tasks:
        tasks[task.repository].append(task)
    for one in content.dropped:
        dropped[one.repository][one.reason] += 1
    known = content.dataset.repositories
    code = content.code
    rows = [(known[name], _tracks(tasks[name]), dropped[name].total(), code.sizes.get(name)) for name in sorted(known)]
    tables = (codebase_table(content.tasks, code.sizes), size_table(content.tasks, code.tokens))
    summary = trusted("".join(map(data_table, tables)))
    yield Page(
        "repositories.html",
        "repositories.html",
        "Repositories",
        {"rows": rows, "summary": summary, "page_of": repository_page},
    )
    by_system, shares = _success_by_repository(content), success_shares(content)
    for name, repository in sorted(known.items()):
        values = {
            "repository": repository,
            "address": safe_address(repository),
            "tasks": tasks[name],
            "page_of": partial(page_of, content),
            "name_of": content.name_of,
            "shares": shares,
            "dropped": dropped[name].most_common(),
            "size": code.sizes.get(name),
            "reached": by_system.get(name, []),
        }
        yield Page(repository_page(name), "repository.html", name, values)


def _tracks(tasks: Sequence[Task]) -> dict[Track, int]:
    return {track: sum(one.track is track for one in tasks) for track in Track}


def safe_address(repository: Repository) -> str | None:
    address = repository.web_url or repository.clone_url
    return address if address is not None and address.startswith(("https://", "http://")) else None


def _success_by_repository(content: SiteContent) -> dict[str, list[tuple[str, Track, int, float]]]:
    """By repository: system, track, tasks, mean success."""
    values: dict[tuple[str, str, Track], list[float]] = defaultdict(list)
    for one in content.results:
        value = one.values.get("success")
        if one.excluded is None and value is not None:
            values[one.repository, one.system, one.track].append(value)
    found = defaultdict(list)
    for (repository, system, track), own in sorted(values.items()):
        found[repository].append((system, track, len(own), sum(own) / len(own)))
    return dict(found)


def dropped_page(content: SiteContent) -> Page:
    """The candidates that are part of no task: how many for each reason, and each with its own."""
    fields = (
        Field("Reason", FACET),
        Field("Repository", FACET),
        Field("Test method", TEXT),
        Field("Change", FACET),
        Field("Label", FACET),
        Field("Pair", TEXT),
        Field("Runs", TEXT),
        Field("Detail", TEXT),
    )
    listing = Listing("dropped", fields, [_dropped_row(one) for one in content.dropped])
    counts = Counter(one.reason for one in content.dropped)
    reasons = [(reason, counts[reason]) for reason in DropReason if counts[reason]]
    values = {"listing": listing, "reasons": reasons, "total": len(content.dropped)}
    return Page("dropped.html", "dropped.html", "Dropped candidates", values)


def _dropped_row(one: TestRecord) -> list[Any]:
    runs = ", ".join(
        f"{name.replace('_', ' ')}: {outcomes[0].value}" for name, outcomes in sorted(one.outcomes.items())
    )
    return [
        one.reason.value if one.reason else "",
        one.repository,
        one.test.short,
        one.change.value,
        one.label.value,
        f"{one.old_revision[:SHORT]}..{one.new_revision[:SHORT]}",
        runs,
        (one.detail or "")[:300],
    ]


def snapshots_page(content: SiteContent) -> Page:
    """What differs from the earlier snapshot, task by task."""
    fields = (
        Field("Difference", FACET),
        Field("Track", FACET),
        Field("Task", TEXT),
        Field("Repository", FACET),
        Field("Why", TEXT),
    )
    rows = sorted(differences(content))
    counts = Counter(row[0] for row in rows)
    listing = Listing("snapshots", fields, rows)
    earlier = content.before.description.get("snapshot", "without a name") if content.before else None
    values = {"listing": listing, "earlier": earlier, "counts": counts}
    return Page("snapshots.html", "snapshots.html", "Snapshots", values)


def differences(content: SiteContent) -> Iterator[list[str]]:
    """Rows of kind, track, task, repository and reason; none where there is no earlier snapshot."""
    if content.before is None:
        return
    was = {(one.task_id, one.track): one for one in content.before.tasks}
    now = {(one.task_id, one.track): one for one in content.tasks}
    reasons = {(one.repository, one.new_revision, one.test): one for one in content.dropped}
    for key in was.keys() | now.keys():
        old, new = was.get(key), now.get(key)
        if old is not None and new is not None:
            if old.quarantined is None and new.quarantined is not None:
                yield ["quarantined", new.track.value, new.task_id, new.repository, new.quarantined]
            elif old.quarantined is not None and new.quarantined is None:
                yield ["released from quarantine", new.track.value, new.task_id, new.repository, old.quarantined]
            elif locked_task(old, "") != locked_task(new, ""):
                yield ["changed", new.track.value, new.task_id, new.repository, "what was proven or measured differs"]
        elif new is not None:
            yield ["new", new.track.value, new.task_id, new.repository, new.quarantined or ""]
        elif old is not None:
            drops = {
                one.reason.value: one.reason.doc
                for test in old.tests
                if (one := reasons.get((old.repository, old.new_revision, test.test))) and one.reason
            }
            yield ["lost", old.track.value, old.task_id, old.repository, ", ".join(sorted(drops)) or "no longer mined"]


def about_page(content: SiteContent) -> Page:
    """Datasheet, known labels of embedded histories, and every setting."""
    folder = content.dataset.folder
    confusion = folder / "confusion.md"
    sheet = folder / "datasheet.md"
    labels = label_section(confusion.read_text(encoding="utf-8") if confusion.is_file() else None)
    values = {
        "sheet": trusted(markdown(sheet.read_text(encoding="utf-8") if sheet.is_file() else "")),
        "labels": trusted(labels.content),
        "settings": trusted(configuration_section(content.dataset.description).content),
    }
    return Page("about.html", "about.html", "About the data", values)
