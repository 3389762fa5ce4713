"""The released schema (TEB-D05, D06), and the released data itself where `TESTEVO_ORACLE` has it."""

import hashlib
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from task_factories import CODE_PATH, NEW, OLD, REPOSITORY, TEST_PATH, dependency, label, repository_facts

from testevo.packaging.dataset.grouping import group_tasks
from testevo.packaging.exports.released_export import TRACK_KEYS, document_bytes, index_document, project_document
from testevo.packaging.identity import task_id
from testevo.records.labels import Dependency, LabelKind
from testevo.records.methods import ChangeKind, MethodKey, Span, TestKey, TestKind
from testevo.records.repository import Repository, SourceKind
from testevo.records.tasks import Task, TestEvidence, Track

PROJECT = Path(__file__).parents[3]
ORACLE = Path(os.environ.get("TESTEVO_ORACLE", PROJECT.parent / "shared" / "oracle"))
RELEASED = sorted((ORACLE / "released").glob("*.json"))
needs_oracle = pytest.mark.skipif(
    not RELEASED, reason=f"the released data is not in {ORACLE.name}: set TESTEVO_ORACLE to its folder"
)
PAGE = f"https://example.org/o/r/compare/{OLD}...{NEW}"


def tasks_of_example() -> list[Task]:
    labels = [
        label(
            "one",
            LabelKind.UPDATE,
            dependency("put", "int", score=0.9, line=40),
            dependency("put", "long", score=0.8, line=50),
            dependency("gone", kind=ChangeKind.REMOVED, score=0.1, line=60),
        ),
        label("new", LabelKind.DISCRIMINATING, line=70),
    ]
    return group_tasks(labels, repository_facts(*labels))


def test_a_document_has_the_released_keys_in_the_released_order() -> None:
    document = project_document(tasks_of_example())
    assert list(document) == [
        "project_name",
        "display_name",
        "github_url",
        "git_clone_url",
        "java_version",
        "version",
        "tracks",
    ]
    (row,) = document["tracks"]["test_update"]
    assert list(row) == [
        "task_id",
        "rev1",
        "rev2",
        "rev1_date",
        "rev2_date",
        "git_diff_url",
        "test_file",
        "test_methods",
        "dependency_methods",
        "dependency_method_urls",
        "test_method_urls",
        "n_changes",
    ]
    assert (document["project_name"], document["java_version"], row["rev2_date"]) == ("o_r-v1.0", 17, "2020-09-13")


def test_overloads_are_listed_each_and_linked_once() -> None:
    """The link of a name is that of its first entry; removed methods are anchored on the left."""
    (row,) = project_document(tasks_of_example())["tracks"]["test_update"]
    anchor = hashlib.sha256(CODE_PATH.encode()).hexdigest()
    assert row["dependency_methods"] == ["A#put", "A#put", "A#gone"]
    assert row["dependency_method_urls"] == {"A#put": f"{PAGE}#diff-{anchor}R40", "A#gone": f"{PAGE}#diff-{anchor}L60"}
    test_anchor = hashlib.sha256(TEST_PATH.encode()).hexdigest()
    assert row["test_method_urls"] == {"ATest#one": f"{PAGE}#diff-{test_anchor}R20"}


def test_without_a_web_address_there_are_no_links() -> None:
    offline = REPOSITORY.model_copy(update={"web_url": None})
    labels = [label("one")]
    (task,) = group_tasks(labels, repository_facts(*labels, repository=offline))
    (row,) = project_document([task])["tracks"]["test_update"]
    assert (row["git_diff_url"], row["test_method_urls"]) == (None, {"ATest#one": None})


def test_the_index_counts_tasks_and_methods_per_track() -> None:
    index = index_document([project_document(tasks_of_example())], "2026-01-01T00:00:00Z")
    day = "2020-09-13"
    assert index["stats"]["test_update"] == {"repos": 1, "tasks": 1, "changes": 1, "date_range": [day, day]}
    assert index["repos"][0]["rev_pairs"] == [{"d": day, "t": "u", "n": 1}, {"d": day, "t": "g", "n": 1}]


def test_documents_of_several_projects_are_refused() -> None:
    with pytest.raises(ValueError, match="one project"):
        project_document([])


def released(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_bytes())
    return document


def rows_of(document: dict[str, Any]) -> list[tuple[Track, dict[str, Any]]]:
    return [(track, row) for track, key in TRACK_KEYS.items() for row in document["tracks"][key]]


def line_of(url: str) -> tuple[str, int]:
    """Side and line of an anchor."""
    anchor = url.rpartition("#diff-")[2][64:]
    return anchor[0], int(anchor[1:])


