"""The dataset folder (TEB-D01 to D04, K03)."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from task_factories import MACHINE, REPOSITORY, example

from testevo.config.model import Evaluation, GithubSearch
from testevo.labels.reasons.funnel import count_stage
from testevo.packaging.dataset.dataset_folder import open_dataset, read_tasks, verify_dataset
from testevo.packaging.dataset.task_files import without_answers
from testevo.packaging.dataset_writer import TestRecord, write_dataset
from testevo.packaging.start_states.brief import brief_of
from testevo.records.base import RecordFile, read_records, write_records
from testevo.records.failures import StageFailure
from testevo.records.labels import Label
from testevo.records.tasks import Solution, Track
from testevo.runtime.errors import UserError


def content(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_folder_holds_records_tracks_negatives_exports_and_descriptions(tmp_path: Path) -> None:
    write_dataset(tmp_path, example())
    assert sorted(content(tmp_path)) == [
        "answers/generation.jsonl",
        "answers/update.jsonl",
        "checksums.sha256",
        "data/index.json",
        "data/repos/o_r-v1.0.json",
        "datasheet.md",
        "funnel.json",
        "mutants.jsonl",
        "negatives.jsonl",
        "pairs.jsonl",
        "provenance.json",
        "records/o+r.jsonl",
        "repositories.jsonl",
        "snapshot.json",
        "tasks/generation.jsonl",
        "tasks/update.jsonl",
    ]


def test_quarantined_tasks_stay_and_the_datasheet_says_why(tmp_path: Path) -> None:
    """They are in their track's file, marked, and counted."""
    snapshot = example()
    tasks = [task.model_copy(update={"quarantined": "It wavers."}) for task in snapshot.tasks]
    write_dataset(tmp_path, replace(snapshot, tasks=tasks))
    assert sorted(read_tasks(tmp_path), key=str) == sorted(tasks, key=str)
    text = (tmp_path / "datasheet.md").read_text()
    assert "quarantined: 2 tasks" in text and text.count("It wavers.") == 2


def test_places_of_this_machine_are_in_no_record_of_a_repository(tmp_path: Path) -> None:
    """A folder goes by the repository's name, in what was said about it too (TEB-D04)."""
    local = REPOSITORY.model_copy(
        update={"address": f"{MACHINE}/r", "web_url": None, "detail": f"{MACHINE}/r cannot be read"}
    )
    write_dataset(tmp_path, replace(example(), repositories=[local]))
    assert MACHINE not in (tmp_path / "repositories.jsonl").read_text()
    assert "o/r cannot be read" in (tmp_path / "repositories.jsonl").read_text()


def test_places_of_a_search_are_not_in_the_description_and_its_criteria_are(tmp_path: Path) -> None:
    snapshot = example()
    github = GithubSearch(stars=300, names=f"{MACHINE}/list.csv", lock=f"{MACHINE}/lock.jsonl")
    sources = snapshot.config.sources.model_copy(update={"github": github})
    write_dataset(tmp_path, replace(snapshot, config=snapshot.config.model_copy(update={"sources": sources})))
    described = (tmp_path / "snapshot.json").read_text()
    assert MACHINE not in described and '"stars": 300' in described


def test_the_selection_of_a_grading_run_is_not_in_the_description(tmp_path: Path) -> None:
    snapshot = example()
    chosen = {"tasks": "o*", "track": "update", "since": "2025-01-01", "until": "2026-01-01", "active": True}
    evaluation = Evaluation.model_validate(chosen)
    write_dataset(tmp_path / "all", snapshot)
    write_dataset(
        tmp_path / "some", replace(snapshot, config=snapshot.config.model_copy(update={"evaluation": evaluation}))
    )
    described = (tmp_path / "all" / "snapshot.json").read_text()
    assert (tmp_path / "some" / "snapshot.json").read_text() == described
    assert '"gold_runs"' in described


def test_further_files_are_copied_and_covered_by_the_checksums(tmp_path: Path) -> None:
    """Bundles and archives of mutants; files of an earlier dataset are removed."""
    (tmp_path / "bundle").write_bytes(b"bytes")
    files = {"histories/o+r.bundle": tmp_path / "bundle", "mutants/x.zip": b"zip"}
    write_dataset(tmp_path / "data", replace(example(), files=files))
    assert (tmp_path / "data/histories/o+r.bundle").read_bytes() == b"bytes"
    (tmp_path / "data/mutants/x.zip").write_bytes(b"other")
    verify_dataset(tmp_path / "data", ["histories/o+r.bundle"])
    with pytest.raises(UserError, match=r"x\.zip is missing or differs"):
        verify_dataset(tmp_path / "data", ["mutants/x.zip"])
    with pytest.raises(UserError, match=r"unlisted is missing or differs"):
        verify_dataset(tmp_path / "data", ["unlisted"])
    write_dataset(tmp_path / "data", example())
    assert not (tmp_path / "data/histories/o+r.bundle").exists()


