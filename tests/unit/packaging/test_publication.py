"""The published folder: other tools load it, the answers are apart, equal datasets give equal bytes."""

import hashlib
import json
import re
import subprocess
import sys
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
import yaml
from task_factories import example, label, repository_facts
from typer.testing import CliRunner

import testevo
from testevo.cli.main import app
from testevo.packaging.dataset.dataset_folder import DatasetFolder, open_dataset
from testevo.packaging.dataset.grouping import group_tasks
from testevo.packaging.dataset_writer import write_dataset
from testevo.packaging.publication.loading import load_answers
from testevo.packaging.publication.published_folder import publish, published_files
from testevo.packaging.publication.rows import TABLES
from testevo.packaging.publication.subsets import LITE_TASKS, subsets
from testevo.runtime.errors import MachineError, UserError


@pytest.fixture
def dataset(tmp_path: Path) -> DatasetFolder:
    write_dataset(tmp_path / "dataset", example())
    return open_dataset(tmp_path / "dataset")


@pytest.fixture
def published(dataset: DatasetFolder, tmp_path: Path) -> Path:
    publish(dataset, tmp_path / "published", [date(2030, 1, 1)])
    return tmp_path / "published"


def test_it_loads_typed_tasks_of_one_track_or_both(published: Path, dataset: DatasetFolder) -> None:
    assert [task.task_id for task in testevo.load(published)] == [task.task_id for task in dataset.tasks]
    [task] = testevo.load(published, "update")
    assert (task.track, task.tests, task.licence) == ("update", ("p.ATest#one()",), "MIT")
    with pytest.raises(UserError, match=r"no track 'both'.+update, generation"):
        testevo.load(published, "both")


def test_days_and_subsets_select(published: Path) -> None:
    [first, *_] = testevo.load(published)
    day = date.fromisoformat(first.new_date)
    following = day + timedelta(days=1)
    assert testevo.load(published, since=day) == testevo.load(published, until=following) == testevo.load(published)
    assert testevo.load(published, until=day) == []
    assert testevo.load(published, subset="after-2030-01-01") == []
    assert [task.track for task in testevo.load(published, subset="generation")] == ["generation"]
    with pytest.raises(UserError, match=r"no subset 'large'.+lite"):
        testevo.load(published, subset="large")


def test_parquet_holds_the_rows_of_the_json_lines(published: Path) -> None:
    for file in sorted(published.rglob("*.parquet")):
        lines = file.with_suffix(".jsonl").read_text().splitlines()
        assert pyarrow.parquet.read_table(file).to_pylist() == [json.loads(line) for line in lines]
    assert {file.relative_to(published).parts[0].split(".")[0] for file in published.rglob("*.parquet")} == set(TABLES)


def read_back(page: str) -> list[dict[str, Any]]:
    """What a page for people tells of each test, in the fields of the rows."""
    head, *sections = page.split("\n## ")
    common = {
        "task_id": head.splitlines()[0].removeprefix("# "),
        "track": re.search(r"^- track: (\w+)", head, re.M)[1],
        "repository": re.search(r"^- repository: (\S+), licence (\S+),", head, re.M)[1],
        "licence": re.search(r"^- repository: (\S+), licence (\S+),", head, re.M)[2],
        "test_file": re.search(r"^- test file: `(.+)`$", head, re.M)[1],
        **{f"{end}_revision": re.search(rf"^- {end} revision: `(\w+)`", head, re.M)[1] for end in ("old", "new")},
    }
    found = []
    for section in sections:
        told = re.search(r"^- method: `(.+)`, (\w+), (\w+)$", section, re.M)
        diff = section.split("```diff\n")[1].split("\n```")[0].splitlines()
        lines = [line for line in diff if line[:3] not in ("---", "+++") and line[:2] != "@@"]
        old, new = ("\n".join(line[1:] for line in lines if line[0] in signs) for signs in (" -", " +"))
        runs = dict(re.findall(r"^\| (\w+ \w+ \w+ \w+|\w+(?: \w+)*) \| (\w+) \|$", section, re.M)[1:])
        own = dict(zip(("test", "kind", "change"), told.groups(), strict=True))
        outcomes = {name.replace(" ", "_"): outcome for name, outcome in runs.items()}
        found.append({**common, **own, **outcomes, "old_source": old or None, "new_source": new})
    return found


def test_the_page_of_each_task_holds_what_its_rows_hold(published: Path) -> None:
    """Read back from the pages for people, every field of them is that of the JSON lines."""
    rows = {}
    for track in ("update", "generation"):
        tasks, answers = (
            [json.loads(line) for line in (published / table / f"{track}.jsonl").read_text().splitlines()]
            for table in ("tasks", "answers")
        )
        by_id = {task["task_id"]: task for task in tasks}
        rows |= {(track, row["task_id"], row["test"]): {**by_id[row["task_id"]], **row} for row in answers}
    told = [one for page in sorted(published.glob("answers/by_task/*/*.md")) for one in read_back(page.read_text())]
    assert len(told) == len(rows) > 1
    for one in told:
        row = rows[one["track"], one["task_id"], one["test"]]
        assert one == {name: row[name] for name in one}
        assert {name for name in row if name.count("_") == 3 and row[name]} <= one.keys()


def test_tasks_that_share_an_id_have_a_page_each(dataset: DatasetFolder, tmp_path: Path) -> None:
    """A test file of one name in two modules."""
    names = {name for name in published_files(dataset, ()) if "/by_task/" in name}
    [task, *_] = dataset.tasks
    other = task.model_copy(update={"module": "web", "test_file": f"web/{task.test_file}"})
    write_dataset(tmp_path / "two", replace(example(), tasks=[*dataset.tasks, other]))
    files = published_files(open_dataset(tmp_path / "two"), ())
    pages = {name for name in files if "/by_task/" in name}
    assert len(pages) == len(names) + 1
    assert names - pages == {f"answers/by_task/{task.track.value}/{task.task_id}.md"}
    assert sum(f"- test file: `{other.test_file}`".encode() in files[name] for name in pages) == 1