def task_of(document: dict[str, Any], track: Track, row: dict[str, Any]) -> Task:
    """A released task as a record, as far as it says. The path of a dependency is known by its digest only."""
    seconds = {key: int(_midnight(row[key])) for key in ("rev1_date", "rev2_date")}
    linked: Counter[str] = Counter()
    dependencies = []
    for name in row["dependency_methods"]:
        type_name, _, method = name.partition("#")
        side, line = line_of(row["dependency_method_urls"][name])
        overload = (f"overload{linked[name]}",) * (linked[name] > 0)
        unlinked_line = line if linked[name] == 0 else 999_999
        linked[name] += 1
        dependencies.append(
            Dependency(
                method=MethodKey(type_name=type_name, name=method, parameters=overload),
                kind=ChangeKind.REMOVED if side == "L" else ChangeKind.MODIFIED,
                path=row["dependency_method_urls"][name],
                span=Span(first_line=unlinked_line, last_line=unlinked_line),
            )
        )
    return Task(
        task_id=row["task_id"],
        track=track,
        repository=document["display_name"],
        project_name=document["project_name"],
        version=document["version"],
        web_url=document["github_url"],
        clone_url=document["git_clone_url"],
        old_revision=row["rev1"],
        new_revision=row["rev2"],
        old_time=seconds["rev1_date"],
        new_time=seconds["rev2_date"],
        java_level=None,
        jdk=document["java_version"],
        fingerprint="",
        module="",
        test_file=row["test_file"],
        old_test_file=None,
        tests=tuple(evidence_of(track, row, name) for name in row["test_methods"]),
        dependencies=tuple(dependencies),
    )


def _midnight(day: str) -> float:
    from datetime import UTC, datetime

    return datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()


def evidence_of(track: Track, row: dict[str, Any], name: str) -> TestEvidence:
    type_name, _, method = name.partition("#")
    _, line = line_of(row["test_method_urls"][name])
    update = track == Track.UPDATE
    return TestEvidence(
        test=TestKey(module="", path=row["test_file"], type_name=type_name, name=method),
        test_kind=TestKind.JUNIT4,
        change=ChangeKind.MODIFIED if update else ChangeKind.INSERTED,
        label=LabelKind.UPDATE if update else LabelKind.DISCRIMINATING,
        old_source=None,
        new_source="",
        old_span=None,
        new_span=Span(first_line=line, last_line=line),
        outcomes={},
        dependencies=(),
    )


def without_paths_of_dependencies(document: dict[str, Any]) -> dict[str, Any]:
    """A copy whose dependency links keep side and line only: a digest cannot be turned back into a path."""
    copy: dict[str, Any] = json.loads(json.dumps(document))
    for _, row in rows_of(copy):
        row["dependency_method_urls"] = {name: line_of(url) for name, url in row["dependency_method_urls"].items()}
    return copy


@needs_oracle
@pytest.mark.parametrize("path", RELEASED, ids=lambda path: path.stem)
def test_every_released_id_is_made_of_what_it_names(path: Path) -> None:
    document = released(path)
    repository = Repository(
        name=document["display_name"], source=SourceKind.LIST, address="", version=document["version"]
    )
    assert document["project_name"] == repository.project_name
    for _, row in rows_of(document):
        made = task_id(document["project_name"], row["rev1"], row["rev2"], row["test_file"], row["test_methods"])
        assert made == row["task_id"]


@needs_oracle
@pytest.mark.parametrize("path", RELEASED, ids=lambda path: path.stem)
def test_a_released_file_survives_the_way_through_our_records(path: Path) -> None:
    """All bytes but the digests of dependency paths, which cannot be read back."""
    document = released(path)
    exported = project_document([task_of(document, track, row) for track, row in rows_of(document)])
    left, right = without_paths_of_dependencies(exported), without_paths_of_dependencies(document)
    assert document_bytes(left) == document_bytes(right)
    assert document_bytes(document) == path.read_bytes()


@needs_oracle
@pytest.mark.skipif(not (ORACLE / "index.json").is_file(), reason="the released index is not there")
def test_our_index_of_the_released_files_is_the_released_one() -> None:
    """All but the order of the (date, track, number) list, whose rule is not known (TEB-D05)."""
    published = {entry["project_name"]: entry for entry in released(ORACLE / "index.json")["repos"]}
    for entry in index_document(map(released, RELEASED), "2026-01-01T00:00:00Z")["repos"]:
        other = published[entry["project_name"]]
        assert list(entry) == list(other)
        assert Counter(map(str, entry.pop("rev_pairs"))) == Counter(map(str, other.pop("rev_pairs")))
        assert entry == other