def test_equal_inputs_in_another_order_give_equal_bytes(tmp_path: Path) -> None:
    snapshot = example()
    shuffled = replace(
        snapshot,
        labels={slug: list(labels)[::-1] for slug, labels in snapshot.labels.items()},
        executions={slug: list(runs)[::-1] for slug, runs in snapshot.executions.items()},
        tasks=snapshot.tasks[::-1],
    )
    write_dataset(tmp_path / "a", snapshot)
    write_dataset(tmp_path / "b", shuffled)
    assert content(tmp_path / "a") == content(tmp_path / "b")


def test_labels_of_many_repositories_are_read_one_file_after_the_other(tmp_path: Path) -> None:
    """Negatives are sorted by name of the repository, which is not the order of the records that are given."""
    snapshot, [known] = example(), example().repositories
    names = ("o/r", "o/R2", "a/r")
    repositories = [known.model_copy(update={"name": name}) for name in names]
    labels, reading = {}, []

    class Watched(RecordFile[Label]):
        def __iter__(self) -> Iterator[Label]:
            reading.append(self)
            assert len(reading) == 1, "the records of two repositories are read at the same time"
            yield from super().__iter__()
            reading.remove(self)

    for one in repositories:
        own = [label.model_copy(update={"repository": one.name}) for label in snapshot.labels[known.slug]]
        write_records(tmp_path / one.slug, own)
        labels[one.slug] = Watched(tmp_path / one.slug, Label)
    write_dataset(tmp_path / "data", replace(snapshot, repositories=repositories, labels=labels, executions={}))
    negatives = read_records(tmp_path / "data" / "negatives.jsonl", TestRecord)
    assert [one.repository for one in negatives] == sorted(names)
    assert len(read_records(tmp_path / "data" / "records" / "a+r.jsonl", TestRecord)) == 4
    assert "| 3 |" in (tmp_path / "data" / "datasheet.md").read_text().split("## Verdicts over all candidates")[1]


def test_a_record_says_what_was_run_and_what_it_proves(tmp_path: Path) -> None:
    """TEB-D01: dropped candidates keep their reason."""
    write_dataset(tmp_path, example())
    records = [json.loads(line) for line in (tmp_path / "records/o+r.jsonl").read_text().splitlines()]
    by_test = {record["test"]["name"]: record for record in records}
    assert by_test["one"]["outcomes"] == {
        "new_test_new_code": ["passed", "passed"],
        "old_test_new_code": ["assertion_failed", "assertion_failed"],
    }
    assert by_test["one"]["focal"] == "p.A#add()"
    assert by_test["flaky"]["reason"] == "unstable"


def test_unchanged_tests_are_the_negatives(tmp_path: Path) -> None:
    """TEB-K03."""
    write_dataset(tmp_path, example())
    (line,) = (tmp_path / "negatives.jsonl").read_text().splitlines()
    assert json.loads(line)["test"]["name"] == "same"


def test_no_file_names_a_place_on_this_machine(tmp_path: Path) -> None:
    write_dataset(tmp_path, example())
    assert [name for name, data in content(tmp_path).items() if MACHINE.encode() in data] == []


def test_the_tasks_can_be_read_back(tmp_path: Path) -> None:
    snapshot = example()
    write_dataset(tmp_path, snapshot)
    assert sorted(read_tasks(tmp_path), key=str) == sorted(snapshot.tasks, key=str)


def test_the_folder_of_tasks_holds_nothing_of_their_answers(tmp_path: Path) -> None:
    snapshot = example()
    write_dataset(tmp_path, snapshot)
    shown = b"".join(path.read_bytes() for path in (tmp_path / "tasks").iterdir())
    answers = [evidence for task in snapshot.tasks for evidence in task.tests]
    assert answers and not any(json.dumps(one.new_source).encode() in shown for one in answers)
    assert not set(Solution.model_fields) & {key for line in shown.splitlines() for key in json.loads(line)["tests"][0]}
    for task in snapshot.tasks:
        assert brief_of(without_answers(task)) == brief_of(task)


def test_tasks_of_the_earlier_form_of_the_folder_are_read(tmp_path: Path) -> None:
    snapshot = example()
    for track in Track:
        own = [task for task in snapshot.tasks if task.track == track]
        write_records(tmp_path / f"{track.value}.jsonl", own)
    assert sorted(read_tasks(tmp_path, schema=2), key=str) == sorted(snapshot.tasks, key=str)


def test_two_answers_for_one_test_are_refused(tmp_path: Path) -> None:
    write_dataset(tmp_path, example())
    file = tmp_path / "answers/update.jsonl"
    first = file.read_text().splitlines(keepends=True)[0]
    file.write_text(file.read_text() + first)
    read_tasks(tmp_path)
    file.write_text(file.read_text() + first.replace('"new_source":"', '"new_source":"//'))
    with pytest.raises(UserError, match=r"answers/update\.jsonl has two answers for .+ Fetch or package"):
        read_tasks(tmp_path)


