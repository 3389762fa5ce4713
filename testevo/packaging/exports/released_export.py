"""Tasks in the schema of the released site data: one file per project, and an index (TEB-D05, D06).

The schema was read off the released files: key order, compact JSON with a line end, tasks sorted by date, revisions and
file; `n_changes` is the number of test methods; `dependency_methods` has one entry per overload, but
`dependency_method_urls` one per name, which points at the first of them (both without exception in 104 tasks of eight
repositories). `java_version` is the JDK that tests ran on.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

from testevo.records.labels import Dependency
from testevo.records.methods import ChangeKind
from testevo.records.tasks import Task, Track
from testevo.runtime.clock import utc_date

TRACK_KEYS = {Track.UPDATE: "test_update", Track.GENERATION: "test_generation"}
Document = dict[str, Any]


def document_bytes(document: Document) -> bytes:
    """The bytes of a released file: compact JSON, keys as given, UTF-8, one line end."""
    return (json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def project_document(tasks: Sequence[Task]) -> Document:
    """The file of one project.

    Args:
        tasks: all tasks of the project, at least one. Without a web address links are null.

    Raises:
        ValueError: no task, or tasks of several projects.
    """
    if len({task.project_name for task in tasks}) != 1:
        raise ValueError(f"a document needs the tasks of one project, got {sorted({t.project_name for t in tasks})}")
    newest = max(tasks, key=lambda task: (task.new_time, task.task_id))
    return {
        "project_name": newest.project_name,
        "display_name": newest.repository,
        "github_url": newest.web_url,
        "git_clone_url": newest.clone_url,
        "java_version": newest.jdk,
        "version": newest.version,
        "tracks": {key: [_task_row(t) for t in _of_track(tasks, track)] for track, key in TRACK_KEYS.items()},
    }


def _of_track(tasks: Iterable[Task], track: Track) -> list[Task]:
    found = [task for task in tasks if task.track == track]
    return sorted(found, key=lambda t: (utc_date(t.new_time), t.old_revision, t.new_revision, t.test_file))


def _task_row(task: Task) -> Document:
    names = list(dict.fromkeys(evidence.test.short for evidence in task.tests))
    lines = {evidence.test.short: evidence.new_span.first_line for evidence in reversed(task.tests)}
    test_urls = {name: _anchored(task, task.test_file, "R", lines[name]) for name in names}
    dependency_urls = {d.method.short: _dependency_url(task, d) for d in reversed(task.dependencies)}
    dependency_names = [dependency.method.short for dependency in task.dependencies]
    return {
        "task_id": task.task_id,
        "rev1": task.old_revision,
        "rev2": task.new_revision,
        "rev1_date": str(utc_date(task.old_time)),
        "rev2_date": str(utc_date(task.new_time)),
        "git_diff_url": compare_url(task),
        "test_file": task.test_file,
        "test_methods": names,
        "dependency_methods": dependency_names,
        "dependency_method_urls": {name: dependency_urls[name] for name in dict.fromkeys(dependency_names)},
        "test_method_urls": test_urls,
        "n_changes": len(names),
    }


def compare_url(task: Task) -> str | None:
    """The page that compares the two revisions; None without a web address."""
    return f"{task.web_url}/compare/{task.old_revision}...{task.new_revision}" if task.web_url else None


def _dependency_url(task: Task, dependency: Dependency) -> str | None:
    side = "L" if dependency.kind == ChangeKind.REMOVED else "R"
    return _anchored(task, dependency.path, side, dependency.span.first_line)


def _anchored(task: Task, path: str, side: str, line: int) -> str | None:
    """A line of the comparison: right side at the new revision, left side at the old one."""
    page = compare_url(task)
    return f"{page}#diff-{hashlib.sha256(path.encode()).hexdigest()}{side}{line}" if page else None


def index_document(projects: Iterable[Document], generated_at: str) -> Document:
    """The index over project documents (TEB-D05).

    Args:
        projects: documents of `project_document`.
        generated_at: the snapshot's own date, such as `2026-01-01T00:00:00Z`; never the time of day, which would make
            equal inputs differ.
    """
    entries = [_index_entry(document) for document in sorted(projects, key=lambda d: str(d["project_name"]))]
    return {
        "generated_at": generated_at,
        "tracks": list(TRACK_KEYS.values()),
        "stats": {key: _track_statistics(entries, key) for key in TRACK_KEYS.values()},
        "repos": entries,
    }


def _index_entry(document: Document) -> Document:
    tracks = document["tracks"]
    rows = [row for key in TRACK_KEYS.values() for row in tracks[key]]
    return {
        "project_name": document["project_name"],
        "display_name": document["display_name"],
        "github_url": document["github_url"],
        "java_version": document["java_version"],
        "version": document["version"],
        "tracks": {
            key: {
                "tasks": len(tracks[key]),
                "changes": sum(row["n_changes"] for row in tracks[key]),
                "date_range": _range(row["rev2_date"] for row in tracks[key]),
            }
            for key in TRACK_KEYS.values()
        },
        "date_range": _range(row["rev2_date"] for row in rows),
        "rev_pairs": [
            {"d": row["rev2_date"], "t": key.removeprefix("test_")[0], "n": row["n_changes"]}
            for key in TRACK_KEYS.values()
            for row in tracks[key]
        ],
    }


def _track_statistics(entries: Sequence[Document], key: str) -> Document:
    tracks = [entry["tracks"][key] for entry in entries if entry["tracks"][key]["tasks"]]
    return {
        "repos": len(tracks),
        "tasks": sum(track["tasks"] for track in tracks),
        "changes": sum(track["changes"] for track in tracks),
        "date_range": _range(day for track in tracks for day in track["date_range"]),
    }


def _range(days: Iterable[str]) -> list[str | None]:
    found = sorted(days)
    return [found[0], found[-1]] if found else [None, None]