def test_nothing_of_the_answers_is_outside_their_folder(published: Path) -> None:
    answers = load_answers(published)
    assert answers and all(answer.new_source for answer in answers)
    outside = [file for file in published.rglob("*") if file.is_file() and "answers" not in file.parts]
    for answer in answers:
        holding = [file for file in outside if answer.new_source.encode() in file.read_bytes()]
        assert holding == []


def test_the_card_names_every_table_and_its_files(published: Path) -> None:
    head = yaml.safe_load((published / "README.md").read_text().split("---\n")[1])
    assert [config["config_name"] for config in head["configs"]] == list(TABLES)
    for config in head["configs"]:
        assert all((published / part["path"]).is_file() for part in config["data_files"])


def test_croissant_describes_the_files_as_they_are(published: Path) -> None:
    document = json.loads((published / "croissant.json").read_text())
    for file in document["distribution"]:
        assert hashlib.sha256((published / file["contentUrl"]).read_bytes()).hexdigest() == file["sha256"]
    for records in document["recordSet"]:
        [name] = {field["source"]["fileObject"]["@id"] for field in records["field"]}
        columns = [field["source"]["extract"]["column"] for field in records["field"]]
        assert pyarrow.parquet.read_schema(published / name).names == columns


def test_equal_datasets_give_equal_bytes_and_old_files_go(dataset: DatasetFolder, tmp_path: Path) -> None:
    first = publish(dataset, tmp_path / "one", [date(2020, 1, 1)])
    assert first == publish(dataset, tmp_path / "two", [date(2020, 1, 1)])
    (tmp_path / "two/.gitattributes").write_text("mine")
    publish(dataset, tmp_path / "two")
    assert (tmp_path / "two/.gitattributes").read_text() == "mine"
    assert not (tmp_path / "two/subsets/after-2020-01-01.json").exists()


def test_a_folder_with_other_files_is_left_alone(dataset: DatasetFolder, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.tex").write_text("")
    with pytest.raises(UserError, match="is not empty and holds no published dataset"):
        publish(dataset, tmp_path / "mine")
    assert [file.name for file in (tmp_path / "mine").iterdir()] == ["thesis.tex"]
    with pytest.raises(UserError, match=r"thesis\.tex is not a folder\. Name a new one"):
        publish(dataset, tmp_path / "mine/thesis.tex")


def test_a_folder_whose_writing_was_interrupted_is_not_loaded_and_may_be_written_again(
    dataset: DatasetFolder, tmp_path: Path
) -> None:
    published = tmp_path / "published"
    publish(dataset, published, [date(2020, 1, 1)])
    place = published / "README.md"
    place.unlink()
    place.mkdir()
    with pytest.raises(MachineError, match=r"README\.md cannot be written"):
        publish(dataset, published, [date(2019, 1, 1)])
    with pytest.raises(UserError, match="is not a published dataset"):
        load_answers(published)

    place.rmdir()
    files = publish(dataset, published)
    assert {str(one.relative_to(published)) for one in published.rglob("*") if one.is_file()} == files.keys()
    assert load_answers(published)


def test_a_dataset_that_differs_from_its_checksums_is_not_published(dataset: DatasetFolder, tmp_path: Path) -> None:
    (dataset.folder / "answers/update.jsonl").write_text("")
    with pytest.raises(UserError, match="differs from"):
        publish(dataset, tmp_path / "published")
    assert not (tmp_path / "published").exists()


def test_the_command_names_a_subset_for_each_day(dataset: DatasetFolder, tmp_path: Path) -> None:
    days = ["--after", "2024-01-01", "--after", "2025-01-01"]
    done = CliRunner().invoke(app, ["publish", str(dataset.folder), "--output", str(tmp_path / "published"), *days])
    assert done.exit_code == 0, done.output
    assert {file.stem for file in (tmp_path / "published/subsets").iterdir()} >= {
        "after-2024-01-01",
        "after-2025-01-01",
    }


def test_a_newer_schema_is_refused(published: Path) -> None:
    file = published / "publication.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"schema": 2}))
    with pytest.raises(UserError, match=r"schema version 2.+Install a newer testevo"):
        testevo.load(published)


def test_a_repository_has_few_tasks_in_lite_and_quarantined_ones_are_in_no_subset() -> None:
    labels = [label("one", path=f"src/test/java/p/{name}Test.java") for name in "ABCDEF"]
    tasks = group_tasks(labels, repository_facts(*labels))
    by_name = {one.name: one for one in subsets(tasks)}
    assert len(by_name["update"].tasks) == len(tasks) == 6
    assert len(by_name["lite"].tasks) == LITE_TASKS
    assert set(by_name["lite"].tasks) < set(by_name["update"].tasks)
    marked = [task.model_copy(update={"quarantined": "flaky"}) for task in tasks]
    assert all(one.tasks == () for one in subsets(marked))


def test_an_empty_dataset_is_published_with_all_columns(tmp_path: Path) -> None:
    write_dataset(tmp_path / "dataset", replace(example(), tasks=[]))
    publish(open_dataset(tmp_path / "dataset"), tmp_path / "published")
    assert testevo.load(tmp_path / "published") == []
    assert "new_source" in pyarrow.parquet.read_schema(tmp_path / "published/answers/update.parquet").names


def test_the_loader_imports_no_library_that_writes() -> None:
    """Reading JSON lines must not cost the import of pyarrow."""
    code = "import sys, testevo; testevo.load; sys.exit('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