def test_a_task_without_its_answer_is_refused(tmp_path: Path) -> None:
    write_dataset(tmp_path, example())
    (tmp_path / "answers/update.jsonl").write_bytes(b"")
    with pytest.raises(UserError, match=r"answers/update\.jsonl has no answer for .+ Fetch or package"):
        read_tasks(tmp_path)


def test_a_changed_or_missing_file_is_named(tmp_path: Path) -> None:
    write_dataset(tmp_path, example())
    verify_dataset(tmp_path)
    (tmp_path / "tasks/update.jsonl").write_bytes(b"")
    with pytest.raises(UserError, match=r"tasks/update\.jsonl is missing or differs"):
        verify_dataset(tmp_path)
    with pytest.raises(UserError, match="is no complete dataset"):
        verify_dataset(tmp_path / "elsewhere")


def test_repositories_that_failed_are_listed_and_an_earlier_list_goes(tmp_path: Path) -> None:
    """Also when the workflow has deleted the checksums before it makes the dataset again."""
    failure = StageFailure(repository="o/bad", stage="clone", error="KeyError", reason="x")
    write_dataset(tmp_path, replace(example(), failures=[failure], files={"histories/o+r.bundle": b"bytes"}))
    assert read_records(tmp_path / "failures.jsonl", StageFailure) == [failure]
    verify_dataset(tmp_path, ["failures.jsonl"])
    (tmp_path / "checksums.sha256").unlink()
    write_dataset(tmp_path, example())
    assert not (tmp_path / "failures.jsonl").exists() and not (tmp_path / "histories/o+r.bundle").exists()


def test_files_of_an_earlier_dataset_go(tmp_path: Path) -> None:
    snapshot = example()
    write_dataset(tmp_path, snapshot)
    other = REPOSITORY.model_copy(update={"name": "o/other"})
    write_dataset(tmp_path, replace(snapshot, repositories=[other], tasks=[]))
    assert not (tmp_path / "records/o+r.jsonl").exists()
    assert not (tmp_path / "data/repos/o_r-v1.0.json").exists()
    verify_dataset(tmp_path)


def test_a_dataset_that_was_interrupted_while_it_was_written_anew_is_refused(tmp_path: Path) -> None:
    write_dataset(tmp_path, example())
    whole = content(tmp_path)

    def killed() -> Iterable[bytes]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_dataset(tmp_path, replace(example(), files={"histories/o+r.bundle": killed}))
    with pytest.raises(UserError, match="no complete dataset"):
        open_dataset(tmp_path)
    write_dataset(tmp_path, example())
    assert content(tmp_path) == whole


def test_a_funnel_that_does_not_close_writes_nothing(tmp_path: Path) -> None:
    broken = replace(example(), funnel=[count_stage("clone", "commits", [None], entered=2)])
    with pytest.raises(UserError, match="stage clone"):
        write_dataset(tmp_path, broken)
    assert content(tmp_path) == {}


def test_the_datasheet_is_counted_from_the_data(tmp_path: Path) -> None:
    write_dataset(tmp_path, example())
    text = (tmp_path / "datasheet.md").read_text()
    assert "| o/r | update | 1 | 1 | 2020-09-13 to 2020-09-13 |" in text
    assert "| none | unstable | 1 | repeated runs disagree |" in text
    assert "| o/r | MIT | LICENSE | https://example.org/o/r.git |" in text
    assert "published under" not in text


def test_the_collection_has_a_licence_only_where_one_is_configured(tmp_path: Path) -> None:
    snapshot = example()
    unknown = REPOSITORY.model_copy(update={"licence": None, "licence_origin": "no licence file"})
    config = snapshot.config.model_copy(update={"licence": "CC-BY-4.0"})
    write_dataset(tmp_path, replace(snapshot, config=config, repositories=[unknown]))
    text = (tmp_path / "datasheet.md").read_text()
    assert "The collection is published under CC-BY-4.0." in text
    assert "| o/r | not recorded | no licence file |" in text


def test_versions_of_tools_are_beside_the_checksums(tmp_path: Path) -> None:
    """Two machines with other tools give the same checksums."""
    write_dataset(tmp_path / "here", example())
    write_dataset(tmp_path / "there", replace(example(), provenance={"jdk 17": "17.0.2"}))
    assert json.loads((tmp_path / "here/provenance.json").read_text()) == {"git": None, "jdk 17": "17.0.1"}
    here, there = content(tmp_path / "here"), content(tmp_path / "there")
    assert {name for name in here if here[name] != there[name]} == {"provenance.json"}
    verify_dataset(tmp_path / "here")
